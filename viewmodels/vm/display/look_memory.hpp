#pragma once

#include "vm/picture/look.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <deque>
#include <optional>
#include <utility>

class QSettings;

namespace pollard::vm {

/// The looks of the files that a person changed the look of, the latest first, also after a restart. While it is
/// shared, one look serves all files.
class LookMemory : public QObject {
    Q_OBJECT

public:
    /// Files that are remembered; the one that was looked at longest ago is forgotten first.
    static constexpr std::size_t kMaxFiles = 100;

    /// @param settings must outlive this; null: nothing is remembered beyond this object
    explicit LookMemory(QSettings* settings = nullptr, QObject* parent = nullptr);
    ~LookMemory() override;

    /// The look for a file: the shared one, its own, or that of a file that is new: a linear window as pictures of its
    /// kind are opened, in the colours that a person chose last.
    [[nodiscard]] Look recall(const QString& path) const;
    /// A person changed the look of this file; while it is shared, that of all files. An empty path is no file.
    void remember(const QString& path, const Look& look);
    /// A person chose these colours: files that are new get them.
    void like(ColourMap map, bool inverted);
    [[nodiscard]] std::size_t size() const noexcept { return files_.size(); }

    [[nodiscard]] bool isShared() const noexcept { return shared_.has_value(); }
    /// From now on this look is that of all files; each file keeps its own for the time after.
    void share(const Look& look);
    void stopSharing();

public slots:
    /// Forgets all files.
    void clear();

signals:
    void sharedChanged();

private:
    void load();
    void save();
    void saveSoon();

    QSettings* settings_;
    std::deque<std::pair<QString, Look>> files_;
    std::optional<Look> shared_;
    ColourMap likedMap_ = ColourMap::grey;
    bool likedInverted_ = false;
    QTimer soon_; ///< a drag of the window changes the look many times a second
};

} // namespace pollard::vm
