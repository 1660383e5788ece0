#pragma once

#include "vm/base/file_export.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include <QObject>
#include <QString>

#include <memory>

namespace pollard::vm {

class RecipeViewModel;

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
