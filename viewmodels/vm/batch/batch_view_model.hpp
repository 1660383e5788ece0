#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "batch/recipe_batch.hpp"
#include "recipe/recipe.hpp"

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>

#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace pollard::vm {

/// A recipe applied to many files, as by `pollard-cli run`: the table of the files with the progress and result of
/// each. Folders are read, and the recipe runs, on another thread.
class BatchViewModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { fileColumn, stateColumn, keptColumn, objectsColumn, resultColumn };
    static constexpr int kColumns = 5;
    enum class State : std::uint8_t {
        waiting,
        running,
        done,
        upToDate,
        slice, ///< of the volume of another row
        failed,
        stopped
    };

    /// The engines to try, called on the thread of the batch. @throws Error
    using Engines = std::function<std::vector<Engine*>()>;
    explicit BatchViewModel(Engines engines, QObject* parent = nullptr);
    /// Stops the batch; finished files stay.
    ~BatchViewModel() override = default;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The folder of the results: the folder that was set, else a new folder "pollard" next to the first file.
    [[nodiscard]] QString folder() const { return folder_.isEmpty() ? proposed_ : folder_; }
    /// The objects of all files also become one table, kTableName.
    [[nodiscard]] bool joinsTables() const;
    [[nodiscard]] bool canStart() const;
    [[nodiscard]] bool isRunning() const noexcept { return running_; }
    [[nodiscard]] bool isStopping() const noexcept { return running_ && cancelled_; } ///< cancelled, and not ended yet
    [[nodiscard]] bool isFinished() const noexcept { return finished_; }              ///< the rows have results
    [[nodiscard]] int ended() const noexcept { return ended_; }                       ///< files of this run
    /// "12 files", "3 of 12 files ended", "11 done, 1 failed".
    [[nodiscard]] QString summary() const;
    /// Why it cannot start or did not end well, one line for the user; empty if there is no problem.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }
    [[nodiscard]] State state(int row) const { return rows_[static_cast<std::size_t>(row)].state; }
    /// The main result of a file: the image, else the first file; empty without one.
    [[nodiscard]] QString resultFile(int row) const;
    /// The joined table of objects, if one was written; else empty.
    [[nodiscard]] const QString& tableFile() const noexcept { return tableFile_; }

    static constexpr auto kTableName = "objects.csv";

public slots:
    /// Replaces the inputs by files, and by the images of folders.
    void setInputs(const QStringList& paths);
    void addInputs(const QStringList& paths) { setInputs(inputs_ + paths); }
    void setFolder(const QString& folder);
    /// @param recipe empty: none
    void setRecipe(const std::optional<pollard::Recipe>& recipe);
    void loadRecipe(const QString& path);
    /// Skips files whose results are up to date.
    void setResuming(bool on) { resumes_ = on; }
    /// Replaces the sizes stated by the files; empty: uses the stated sizes.
    void setPixelSize(const std::optional<pollard::PixelSize>& size) { pixelSize_ = size; }
    /// Sets the unit of lengths and areas in the tables; files without a pixel size fail.
    void setUnit(pollard::LengthUnit unit) { unit_ = unit; }
    void start();
    /// Stops the batch: finished files stay, other files are not processed.
    void cancel();

signals:
    void changed(); ///< all but the rows
    void finished();

private:
    struct Row {
        BatchInput input;
        State state = State::waiting;
        int percent = 0;
        BatchResult result;
        std::vector<std::filesystem::path> files; ///< written
    };
    /// The inputs of paths.
    struct Expanded {
        std::vector<BatchInput> inputs;
        QString folder; ///< for results
    };
    struct Job;

    [[nodiscard]] static Expanded expand(const QStringList& paths);
    [[nodiscard]] QString stateText(const Row& row) const;
    [[nodiscard]] QString cellText(const Row& row, int column) const;
    void forgetResults();
    void setProblem(const JobOutcome& outcome);
    void report(std::size_t row, int percent);
    void deliver();
    /// Marks the rows that are slices of another one. @param images the other rows, ascending
    void takeSlices(const std::vector<std::size_t>& images);
    void take(std::size_t number, const BatchResult& result, const std::vector<std::filesystem::path>& files);
    void end(const JobOutcome& outcome, const QString& table);
    void refresh(std::size_t row);

    Engines engines_;
    QStringList inputs_;
    QString folder_;   ///< set; empty: proposed_
    QString proposed_; ///< next to the inputs
    QString recipeFile_;
    std::optional<Recipe> recipe_;
    std::optional<PixelSize> pixelSize_;
    LengthUnit unit_ = LengthUnit::pixel;
    bool resumes_ = false;
    bool running_ = false;
    bool cancelled_ = false;
    bool finished_ = false;
    int ended_ = 0;
    QString problem_;
    QString tableFile_;
    std::vector<Row> rows_;
    std::mutex mutex_;                             ///< for the next member
    std::unordered_map<std::size_t, int> percent_; ///< of rows, not delivered yet
    LatestWinsWorker worker_;                      ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
