#include "vm/contour/contour_export.hpp"

#include "vm/base/value_text.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include "geo/map_coordinates.hpp"
#include "recipe/result_tags.hpp"
#include "snake/contour/trace_file.hpp"

#include <QFileInfo>

#include <filesystem>
#include <memory>

namespace pollard::vm {

namespace {

struct Task {
    ContourFile file = ContourFile::outline;
    GeoJsonIn positions = GeoJsonIn::degrees;
    ContourOutput output;
    std::shared_ptr<const ImageInfo> info;
    ContourRecord record; ///< for a trace
};

/// All starts, then every accepted state.
void writeTrace(const Task& task, const std::filesystem::path& target, const JobControl& control) {
    const std::size_t contours = task.record.contours();
    const auto keyOf = [&](std::size_t contour) {
        return contours > 1 ? TraceKey{{}, static_cast<std::uint32_t>(contour + 1)} : TraceKey{};
    };
    TraceFile trace(target, keyOf(0));
    for (std::size_t i = 0; i < contours; ++i) {
        trace.add(task.record.start(i), keyOf(i), control, task.info->mapping);
    }
    for (int number = 1; number < task.record.count(); ++number) {
        trace.add(task.record.state(number), keyOf(task.record.moverOf(number)), control, task.info->mapping);
    }
    trace.commit();
}

void writeContours(Task& task, const std::filesystem::path& target, const JobControl& control) {
    if (task.file == ContourFile::trace) {
        writeTrace(task, target, control);
        return;
    }
    task.output.mask = resultFacts(*task.info, ResultValues::others);
    if (task.file == ContourFile::outline && task.positions == GeoJsonIn::degrees) {
        task.output.map = MapCoordinates::of(task.info->carried, task.output.width, task.output.height);
    }
    writeContourFile(task.file, target, task.output, control);
}

} // namespace

QString suffixOf(ContourFile file, int contours) {
    if (file == ContourFile::region && contours == 1) {
        return QStringLiteral("roi");
    }
    return fromUtf8(extensionOf(file));
}

ContourExport::ContourExport(ContourViewModel& contours, QObject* parent) : FileExport(parent), contours_(contours) {
    connect(&contours_.runs(), &ContourRuns::changed, this, &ContourExport::availableChanged);
}

bool ContourExport::isAvailable() const { return FileExport::isAvailable() && contours_.runs().current() >= 0; }

void ContourExport::save(ContourFile file, const QString& path, GeoJsonIn positions) {
    if (!isAvailable()) {
        return;
    }
    const DocumentViewModel& document = contours_.document();
    auto task = std::make_shared<Task>();
    task->file = file;
    task->positions = positions;
    task->output.contours = contours_.runs().allNodes();
    task->output.width = document.image()->width();
    task->output.height = document.image()->height();
    task->info = document.imageInfo();
    task->output.title = QFileInfo(document.path()).fileName().toStdString();
    if (file == ContourFile::trace) {
        task->record = contours_.runs().currentRun()->record;
    }
    write(path, tr("The contour was not saved"),
          [task](const std::filesystem::path& target, const JobControl& control) {
              writeContours(*task, target, control);
          });
}

} // namespace pollard::vm
