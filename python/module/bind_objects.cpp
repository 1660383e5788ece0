#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"

#include "base/error.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_files.hpp"

#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace pollard::python {

namespace {

/// Labels of the objects of a mask, their number, and the table of their features or None.
/// @param sides of a voxel (z, y, x), the unit of the features; nothing for px
py::tuple label(const py::array& flags, const std::optional<py::array>& grey, int connectivity, bool features,
                const std::optional<std::array<double, 3>>& sides, const std::string& device) {
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
    Components found;
    ObjectEdges edges;
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            found = engine.labelComponents(*mask, measured.get(), spec, control);
            edges =
                measureEdges(found, features && !found.isVolume() ? EdgeMeasure::traced : EdgeMeasure::none, control);
        });
    });
    ObjectUnit unit;
    if (sides) { // in a unit that the caller knows
        unit.unit = LengthUnit::micrometre;
        unit.sides = {(*sides)[2], (*sides)[1], (*sides)[0]};
    }
    const py::object table =
        features ? py::object(tableOf(MeasuredObjects(found, &edges, unit), allLabels(found))) : py::none();
    return py::make_tuple(arrayOf(std::move(found.labels), shape), found.count, table);
}

} // namespace

void bindObjects(py::module_& module) {
    module.def("label", &label, py::arg("mask"), py::arg("grey"), py::arg("connectivity"), py::arg("features"),
               py::arg("sides"), py::arg("device"));
}

} // namespace pollard::python
