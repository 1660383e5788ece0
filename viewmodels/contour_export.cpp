#include "contour_export.hpp"

#include "contour_view_model.hpp"
#include "document_view_model.hpp"

#include "io/result_tags.hpp"
#include "snake/trace_file.hpp"

#include <QFileInfo>

#include <filesystem>
#include <memory>
#include <string_view>

namespace pollard::vm {

namespace {

struct Task {
    ContourFile file = ContourFile::outline;
    std::filesystem::path target;
    ContourOutput output;
    std::shared_ptr<const ImageInfo> info;
    ContourRecord record; ///< of a trace
};

/// All starts, then every state that was accepted.
void writeTrace(const Task& task, const JobControl& control) {
    const std::size_t contours = task.record.contours();
    const auto keyOf = [&](std::size_t contour) {
        return contours > 1 ? TraceKey{{}, static_cast<std::uint32_t>(contour + 1)} : TraceKey{};
    };
    TraceFile trace(task.target, keyOf(0));
    for (std::size_t i = 0; i < contours; ++i) {
        trace.add(task.record.start(i), keyOf(i), control);
    }
    for (int number = 1; number < task.record.count(); ++number) {
        trace.add(task.record.state(number), keyOf(task.record.moverOf(number)), control);
    }
    trace.commit();
}

void write(Task& task, const JobControl& control) {
    if (task.file == ContourFile::trace) {
        writeTrace(task, control);
        return;
    }
    task.output.tags = resultTags(*task.info, ResultValues::others);
    writeContourFile(task.file, task.target, task.output, control);
}

} // namespace

QString suffixOf(ContourFile file, int contours) {
    if (file == ContourFile::region && contours == 1) {
        return QStringLiteral("roi");
    }
    const std::string_view suffix = extensionOf(file);
    return QString::fromUtf8(suffix.data(), static_cast<qsizetype>(suffix.size()));
}

ContourExport::ContourExport(ContourViewModel& contours, QObject* parent) : QObject(parent), contours_(contours) {
    connect(&contours_, &ContourViewModel::runsChanged, this, &ContourExport::availableChanged);
}

bool ContourExport::isAvailable() const { return !busy_ && contours_.current() >= 0; }

void ContourExport::save(ContourFile file, const QString& path) {
    if (!isAvailable()) {
        return;
    }
    busy_ = true;
    emit availableChanged();
    const QFileInfo target(path);
    const DocumentViewModel& document = contours_.document();
    auto task = std::make_shared<Task>();
    task->file = file;
    task->target = target.filesystemAbsoluteFilePath();
    task->output.contours = contours_.allNodes();
    task->output.width = document.image()->width();
    task->output.height = document.image()->height();
    task->info = document.imageInfo();
    task->output.title = QFileInfo(document.path()).fileName().toStdString();
    if (file == ContourFile::trace) {
        task->record = contours_.currentRun()->record;
    }
    worker_.post(
        Lane::save, [task](const std::stop_token& stop) { write(*task, JobControl(stop)); },
        [this, path = target.absoluteFilePath()](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            busy_ = false;
            emit availableChanged();
            if (outcome.ok()) {
                emit saved(path);
            } else {
                emit failed(tr("The contour was not saved"), QString::fromStdString(outcome.message));
            }
        });
}

} // namespace pollard::vm
