#include "vm/batch/batch_view_model.hpp"

#include "vm/base/value_text.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "batch/joined_table.hpp"
#include "io/image_file.hpp"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>

namespace pollard::vm {

namespace fs = std::filesystem;

namespace {

QString fromPath(const fs::path& path) { return QString::fromStdString(path.string()); }

/// Images at the same time: several small ones, since a large one occupies all cores and much memory.
int automaticJobs(const std::vector<BatchItem>& items) {
    constexpr std::uintmax_t kSmallBytes = std::uintmax_t{32} << 20U;
    constexpr int kMostJobs = 4;
    const bool areSmall = std::ranges::all_of(items, [](const BatchItem& item) {
        std::error_code ignored;
        return fs::file_size(item.input.path, ignored) <= kSmallBytes;
    });
    return areSmall ? std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, kMostJobs) : 1;
}

/// FOLDER/pollard, or with a number if there is one.
fs::path newFolderIn(const fs::path& folder) {
    std::error_code ignored;
    fs::path proposed = folder / "pollard";
    for (int number = 2; fs::exists(proposed, ignored); ++number) {
        proposed = folder / ("pollard-" + std::to_string(number));
    }
    return proposed;
}

/// Objects of files that are up to date are not counted.
bool mayHaveRows(const BatchResult& result) {
    return result.skipped ||
           std::ranges::any_of(result.objects, [](const BatchObjects& objects) { return objects.listed > 0; });
}

} // namespace

/// A batch as its thread needs it.
struct BatchViewModel::Job {
    Engines engines;
    Recipe recipe;
    std::vector<BatchInput> inputs;
    fs::path folder;
    BatchOptions options;

    /// @return the joined table; empty if there is none, or one without objects
    [[nodiscard]] QString run(const std::stop_token& stop, BatchViewModel& model) {
        const std::vector<std::size_t> rows = withoutFurtherSlices(recipe, inputs);
        std::vector<BatchInput> images;
        for (const std::size_t row : rows) {
            images.push_back(inputs[row]);
        }
        const std::vector<BatchItem> items = planBatch(recipe, images, folder);
        const fs::path table = writesTables(recipe) ? folder / kTableName : fs::path();
        if (!table.empty()) {
            requireFurther(table, items, options.recipeFile);
        }
        options.engines = engines();
        options.jobs = automaticJobs(items);
        makeBatchFolder(folder);
        QMetaObject::invokeMethod(
            &model, [&model, rows] { model.takeSlices(rows); }, Qt::QueuedConnection);
        const std::vector<BatchResult> results =
            runBatch(recipe, items, options, stop,
                     {[&model, &items, &rows](std::size_t item, double fraction, std::string_view /*stage*/) {
                          model.report(rows[items[item].source], static_cast<int>(fraction * 100));
                      },
                      [&model, &items, &rows](std::size_t item, const BatchResult& result) {
                          QMetaObject::invokeMethod(
                              &model,
                              [&model, row = rows[items[item].source], result, files = items[item].targets] {
                                  model.take(row, result, files);
                              },
                              Qt::QueuedConnection);
                      }});
        if (table.empty() || std::ranges::none_of(results, [](const BatchResult& each) { return each.done; })) {
            return {}; // without tables to join
        }
        writeJoinedTable(table, recipe, items, results, JobControl(stop));
        return std::ranges::any_of(results, mayHaveRows) ? fromPath(table) : QString();
    }
};

BatchViewModel::BatchViewModel(Engines engines, QObject* parent)
    : QAbstractTableModel(parent), engines_(std::move(engines)) {}

int BatchViewModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BatchViewModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant BatchViewModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    const std::array<QString, kColumns> titles{tr("File"), tr("Status"), tr("Nodes kept"), tr("Objects"), tr("Result")};
    return titles[static_cast<std::size_t>(section)];
}

QVariant BatchViewModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) {
        return cellText(row, index.column());
    }
    if (role == Qt::ToolTipRole) {
        if (index.column() == fileColumn) {
            return fromPath(row.input.path);
        }
        return row.result.error.empty() ? cellText(row, index.column()) : QString::fromStdString(row.result.error);
    }
    const bool isNumber = index.column() == keptColumn || index.column() == objectsColumn;
    return role == Qt::TextAlignmentRole && isNumber ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
}

