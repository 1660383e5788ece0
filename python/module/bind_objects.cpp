#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"
#include "value_mappings.hpp"

#include "base/error.hpp"
#include "components/best/best_components.hpp"
#include "components/best/brightness.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_files.hpp"
#include "components/shape/object_edges.hpp"
#include "engine/best_objects.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::python {

namespace {

/// @param sides of a voxel (z, y, x), in a unit that the caller knows; nothing for px
ObjectUnit unitOf(const std::optional<std::array<double, 3>>& sides) {
    ObjectUnit unit;
    if (sides) {
        unit.unit = LengthUnit::micrometre;
        unit.sides = {(*sides)[2], (*sides)[1], (*sides)[0]};
    }
    return unit;
}

/// The ids of features that are measured if they are named. @throws Error(invalidArgument) for an unknown one
std::vector<std::string> furtherIn(const std::vector<std::string>& named, Connectivity connectivity) {
    const std::span<const ObjectFeatureInfo> known = objectFeatures(connectivity);
    std::vector<std::string> ids = named;
    if (named == std::vector{std::string(kAllFeatures)}) {
        ids.clear();
        for (const ObjectFeatureInfo& info : known) {
            ids.emplace_back(info.id);
        }
    }
    for (const std::string& id : ids) {
        (void)parseFeatures(id, known);
    }
    return ids;
}

/// The measurements that tables have, with these features.
EdgeMeasure measureOf(const std::vector<std::string>& ids, Connectivity connectivity) {
    EdgeMeasure measure = EdgeMeasure::traced;
    for (const std::string& id : ids) {
        measure = std::max(measure, edgeMeasureOf(*findObjectFeature(id, objectFeatures(connectivity))));
    }
    return measure;
}

/// Labels of the objects of a mask, their number, and the table of their features or None.
/// @param sides of a voxel (z, y, x), the unit of the features; nothing for px
/// @param further features beside the usual ones, or "all"
py::tuple label(const py::array& flags, const std::optional<py::array>& grey, int connectivity, bool features,
                const std::optional<std::array<double, 3>>& sides, const std::vector<std::string>& further,
                const std::string& device) {
    const std::shared_ptr<const Mask> mask = maskOf(flags, "label");
    const Shape shape = shapeOf(flags);
    const Extent extent = extentOf(shape, "label");
    ComponentsSpec spec;
    spec.connectivity = neighboursIn(shape.size(), extent, connectivity);
    spec.features = features;
    std::shared_ptr<const Image> measured;
    if (grey) {
        measured = imageOf(*grey, "intensity_image");
        if (measured->extent() != extent) {
            throw Error(ErrorCode::invalidArgument, "intensity_image: has another shape than the mask");
        }
    }
    spec.slices = extent.slices;
    const std::vector<std::string> ids = furtherIn(further, spec.connectivity);
    Components found;
    ObjectEdges edges;
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            found = engine.labelComponents(*mask, measured.get(), spec, control);
            edges = measureEdges(found, features ? measureOf(ids, spec.connectivity) : EdgeMeasure::none, control,
                                 unitOf(sides).proportions());
        });
    });
    const py::object table =
        features ? py::object(tableOf(MeasuredObjects(found, &edges, unitOf(sides)), allLabels(found), ids))
                 : py::none();
    return py::make_tuple(arrayOf(std::move(found.labels), shape), found.count, table);
}

/// Labels of the best components of an image, the table of their features, and their expected area in px.
/// @param values of the levels; nothing if levels are values
/// @param size expected area, px; nothing: estimated
/// @param marks column, row and slice of a pixel, and whether an object is wanted there
py::tuple bestComponents(const py::array& levels, const std::optional<py::array>& flags,
                         const std::optional<ValueMapping>& values, const std::optional<double>& size,
                         double strictness,
                         const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>>& marks,
                         bool dark, const std::optional<std::array<double, 3>>& sides, const std::string& device) {
    const std::shared_ptr<Image> image = imageOf(levels, "image");
    const ObjectUnit unit = unitOf(sides);
    if (image->extent().isVolume()) {
        image->setSides(unit.proportions());
    }
    const std::shared_ptr<const Mask> mask = flags ? maskOf(*flags, "mask") : nullptr;
    BestChoice choice{size, strictness};
    for (const auto& [x, y, z, isObject] : marks) {
        choice.marks.push_back({x, y, isObject, z});
    }
    Components found;
    ObjectEdges edges;
    double expected = 0;
    runJob(image->pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            const auto candidates = findBestCandidates(engine, *image, mask.get(), values,
                                                       dark ? Polarity::dark : Polarity::bright, control);
            found = bestObjects(*candidates, choice, {}, image.get(), control, levels.ndim() == 3);
            expected = size.value_or(candidates->estimatedSize());
            edges = measureEdges(found, EdgeMeasure::traced, control, unit.proportions());
        });
    });
    const py::dict table = tableOf(MeasuredObjects(found, &edges, unit), allLabels(found));
    return py::make_tuple(arrayOf(std::move(found.labels), shapeOf(levels)), table, expected);
}

} // namespace

void bindObjects(py::module_& module) {
    module.def("label", &label, py::arg("mask"), py::arg("grey"), py::arg("connectivity"), py::arg("features"),
               py::arg("sides"), py::arg("further"), py::arg("device"));
    module.def("best_components", &bestComponents, py::arg("image"), py::arg("mask"), py::arg("values"),
               py::arg("size"), py::arg("strictness"), py::arg("marks"), py::arg("dark"), py::arg("sides"),
               py::arg("device"));
}

} // namespace pollard::python
