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
#include <span>
#include <vector>

namespace pollard::vm {

namespace {

struct Task {
    ContourFile file = ContourFile::outline;
    std::filesystem::path target;
    std::vector<FiledContour> contours;
    std::shared_ptr<const Image> image;
    std::shared_ptr<const ImageInfo> info;
    ContourRecord record; ///< of a trace
    std::string title;
};

Image maskOf(const std::vector<FiledContour>& contours, std::uint32_t width, std::uint32_t height,
             const JobControl& control) {
    if (contours.size() == 1) {
        return contourMask(contours.front().nodes, width, height, control);
    }
    std::vector<Contour> nodes;
    for (const FiledContour& contour : contours) {
        nodes.push_back(contour.nodes);
    }
    return contourLabels(nodes, width, height);
}

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

void write(const Task& task, const JobControl& control) {
    const std::uint32_t width = task.image->width();
    const std::uint32_t height = task.image->height();
    const std::span<const FiledContour> contours = task.contours;
    switch (task.file) {
    case ContourFile::outline:
        writeContourGeojson(task.target, contours, control);
        break;
    case ContourFile::drawing:
        writeContourSvg(task.target, contours, width, height, task.title, control);
        break;
    case ContourFile::mask:
        writeTiff(task.target, maskOf(task.contours, width, height, control),
                  {.deflate = true, .carried = resultTags(*task.info, ResultValues::others)}, control);
        break;
    case ContourFile::region:
        writeContourRois(task.target, contours, control);
        break;
    case ContourFile::trace: {
        writeTrace(task, control);
        break;
    }
    }
}

} // namespace

QString suffixOf(ContourFile file, int contours) {
    switch (file) {
    case ContourFile::drawing:
        return QStringLiteral("svg");
    case ContourFile::mask:
        return QStringLiteral("tif");
    case ContourFile::region:
        return contours > 1 ? QStringLiteral("zip") : QStringLiteral("roi");
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
    for (const Contour& nodes : contours_.allNodes()) {
        task->contours.push_back({nodes, static_cast<std::uint32_t>(task->contours.size() + 1), {}});
    }
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
