#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"

#include "analysis/watershed.hpp"
#include "base/error.hpp"
#include "components/split_objects.hpp"
#include "image/distance_transform.hpp"

#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

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

} // namespace

void bindSegmentation(py::module_& module) {
    module.def("squared_distances", &squaredDistancesOf, py::arg("mask"), py::arg("device"));
    module.def("distances", &distancesOf, py::arg("mask"), py::arg("sides"));
    module.def("watershed", &watershedOf, py::arg("levels"), py::arg("markers"), py::arg("mask"),
               py::arg("connectivity"), py::arg("lines"), py::arg("device"));
    module.def("split", &splitOf, py::arg("mask"), py::arg("grey"), py::arg("by"), py::arg("strength"),
               py::arg("connectivity"), py::arg("sides"), py::arg("dark"), py::arg("lines"));
}

} // namespace pollard::python
