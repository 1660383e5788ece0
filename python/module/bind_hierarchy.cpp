#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/partition.hpp"

#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace pollard::python {

namespace {

/// A hierarchy of an array.
struct ArrayHierarchy {
    std::shared_ptr<const Hierarchy> hierarchy;
    std::shared_ptr<const Mask> mask; ///< null: all pixels
    Shape shape;
};

/// @param strength name of Strength @param weight name of EdgeWeight
ArrayHierarchy hierarchyOf(const py::array& levels, const std::optional<py::array>& flags, const std::string& strength,
                           const std::string& weight, int connectivity, const std::string& device) {
    const std::shared_ptr<const Image> image = imageOf(levels, "image");
    ArrayHierarchy made{nullptr, flags ? maskOf(*flags, "mask") : nullptr, shapeOf(levels)};
    const HierarchySpec spec{strengthOf(strength).value(), edgeWeightOf(weight).value(),
                             neighboursIn(made.shape.size(), image->extent(), connectivity)};
    runJob(image->pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            made.hierarchy =
                std::make_shared<const Hierarchy>(engine.makeHierarchy(*image, made.mask.get(), spec, control));
        });
    });
    return made;
}

/// Labels of the regions for a strength, and their number.
py::tuple labelsOf(const ArrayHierarchy& of, std::uint64_t strength) {
    LabelImage found;
    runJob(of.hierarchy->extent().pixelCount(),
           [&](const JobControl& control) { found = regions(*of.hierarchy, strength, of.mask.get(), control); });
    return py::make_tuple(arrayOf(std::move(found.labels), of.shape), found.count);
}

py::array boundariesOf(const ArrayHierarchy& of) {
    Buffer<std::uint64_t> found;
    runJob(of.hierarchy->extent().pixelCount(),
           [&](const JobControl& control) { found = boundaryStrengths(*of.hierarchy, control); });
    return arrayOf(std::move(found), of.shape);
}

} // namespace

void bindHierarchies(py::module_& module) {
    py::class_<ArrayHierarchy>(module, "Hierarchy")
        .def(py::init(&hierarchyOf), py::arg("image"), py::arg("mask"), py::arg("strength"), py::arg("weight"),
             py::arg("connectivity"), py::arg("device"))
        .def_property_readonly(
            "basins",
            [](const ArrayHierarchy& of) { return arrayOver(of.hierarchy->basins().data(), of.shape, of.hierarchy); })
        .def_property_readonly("strengths",
                               [](const ArrayHierarchy& of) {
                                   const auto& all = of.hierarchy->strengths();
                                   return arrayOver(all.data(), {static_cast<py::ssize_t>(all.size())}, of.hierarchy);
                               })
        .def(
            "regions_at",
            [](const ArrayHierarchy& of, std::uint64_t strength) { return of.hierarchy->regionsAt(strength); },
            py::arg("strength"))
        .def(
            "strength_for",
            [](const ArrayHierarchy& of, std::size_t regions) { return of.hierarchy->strengthFor(regions); },
            py::arg("regions"))
        .def("labels", &labelsOf, py::arg("strength"))
        .def("boundaries", &boundariesOf);
}

} // namespace pollard::python