QString BatchViewModel::stateText(const Row& row) const {
    switch (row.state) {
    case State::waiting:
        return running_ ? tr("Waiting") : QString();
    case State::running:
        return tr("%1 %").arg(row.percent);
    case State::done:
        return tr("Done");
    case State::upToDate:
        return tr("Up to date");
    case State::slice:
        return tr("In the volume");
    case State::failed:
        return tr("Failed");
    case State::stopped:
        return tr("Cancelled");
    }
    return {};
}

QString BatchViewModel::cellText(const Row& row, int column) const {
    const QLocale locale;
    const BatchResult& result = row.result;
    switch (column) {
    case fileColumn:
        return fromPath(nameInTables(row.input.path));
    case stateColumn:
        return stateText(row);
    case keptColumn:
        return result.filter ? countText(result.filter->kept) : QString();
    case objectsColumn: {
        QStringList counts;
        for (const BatchObjects& objects : result.objects) {
            counts << countText(objects.listed);
        }
        if (counts.isEmpty() && result.filter && result.filter->labels) {
            counts << locale.toString(*result.filter->labels);
        }
        return counts.join(QStringLiteral("; "));
    }
    default: {
        if (!result.error.empty()) {
            return reasonOf(result.error, row.input.path.string());
        }
        QStringList names;
        for (const fs::path& file : row.files) {
            names << fromPath(file.filename());
        }
        return names.join(QStringLiteral(", "));
    }
    }
}

bool BatchViewModel::joinsTables() const { return recipe_ && writesTables(*recipe_); }

bool BatchViewModel::canStart() const { return !running_ && !rows_.empty() && recipe_ && !worker_.isBusy(Lane::load); }

QString BatchViewModel::summary() const {
    const QLocale locale;
    const int count = rowCount();
    if (running_) {
        return tr("%1 of %2 files ended").arg(locale.toString(ended_), locale.toString(count));
    }
    if (!finished_) {
        return count == 1 ? tr("1 file") : tr("%1 files").arg(locale.toString(count));
    }
    QStringList parts;
    const auto add = [&](State state, const QString& text) {
        const auto files = static_cast<int>(std::ranges::count(rows_, state, &Row::state));
        if (files > 0 || state == State::done) {
            parts << text.arg(locale.toString(files));
        }
    };
    add(State::done, tr("%1 done"));
    add(State::upToDate, tr("%1 up to date"));
    add(State::failed, tr("%1 failed"));
    add(State::stopped, tr("%1 cancelled"));
    return parts.join(QStringLiteral(", "));
}

QString BatchViewModel::resultFile(int row) const {
    const Row& file = rows_[static_cast<std::size_t>(row)];
    return file.files.empty() ? QString() : fromPath(file.files.back());
}

BatchViewModel::Expanded BatchViewModel::expand(const QStringList& paths) {
    Expanded expanded;
    std::unordered_set<std::string> listed;
    for (const QString& path : paths) {
        const fs::path file = QFileInfo(path).filesystemAbsoluteFilePath();
        std::error_code ignored;
        const std::vector<std::string> files = fs::is_directory(file, ignored) && !isZarrFolder(file)
                                                   ? imagesIn(file)
                                                   : std::vector<std::string>{file.string()};
        for (const std::string& each : files) {
            for (const fs::path& image : imagesUnder(each)) {
                if (listed.insert(image.string()).second) {
                    expanded.inputs.push_back({image.string(), image});
                }
            }
        }
    }
    if (!expanded.inputs.empty()) {
        expanded.folder = fromPath(newFolderIn(hierarchyOf(expanded.inputs.front().path).parent_path()));
    }
    return expanded;
}

void BatchViewModel::setInputs(const QStringList& paths) {
    if (running_) {
        return;
    }
    inputs_ = paths;
    worker_.post(
        Lane::load, [paths](const std::stop_token& /*stop*/) { return expand(paths); },
        [this](const JobOutcome& outcome, Expanded& expanded) {
            beginResetModel();
            rows_.clear();
            for (BatchInput& input : expanded.inputs) {
                rows_.push_back({std::move(input), {}, 0, {}, {}});
            }
            endResetModel();
            forgetResults();
            proposed_ = expanded.folder;
            finished_ = false;
            setProblem(outcome);
            if (problem_.isEmpty() && rows_.empty() && !inputs_.isEmpty()) {
                problem_ = tr("There is no image in this folder.");
            }
            emit changed();
        });
    emit changed();
}

