#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"

#include "analysis/watershed.hpp"
#include "base/error.hpp"
#include "components/label_scores.hpp"
#include "components/split_objects.hpp"
#include "image/distance_transform.hpp"

#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::python {

namespace {

using Sides = std::array<double, 3>; ///< z, y, x

py::array_t<std::uint32_t> squaredDistancesOf(const py::array& flags, const std::string& device) {
    const std::shared_ptr<const Mask> mask = maskOf(flags, "mask");
    const Extent extent = extentOf(shapeOf(flags), "mask");
    Buffer<std::uint32_t> found;
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) { found = engine.squaredDistances(*mask, extent.slices, control); });
    });
    return arrayOf(std::move(found), shapeOf(flags));
}

py::array_t<double> distancesOf(const py::array& flags, const Sides& sides) {
    const std::shared_ptr<const Mask> mask = maskOf(flags, "mask");
    const Extent extent = extentOf(shapeOf(flags), "mask");
    Buffer<double> found;
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        found = distances(*mask, {sides[2], sides[1], sides[0]}, extent.slices, control);
    });
    return arrayOf(std::move(found), shapeOf(flags));
}

py::array_t<std::uint32_t>
watershedOf(const py::array& levels,
            const py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>& markers,
            const std::optional<py::array>& inside, int connectivity, bool lines, const std::string& device) {
    const std::shared_ptr<const Image> image = imageOf(levels, "image");
    const std::shared_ptr<const Mask> mask = inside ? maskOf(*inside, "mask") : nullptr;
    const Shape shape = shapeOf(levels);
    const std::span<const std::uint32_t> seeds(markers.data(), static_cast<std::size_t>(markers.size()));
    const WatershedSpec spec{neighboursIn(shape.size(), image->extent(), connectivity), false, lines};
    Buffer<std::uint32_t> labels;
    runJob(image->pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) { labels = engine.watershed(*image, seeds, mask.get(), spec, control); });
    });
    return arrayOf(std::move(labels), shape);
}

py::array_t<std::uint32_t> splitOf(const py::array& flags, const std::optional<py::array>& grey, const std::string& by,
                                   double strength, int connectivity, const Sides& sides, bool dark, bool lines) {
    const std::shared_ptr<const Mask> mask = maskOf(flags, "mask");
    const std::shared_ptr<const Image> image = grey ? imageOf(*grey, "intensity_image") : nullptr;
    const Shape shape = shapeOf(flags);
    const Extent extent = extentOf(shape, "mask");
    const TouchingObjects objects{*mask,       extent, {sides[2], sides[1], sides[0]},
                                  image.get(), dark,   neighboursIn(shape.size(), extent, connectivity)};
    const ObjectSplit split{by == nameOf(SplitBy::shape) ? SplitBy::shape : SplitBy::brightness, strength};
    Buffer<std::uint32_t> parts;
    runJob(extent.pixelCount(), [&](const JobControl& control) { parts = partsOf(objects, split, lines, control); });
    return arrayOf(std::move(parts), shape);
}

using LabelArray = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

py::dict tableOfMatches(const std::vector<MatchScore>& matches) {
    py::dict table;
    const auto add = [&](const char* name, const auto& valueOf) {
        table[name] = columnOf<std::decay_t<decltype(valueOf(matches.front()))>>(matches, valueOf);
    };
    add("threshold", [](const MatchScore& match) { return match.threshold; });
    add("matched", [](const MatchScore& match) { return static_cast<std::int64_t>(match.matched); });
    add("precision", [](const MatchScore& match) { return match.precision(); });
    add("recall", [](const MatchScore& match) { return match.recall(); });
    add("f1", [](const MatchScore& match) { return match.f1(); });
    add("accuracy", [](const MatchScore& match) { return match.accuracy(); });
    add("mean_overlap", [](const MatchScore& match) { return match.meanOverlap(); });
    add("panoptic_quality", [](const MatchScore& match) { return match.panopticQuality(); });
    return table;
}

py::dict tableOfObjects(const std::vector<ScoredObject>& objects) {
    py::dict table;
    const auto add = [&](const char* name, const auto& valueOf) {
        table[name] = columnOf<std::decay_t<decltype(valueOf(objects.front()))>>(objects, valueOf);
    };
    add("label", [](const ScoredObject& object) { return object.label; });
    add("pixels", [](const ScoredObject& object) { return object.pixels; });
    add("partner", [](const ScoredObject& object) { return object.partner; });
    add("overlap", [](const ScoredObject& object) { return object.overlap; });
    add("matched", [](const ScoredObject& object) { return object.outcome == ObjectOutcome::matched; });
    return table;
}

py::array labelsWith(ObjectOutcome outcome, const std::vector<ScoredObject>& objects) {
    std::vector<std::uint32_t> labels;
    for (const ScoredObject& object : objects) {
        if (object.outcome == outcome) {
            labels.push_back(object.label);
        }
    }
    return columnOf<std::uint32_t>(labels, std::identity());
}

/// Tables of matches and objects, labels by outcome, scores of the foreground, and distances of boundaries.
py::tuple scoreOf(const LabelArray& result, const LabelArray& truth, const std::vector<double>& thresholds,
                  const std::optional<Sides>& sides) {
    const Shape shape = shapeOf(truth);
    const Extent extent = extentOf(shape, "truth");
    const std::span<const std::uint32_t> found(result.data(), static_cast<std::size_t>(result.size()));
    const std::span<const std::uint32_t> real(truth.data(), static_cast<std::size_t>(truth.size()));
    std::optional<LabelScores> scores;
    BoundaryDistances distances{std::nan(""), std::nan(""), std::nan("")};
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        scores.emplace(found, real, thresholds, control);
        const VoxelSides voxel = sides ? VoxelSides{(*sides)[2], (*sides)[1], (*sides)[0]} : VoxelSides{};
        distances = boundaryDistances(found, real, extent, voxel, control).value_or(distances);
    });
    return py::make_tuple(tableOfMatches(scores->matches()), tableOfObjects(scores->found()),
                          tableOfObjects(scores->truth()),
                          py::make_tuple(labelsWith(ObjectOutcome::missed, scores->truth()),
                                         labelsWith(ObjectOutcome::invented, scores->found()),
                                         labelsWith(ObjectOutcome::split, scores->truth()),
                                         labelsWith(ObjectOutcome::merged, scores->truth())),
                          py::make_tuple(scores->foreground().iou(), scores->foreground().dice()),
                          py::make_tuple(distances.hausdorff, distances.hausdorff95, distances.mean));
}

} // namespace

void bindSegmentation(py::module_& module) {
    module.def("squared_distances", &squaredDistancesOf, py::arg("mask"), py::arg("device"));
    module.def("distances", &distancesOf, py::arg("mask"), py::arg("sides"));
    module.def("watershed", &watershedOf, py::arg("levels"), py::arg("markers"), py::arg("mask"),
               py::arg("connectivity"), py::arg("lines"), py::arg("device"));
    module.def("score", &scoreOf, py::arg("result"), py::arg("truth"), py::arg("thresholds"), py::arg("sides"));
    module.def("split", &splitOf, py::arg("mask"), py::arg("grey"), py::arg("by"), py::arg("strength"),
               py::arg("connectivity"), py::arg("sides"), py::arg("dark"), py::arg("lines"));
}

} // namespace pollard::python
