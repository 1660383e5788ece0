#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "hierarchy/region_measures.hpp"
#include "hierarchy/region_tree.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::python {

namespace {

/// A hierarchy of an array.
struct ArrayHierarchy {
    std::shared_ptr<const Hierarchy> hierarchy;
    std::shared_ptr<const Mask> mask; ///< null: all pixels
    Shape shape;
    std::shared_ptr<const Image> image;
    HierarchySpec spec;
};

/// The regions of a hierarchy as a tree.
struct ArrayRegionTree {
    ArrayHierarchy of;
    std::shared_ptr<const RegionTree> tree;
    std::shared_ptr<RegionMeasures> measures;
};

/// @param strength name of Strength @param weight name of EdgeWeight
ArrayHierarchy hierarchyOf(const py::array& levels, const std::optional<py::array>& flags, const std::string& strength,
                           const std::string& weight, int connectivity, const std::string& device) {
    const std::shared_ptr<const Image> image = imageOf(levels, "image");
    ArrayHierarchy made{nullptr, flags ? maskOf(*flags, "mask") : nullptr, shapeOf(levels), image, {}};
    made.spec = {strengthOf(strength).value(), edgeWeightOf(weight).value(),
                 neighboursIn(made.shape.size(), image->extent(), connectivity)};
    runJob(image->pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            made.hierarchy =
                std::make_shared<const Hierarchy>(engine.makeHierarchy(*image, made.mask.get(), made.spec, control));
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

ArrayHierarchy withoutSmall(const ArrayHierarchy& of, std::uint64_t area) {
    ArrayHierarchy made = of;
    runJob(of.image->pixelCount(), [&](const JobControl& control) {
        const Buffer<std::uint32_t> areas = basinAreas(*of.hierarchy, of.mask.get(), control);
        made.hierarchy = std::make_shared<const Hierarchy>(withoutSmallRegions(*of.hierarchy, areas, area, control));
    });
    return made;
}

ArrayRegionTree treeOf(const ArrayHierarchy& of, bool isBinary) {
    ArrayRegionTree made{of, nullptr, nullptr};
    runJob(of.image->pixelCount(), [&](const JobControl& control) {
        made.tree = std::make_shared<const RegionTree>(
            makeRegionTree(*of.hierarchy, isBinary ? RegionForm::binary : RegionForm::merged, control));
    });
    made.measures = std::make_shared<RegionMeasures>(*of.hierarchy, *made.tree, *of.image, of.mask.get(), of.spec);
    return made;
}

py::array valuesOf(const ArrayRegionTree& of, const std::string& name) {
    const std::optional<RegionAttribute> attribute = findRegionAttribute(name, of.of.image->extent().isVolume());
    if (!attribute) {
        throw Error(ErrorCode::invalidArgument, "attribute '" + name + "': not measured for regions");
    }
    Buffer<double> found;
    runJob(of.of.image->pixelCount(),
           [&](const JobControl& control) { found = of.measures->compute(*attribute, control); });
    return arrayOf(std::move(found), {static_cast<py::ssize_t>(of.tree->nodeCount())});
}

/// Names of the attributes, and whether they are whole numbers.
py::list attributesOf(const ArrayRegionTree& of) {
    py::list all;
    for (const RegionAttribute& each : regionAttributes(of.of.image->extent().isVolume())) {
        all.append(py::make_tuple(nameOf(each), isIntegral(each)));
    }
    return all;
}

std::vector<std::uint8_t> kept(const ArrayRegionTree& of, const py::array& keep) {
    const Buffer<std::uint8_t> flags = flagsOf(keep, of.tree->nodeCount(), "keep");
    return {flags.begin(), flags.end()};
}

py::array smallestOf(const ArrayRegionTree& of, const py::array& keep) {
    return arrayOf(smallestKept(*of.tree, kept(of, keep)), {static_cast<py::ssize_t>(of.tree->nodeCount())});
}

py::tuple labelsOfKept(const ArrayRegionTree& of, const py::array& keep) {
    const std::vector<std::uint8_t> flags = kept(of, keep);
    LabelImage found;
    runJob(of.of.image->pixelCount(),
           [&](const JobControl& control) { found = labelsOf(*of.of.hierarchy, *of.tree, flags, control); });
    return py::make_tuple(arrayOf(std::move(found.labels), of.of.shape), found.count);
}

/// Sums over the regions of numbers of the basins.
py::array sumsOf(const ArrayRegionTree& of, const py::array_t<double, py::array::c_style>& values) {
    if (values.ndim() != 1 || static_cast<std::size_t>(values.size()) != of.tree->leafCount) {
        throw Error(ErrorCode::invalidArgument, "values: not one per basin");
    }
    Buffer<double> sums(of.tree->nodeCount());
    std::ranges::fill(sums, 0.0);
    std::copy_n(values.data(), of.tree->leafCount, sums.data());
    sumUp(*of.tree, sums, [](double& sum, double value) { sum += value; });
    return arrayOf(std::move(sums), {static_cast<py::ssize_t>(of.tree->nodeCount())});
}

/// Numbers of the regions of samples of a plane.
py::array samplesOf(const ArrayHierarchy& of, std::uint64_t strength, std::uint64_t first, std::uint64_t across,
                    std::uint64_t down, std::uint32_t columns, std::uint32_t rows) {
    const auto offsets = [](std::uint32_t count, std::uint64_t step) {
        std::vector<std::size_t> all(count);
        std::ranges::generate(all,
                              [next = std::size_t{0}, step]() mutable { return std::exchange(next, next + step); });
        return all;
    };
    const std::vector<std::size_t> right = offsets(columns, across);
    const std::vector<std::size_t> below = offsets(rows, down);
    Buffer<std::uint32_t> found;
    runJob(std::uint64_t{columns} * rows, [&](const JobControl& control) {
        found = regionsAtSamples(*of.hierarchy, of.hierarchy->mergesUpTo(strength), {first, right, below},
                                 of.mask.get(), control);
    });
    return arrayOf(std::move(found), {static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)});
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
        .def("boundaries", &boundariesOf)
        .def("without_small", &withoutSmall, py::arg("area"))
        .def("samples", &samplesOf, py::arg("strength"), py::arg("first"), py::arg("across"), py::arg("down"),
             py::arg("columns"), py::arg("rows"))
        .def("tree", &treeOf, py::arg("binary"));
    py::class_<ArrayRegionTree>(module, "RegionTree")
        .def_property_readonly("num_leaves", [](const ArrayRegionTree& of) { return of.tree->leafCount; })
        .def_property_readonly("parent",
                               [](const ArrayRegionTree& of) {
                                   return arrayOver(of.tree->parent.data(),
                                                    {static_cast<py::ssize_t>(of.tree->nodeCount())}, of.tree);
                               })
        .def_property_readonly("strength",
                               [](const ArrayRegionTree& of) {
                                   return arrayOver(of.tree->strength.data(),
                                                    {static_cast<py::ssize_t>(of.tree->nodeCount())}, of.tree);
                               })
        .def_property_readonly("attributes", &attributesOf)
        .def("attribute", &valuesOf, py::arg("name"))
        .def("smallest", &smallestOf, py::arg("keep"))
        .def("labels", &labelsOfKept, py::arg("keep"))
        .def("sums", &sumsOf, py::arg("values"));
}

} // namespace pollard::python