void BatchViewModel::setFolder(const QString& folder) {
    folder_ = folder;
    emit changed();
}

void BatchViewModel::setRecipe(const std::optional<pollard::Recipe>& recipe) {
    worker_.stop(Lane::fetch);
    recipe_ = recipe;
    recipeFile_.clear();
    problem_.clear();
    emit changed();
}

void BatchViewModel::loadRecipe(const QString& path) {
    setRecipe({});
    worker_.post(
        Lane::fetch,
        [file = QFileInfo(path).filesystemAbsoluteFilePath()](const std::stop_token& /*stop*/) {
            return pollard::loadRecipe(file);
        },
        [this, path](const JobOutcome& outcome, Recipe& recipe) {
            setProblem(outcome);
            if (outcome.ok()) {
                recipe_ = std::move(recipe);
                recipeFile_ = path;
            }
            emit changed();
        });
}

void BatchViewModel::forgetResults() {
    for (Row& row : rows_) {
        row = {std::move(row.input), {}, 0, {}, {}};
    }
    ended_ = 0;
    tableFile_.clear();
    problem_.clear();
}

void BatchViewModel::start() {
    if (!canStart()) {
        return;
    }
    forgetResults();
    running_ = true;
    cancelled_ = finished_ = false;
    Job job{engines_, *recipe_, {}, QFileInfo(folder()).filesystemAbsoluteFilePath(), {}};
    for (const Row& row : rows_) {
        job.inputs.push_back(row.input);
    }
    job.options.resumes = resumes_;
    job.options.pixelSize = pixelSize_;
    job.options.unit = unit_;
    if (!recipeFile_.isEmpty()) {
        job.options.recipeFile = QFileInfo(recipeFile_).filesystemAbsoluteFilePath();
    }
    worker_.post(
        Lane::save, [this, job = std::move(job)](const std::stop_token& stop) mutable { return job.run(stop, *this); },
        [this](const JobOutcome& outcome, const QString& table) { end(outcome, table); });
    emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    emit changed();
}

void BatchViewModel::cancel() {
    cancelled_ = true;
    worker_.cancel(Lane::save);
}

void BatchViewModel::setProblem(const JobOutcome& outcome) {
    problem_ = outcome.kind == JobOutcome::Kind::failed ? QString::fromStdString(outcome.message) : QString();
}

void BatchViewModel::takeSlices(const std::vector<std::size_t>& images) {
    auto image = images.begin();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (image != images.end() && *image == row) {
            ++image;
            continue;
        }
        rows_[row].state = State::slice;
        ++ended_;
        refresh(row);
    }
    emit changed();
}

void BatchViewModel::report(std::size_t row, int percent) {
    const std::scoped_lock lock(mutex_);
    if (percent_.empty()) {
        QMetaObject::invokeMethod(this, &BatchViewModel::deliver, Qt::QueuedConnection);
    }
    percent_[row] = percent;
}

void BatchViewModel::deliver() {
    std::unordered_map<std::size_t, int> reports;
    {
        const std::scoped_lock lock(mutex_);
        reports.swap(percent_);
    }
    for (const auto& [number, percent] : reports) {
        Row& row = rows_[number];
        if (running_ && (row.state == State::waiting || row.state == State::running)) {
            row.state = State::running;
            row.percent = percent;
            refresh(number);
        }
    }
}

void BatchViewModel::take(std::size_t number, const BatchResult& result, const std::vector<fs::path>& files) {
    Row& row = rows_[number];
    row.result = result;
    if (!result.error.empty()) {
        row.state = State::failed;
    } else if (result.done) {
        row.state = result.skipped ? State::upToDate : State::done;
        row.files = files;
    } else {
        row.state = State::stopped;
    }
    ++ended_;
    refresh(number);
    emit changed();
}

void BatchViewModel::end(const JobOutcome& outcome, const QString& table) {
    running_ = false;
    finished_ = true;
    setProblem(outcome);
    tableFile_ = outcome.ok() ? table : QString();
    for (Row& row : rows_) {
        if (row.state == State::waiting || row.state == State::running) {
            row.state = State::stopped;
        }
    }
    emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    emit changed();
    emit finished();
}

void BatchViewModel::refresh(std::size_t row) {
    const int number = static_cast<int>(row);
    emit dataChanged(index(number, 0), index(number, kColumns - 1));
}

} // namespace pollard::vm
