#include "vm/contour/contour_export.hpp"

#include "vm/base/value_text.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/table_unit.hpp"

#include "geo/map_coordinates.hpp"
#include "io/page_selection.hpp"
#include "recipe/results/result_tags.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_output.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

struct ExportTask {
    ContourFile file = ContourFile::outline;
    GeoJsonIn positions = GeoJsonIn::degrees;
    ContourOutput output;
    std::shared_ptr<const ImageInfo> info;
    ContourRecord record;                       ///< for a trace
    std::vector<LabelledContour> measured = {}; ///< the contours of an outline or a vector file
};

/// Measurements in px, in the unit of the image's pixel size, and in values.
class Measurements {
public:
    explicit Measurements(const DocumentViewModel& document) {
        TableUnit unit(document);
        unit.adopt();
        unit_ = unit.scale();
    }

    /// @param figures empty if they are unknown
    [[nodiscard]] std::vector<ContourValue> of(const Contour& contour,
                                               const std::optional<ContourRecord::Figures>& figures,
                                               const std::optional<ValueMapping>& mapping) const {
        const auto sums = figures ? std::optional(ContourSums{figures->inside, figures->outside}) : std::nullopt;
        return contourValues(contour, sums, unit_, mapping);
    }

private:
    ObjectUnit unit_;
};

/// The shown contours of the current run.
std::vector<LabelledContour> shownContours(ContourViewModel& contours) {
    const Measurements measurements(contours.document());
    const ContourRun& run = *contours.runs().currentRun();
    std::vector<LabelledContour> all;
    for (std::size_t i = 0; i < run.record.contours(); ++i) {
        Contour nodes = run.record.nodes(run.shown, i);
        std::vector<ContourValue> values = measurements.of(nodes, run.record.figures(run.shown, i), run.values);
        all.push_back({std::move(nodes), static_cast<std::uint32_t>(i + 1), {}, "page", std::move(values)});
    }
    return all;
}

/// The final contours of all pages of the series of the current run; empty if there is none.
std::vector<LabelledContour> contoursOfPages(ContourViewModel& contours) {
    const Measurements measurements(contours.document());
    const auto info = contours.document().imageInfo();
    const bool isOverTime = contours.follow().isOverTime();
    std::vector<LabelledContour> all;
    const auto add = [&](int page, std::size_t contour, Contour nodes, std::vector<ContourValue> values) {
        if (isOverTime) {
            const int position = contours.follow().positionOf(page);
            if (const auto seconds = info ? distanceOn('t', position, *info) : std::nullopt) {
                values.insert(values.begin(), {distanceColumn('t'), seconds});
            }
            values.insert(values.begin(), {"t", position});
        }
        all.push_back({std::move(nodes), static_cast<std::uint32_t>(contour + 1), page, "page", std::move(values)});
    };
    for (const ContourFollow::Page& page : contours.follow().series()) {
        const ContourRuns::Page& there = contours.runs().pages().at(page.page);
        if (const auto made = std::ranges::find(there.runs, page.run, &ContourRun::id); made != there.runs.end()) {
            const int last = made->record.count() - 1;
            for (std::size_t i = 0; i < made->record.contours(); ++i) {
                Contour nodes = made->record.nodes(last, i);
                std::vector<ContourValue> values = measurements.of(nodes, made->record.figures(last, i), made->values);
                add(page.page, i, std::move(nodes), std::move(values));
            }
        } else if (const auto saved = std::ranges::find(there.saved, page.run, &SessionRun::id);
                   saved != there.saved.end()) {
            for (std::size_t i = 0; i < saved->last.size(); ++i) {
                add(page.page, i, saved->last[i], measurements.of(saved->last[i], {}, {}));
            }
        }
    }
    return all;
}

/// All starts, then every state of the evolution.
void writeTrace(const ExportTask& task, const std::filesystem::path& target, const JobControl& control) {
    const std::size_t contours = task.record.contours();
    const auto keyOf = [&](std::size_t contour) {
        return contours > 1 ? TraceKey{{}, static_cast<std::uint32_t>(contour + 1)} : TraceKey{};
    };
    TraceFile trace(target, keyOf(0));
    for (std::size_t i = 0; i < contours; ++i) {
        trace.add(task.record.start(i), keyOf(i), control, task.info->mapping);
    }
    for (int number = 1; number < task.record.count(); ++number) {
        const SnakeState state = task.record.state(number);
        if (state.kind == SnakeStep::trim) {
            continue; // no state of the evolution
        }
        trace.add(state, keyOf(task.record.moverOf(number)), control, task.info->mapping);
    }
    trace.commit();
}

void writeContours(ExportTask& task, const std::filesystem::path& target, const JobControl& control) {
    if (task.file == ContourFile::trace) {
        writeTrace(task, target, control);
        return;
    }
    task.output.mask = resultFacts(*task.info, ResultValues::others);
    if (task.file == ContourFile::outline && task.positions == GeoJsonIn::degrees) {
        task.output.map = MapCoordinates::of(task.info->carried, task.output.width, task.output.height);
    }
    if (!task.measured.empty()) {
        task.file == ContourFile::outline
            ? writeContourGeojson(target, task.measured, control, task.output.map.get())
            : writeContourVector(target, task.measured, task.output.mask.carried, control);
        return;
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

bool ContourExport::hasPages() const { return isAvailable() && !contours_.follow().series().empty(); }

void ContourExport::saveTable(const QString& path) {
    if (!hasPages()) {
        return;
    }
    write(path, tr("The contour was not saved"),
          [contours = contoursOfPages(contours_)](const std::filesystem::path& target, const JobControl& control) {
              writeContourTable(target, contours, control);
          });
}

void ContourExport::save(ContourFile file, const QString& path, GeoJsonIn positions) {
    if (!isAvailable()) {
        return;
    }
    const DocumentViewModel& document = contours_.document();
    auto task = std::make_shared<ExportTask>();
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
    if (file == ContourFile::outline || file == ContourFile::vector) {
        task->measured = contoursOfPages(contours_);
        task->measured = task->measured.empty() ? shownContours(contours_) : std::move(task->measured);
    }
    write(path, tr("The contour was not saved"),
          [task](const std::filesystem::path& target, const JobControl& control) {
              writeContours(*task, target, control);
          });
}

} // namespace pollard::vm
