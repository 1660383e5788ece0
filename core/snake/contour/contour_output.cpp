#include "snake/contour/contour_output.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/metadata/scene_units.hpp"
#include "snake/contour/contour_rows.hpp"

#include <cmath>
#include <cstddef>

namespace pollard {

TraceFile::TraceFile(const std::filesystem::path& path, const TraceKey& first) : file_(path, "write trace") {
    if (first.page) {
        file_ << first.axis << ',';
    }
    file_ << (first.contour ? "contour," : "")
          << "iteration,kind,step,nodes,energy,inside_pixels,inside_mean,inside_variance,outside_mean,outside_variance";
    file_.endLine({});
}

TraceRow TraceRow::of(const SnakeState& state, const TraceKey& key, const std::optional<ValueMapping>& values) {
    return {key,          state.round,  state.kind,    state.reach, state.nodes.size(),
            state.energy, state.inside, state.outside, values};
}

void TraceFile::add(const TraceRow& row, const JobControl& control) {
    const double step = row.values ? row.values->step : 1;
    const auto mean = [&](const RegionSums& sums) { return valueOf(row.values, meanOf(sums)); };
    const auto variance = [&](const RegionSums& sums) { return step * step * varianceOf(sums); };
    if (row.key.page) {
        file_ << *row.key.page << ',';
    }
    if (row.key.contour) {
        file_ << *row.key.contour << ',';
    }
    file_ << row.round << ',' << nameOf(row.kind) << ',' << row.reach << ',' << row.nodes << ',' << row.energy << ','
          << row.inside.pixels << ',' << mean(row.inside) << ',' << variance(row.inside) << ',' << mean(row.outside)
          << ',' << variance(row.outside);
    file_.endLine(control);
}

namespace {

std::vector<LabelledContour> filed(const ContourOutput& output) {
    std::vector<LabelledContour> all;
    all.reserve(output.contours.size());
    for (const Contour& nodes : output.contours) {
        const std::size_t i = all.size();
        all.push_back({nodes, static_cast<std::uint32_t>(i + 1), {}});
        if (i < output.values.size()) {
            all.back().values = output.values[i];
        }
    }
    return all;
}

double lengthOf(const Contour& contour, double width, double height) {
    double length = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        length += std::hypot(width * (b.x - a.x), height * (b.y - a.y));
    }
    return length;
}

} // namespace

std::vector<ContourValue> contourValues(const Contour& contour, const std::optional<ContourSums>& sums,
                                        const ObjectUnit& unit, const std::optional<ValueMapping>& mapping) {
    std::vector<ContourValue> values;
    const auto inside = sums ? std::optional(static_cast<double>(sums->inside.pixels)) : std::nullopt;
    const auto meanIn = [&](const RegionSums& region) {
        return region.pixels > 0 ? std::optional(valueOf(mapping, meanOf(region))) : std::nullopt;
    };
    values.push_back({"area", inside});
    values.push_back({"length", lengthOf(contour, 1, 1)});
    if (unit.unit != LengthUnit::pixel) {
        const VoxelSides side = unit.sides;
        values.push_back({"area_" + unitName(unit.unit, Dimension::area),
                          inside ? std::optional(*inside * side.x * side.y) : std::nullopt});
        values.push_back({"length_" + unitName(unit.unit, Dimension::length), lengthOf(contour, side.x, side.y)});
    }
    values.push_back({"mean", sums ? meanIn(sums->inside) : std::nullopt});
    values.push_back({"outside_mean", sums ? meanIn(sums->outside) : std::nullopt});
    return values;
}

ObjectUnit contourUnitOf(const ImageInfo& info) {
    return objectUnitOf(readableUnit(info.pixelSize), info.pixelSize, false, info.spacing);
}

std::string_view nameOf(ContourFile file) noexcept {
    constexpr std::array<std::string_view, kContourFiles.size()> kNames{"geojson", "svg",   "mask",
                                                                        "rois",    "trace", "gpkg"};
    return kNames[static_cast<std::size_t>(file)];
}

std::string_view extensionOf(ContourFile file) noexcept {
    constexpr std::array<std::string_view, kContourFiles.size()> kExtensions{"geojson", "svg", "tif",
                                                                             "zip",     "csv", "gpkg"};
    return kExtensions[static_cast<std::size_t>(file)];
}

void writeContourFile(ContourFile file, const std::filesystem::path& path, const ContourOutput& output,
                      const JobControl& control) {
    switch (file) {
    case ContourFile::outline:
        writeContourGeojson(path, filed(output), control, output.map.get());
        break;
    case ContourFile::drawing:
        writeContourSvg(path, filed(output), output.width, output.height, output.title, control);
        break;
    case ContourFile::mask:
        writeTiff(path,
                  {measuredRowsOf(maskOfContours(output.contours, output.width, output.height, control)), output.mask},
                  {}, control);
        break;
    case ContourFile::region:
        writeContourRois(path, filed(output), control);
        break;
    case ContourFile::vector:
        writeContourVector(path, filed(output), output.mask.carried, control);
        break;
    case ContourFile::trace: {
        TraceFile trace(path, output.states.front().key);
        for (const TraceRow& row : output.states) {
            trace.add(row, control);
        }
        trace.commit();
        break;
    }
    }
}

} // namespace pollard
