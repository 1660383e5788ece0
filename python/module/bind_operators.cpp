#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"

#include "image/image.hpp"
#include "operators/apply_operator.hpp"
#include "operators/operator_spec.hpp"
#include "operators/skeleton.hpp"

#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace pollard::python {

namespace {

py::array operatorOf(const py::array& levels, const std::string& name, const std::string& shape, double radius,
                     double sigma, double height, int connectivity, const std::array<double, 3>& sides,
                     const std::optional<py::array>& inside, const std::optional<py::array>& marker) {
    const std::shared_ptr<Image> image = imageOf(levels, "image");
    const std::shared_ptr<const Mask> mask = inside ? maskOf(*inside, "mask") : nullptr;
    const std::shared_ptr<const Mask> marked = marker ? maskOf(*marker, "marker") : nullptr;
    const Shape axes = shapeOf(levels);
    image->setSides({sides[2], sides[1], sides[0]});
    OperatorSpec spec;
    spec.kind = named(kOperators, name, "operator");
    spec.shape = named(kOperatorShapes, shape, "shape");
    spec.radius = radius;
    spec.sigma = sigma;
    spec.height = height;
    spec.connectivity = neighboursIn(axes.size(), image->extent(), connectivity);
    OperatorResult result;
    runJob(image->pixelCount(), [&](const JobControl& control) {
        result = applyOperator(*enginesNamed("cpu").front(), image, spec,
                               ImageUnits({}, {}, image->extent().isVolume()), {mask, marked}, {}, control);
    });
    return arrayOf(std::const_pointer_cast<Image>(result.image), axes);
}

py::array_t<bool> skeletonOfFlags(const py::array& flags) {
    const std::shared_ptr<const Mask> mask = maskOf(flags, "mask");
    const Extent extent = extentOf(shapeOf(flags), "mask");
    std::optional<Mask> thin;
    runJob(extent.pixelCount(), [&](const JobControl& control) { thin = skeletonOf(*mask, extent.slices, control); });
    py::array_t<bool> result(shapeOf(flags));
    bool* next = result.mutable_data();
    for (std::uint32_t row = 0; row < thin->height(); ++row) {
        for (std::uint32_t x = 0; x < thin->width(); ++x) {
            *next++ = thin->test(x, row);
        }
    }
    return result;
}

} // namespace

void bindOperators(py::module_& module) {
    module.def("apply_operator", &operatorOf, py::arg("levels"), py::arg("operator"), py::arg("shape"),
               py::arg("radius"), py::arg("sigma"), py::arg("height"), py::arg("connectivity"), py::arg("sides"),
               py::arg("mask"), py::arg("marker") = py::none());
    module.def("skeleton", &skeletonOfFlags, py::arg("mask"));
}

} // namespace pollard::python
