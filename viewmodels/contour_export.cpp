#include "contour_export.hpp"

#include "contour_view_model.hpp"
#include "document_view_model.hpp"

#include "io/result_tags.hpp"
#include "io/tiff_writer.hpp"
#include "snake/contour_files.hpp"
#include "snake/contour_mask.hpp"
#include "snake/trace_file.hpp"

#include <QFileInfo>

#include <filesystem>
#include <memory>

namespace pollard::vm {

namespace {

struct Task {
    ContourFile file = ContourFile::outline;
    std::filesystem::path target;
    FiledContour contour;
    std::shared_ptr<const Image> image;
    std::shared_ptr<const ImageInfo> info;
    SnakeRecord record; ///< of a trace
    std::string title;
};

void write(const Task& task, const JobControl& control) {
    const std::uint32_t width = task.image->width();
    const std::uint32_t height = task.image->height();
    const std::span contours(&task.contour, 1);
    switch (task.file) {
    case ContourFile::outline:
        writeContourGeojson(task.target, contours, control);
        break;
    case ContourFile::drawing:
        writeContourSvg(task.target, contours, width, height, task.title, control);
        break;
    case ContourFile::mask:
        writeTiff(task.target, contourMask(task.contour.nodes, width, height, control),
                  {.deflate = true, .carried = resultTags(*task.info, ResultValues::others)}, control);
        break;
    case ContourFile::region:
        writeContourRois(task.target, contours, control);
        break;
    case ContourFile::trace: {
        TraceFile trace(task.target);
        for (int i = 0; i < task.record.count(); ++i) {
            trace.add(task.record.state(i), {}, control);
        }
        trace.commit();
        break;
    }
    }
}

} // namespace

QString suffixOf(ContourFile file) {
    switch (file) {
    case ContourFile::drawing:
        return QStringLiteral("svg");
    case ContourFile::mask:
        return QStringLiteral("tif");
    case ContourFile::region:
        return QStringLiteral("roi");
    case ContourFile::trace:
        return QStringLiteral("csv");
    case ContourFile::outline:
        break;
    }
    return QStringLiteral("geojson");
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
    task->contour.nodes = contours_.nodes();
    task->image = document.image();
    task->info = document.imageInfo();
    task->title = QFileInfo(document.path()).fileName().toStdString();
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
