#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/level_histogram.hpp"

#include "io/image_file.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace pollard::vm {

/// The layout of a file without a header while the user searches for it: guesses from the file's size, a check, and a
/// small preview that is updated with every change.
class RawViewModel : public QObject {
    Q_OBJECT

public:
    /// Starts with the last layout used for such a file name, else with the best guess.
    /// @param settings must outlive this
    RawViewModel(const QString& path, QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] QString path() const { return path_; }
    [[nodiscard]] const RawLayout& layout() const noexcept { return layout_; }
    /// Layouts that fill the file exactly, the most likely first.
    [[nodiscard]] const std::vector<RawLayout>& guesses() const noexcept { return guesses_; }
    [[nodiscard]] QStringList guessTexts() const;
    /// Index of the layout among the guesses; -1 if none.
    [[nodiscard]] int guess() const;
    /// The file has at least the bytes of the layout.
    [[nodiscard]] bool isPossible() const;
    [[nodiscard]] QString checkText() const; ///< "needs 2,097,152 bytes, the file has 2,097,664"

    /// The first page, reduced; null if there is none.
    [[nodiscard]] std::shared_ptr<const Image> preview() const noexcept { return preview_; }
    [[nodiscard]] LevelWindow previewWindow() const noexcept { return previewWindow_; }
    [[nodiscard]] QString previewProblem() const { return previewProblem_; }

    static constexpr std::uint32_t kPreviewSide = 240; ///< px

public slots:
    void setLayout(const pollard::RawLayout& layout);
    void setGuess(int index);
    /// Stores the layout for the next file with the same extension.
    void remember();

signals:
    void layoutChanged();
    void previewChanged();

private:
    struct Preview {
        std::shared_ptr<const Image> image;
        LevelWindow window;
    };
    void makePreview();

    QString path_;
    QSettings& settings_;
    std::uint64_t fileBytes_ = 0;
    RawLayout layout_;
    std::vector<RawLayout> guesses_;
    std::shared_ptr<const Image> preview_;
    LevelWindow previewWindow_;
    QString previewProblem_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
