#pragma once

#include "vm/base/file_export.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include "recipe/presets.hpp"

#include <QObject>
#include <QString>

#include <memory>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;
class RecipeViewModel;

/// The recipes included with the program, for the open image or for the sample of each.
class PresetViewModel : public QObject {
    Q_OBJECT

public:
    /// @param samples folder of the samples, in the program's resources or on disk
    /// @param document,filter must outlive this
    PresetViewModel(DocumentViewModel& document, FilterViewModel& filter, QString samples, QObject* parent = nullptr);

    [[nodiscard]] int count() const;
    [[nodiscard]] QString title(int preset) const;       ///< "Uneven background"
    [[nodiscard]] QString description(int preset) const; ///< one line
    [[nodiscard]] QString name(int preset) const;        ///< as in the command line
    /// Index of the preset with this name in the command line; -1 if there is none.
    [[nodiscard]] int find(const QString& name) const;

    /// Folder of the copies of samples that were opened.
    [[nodiscard]] static QString samplesOnDisk();

public slots:
    /// Applies its filters and trees to the open image or the next one.
    void apply(int preset);
    /// Opens the sample of a preset with the preset applied. Ends like DocumentViewModel::open(), or with failed().
    void openSample(int preset);
    /// Opens an included sample by its file name; ends in the same way.
    void openSampleFile(const QString& file);

signals:
    void applied(int preset);
    /// The sample of an applied preset is about to be opened.
    void sampleOpening(const QString& path);
    void failed(const QString& title, const QString& text);

private:
    [[nodiscard]] const Preset& at(int preset) const;
    /// A copy of the sample on disk for the readers; empty if it cannot be made.
    [[nodiscard]] QString sampleOnDisk(const QString& file);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    QString samples_;
};

/// Reads and writes recipes of the window as files on another thread. Nothing changes until a file is read completely;
/// the last of several requests counts.
class RecipeFiles : public QObject {
    Q_OBJECT

public:
    /// @param recipe must outlive this
    explicit RecipeFiles(RecipeViewModel& recipe, QObject* parent = nullptr);
    /// Pending files are written first.
    ~RecipeFiles() override;

    [[nodiscard]] bool isSaving() const { return writes_.isBusy(); }
    [[nodiscard]] bool isBusy() const { return worker_->isBusy(Lane::load) || writes_.isBusy(); }

public slots:
    /// Applies a recipe to the open image, or the next one. Ends with loaded() or failed().
    void load(const QString& path);
    /// Writes the present recipe. Ends with saved() or failed().
    void save(const QString& path);

signals:
    void loaded(const QString& path);
    void savingChanged();
    void saved(const QString& path);
    void failed(const QString& title, const QString& text);

private:
    void fail(const QString& title, const JobOutcome& outcome);

    RecipeViewModel& recipe_;
    std::unique_ptr<LatestWinsWorker> worker_ = std::make_unique<LatestWinsWorker>();
    WriteQueue writes_{*worker_};
};

} // namespace pollard::vm
