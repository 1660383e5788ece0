#include "bindings.hpp"
#include "max_tree.hpp"
#include "value_mappings.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::python {

namespace {

using Questions = std::vector<std::vector<std::string>>; ///< of each decision tree

FilterArguments requestOf(const std::vector<std::string>& criteria, const std::string& match, const std::string& rule,
                          const std::string& output, const std::string& prominent, const Questions& forest) {
    return {criteria, match, rule, output, prominent, forest};
}

TreeArguments treeOf(bool isMin, int connectivity, const std::string& device, int threads,
                     const std::optional<ValueMapping>& mapping, const std::array<double, 3>& sides,
                     const std::optional<std::string>& unit) {
    const auto [z, y, x] = sides;
    TreeArguments request{
        isMin ? TreeKind::min : TreeKind::max, connectivity, device, threads, mapping, {1, y / x, z / x}};
    if (unit) {
        request.size = sizeOfArray(sides, *unit);
    }
    return request;
}

py::array perNode(const py::object& self, const auto ComponentTree::*values) {
    const auto tree = self.cast<const MaxTree&>().tree();
    const auto& buffer = (*tree).*values;
    return arrayOver(buffer.data(), {static_cast<py::ssize_t>(buffer.size())}, tree);
}

} // namespace

void bindMaxTree(py::module_& module) {
    py::class_<MaxTree>(module, "MaxTree")
        .def(py::init([](const GpuArray& levels, bool isMin, int connectivity, const std::string& device, int threads,
                         const std::array<double, 3>& sides, const std::optional<std::string>& unit) {
                 return std::make_unique<MaxTree>(
                     levels, treeOf(isMin, connectivity, device, threads, std::nullopt, sides, unit));
             }),
             py::arg("levels"), py::arg("is_min"), py::arg("connectivity"), py::arg("device"), py::arg("threads"),
             py::arg("sides"), py::arg("unit"))
        .def(py::init([](const py::array& levels, const std::optional<py::array>& mask, bool isMin, int connectivity,
                         const std::string& device, int threads, const std::optional<ValueMapping>& mapping,
                         const std::array<double, 3>& sides, const std::optional<std::string>& unit) {
                 return std::make_unique<MaxTree>(levels, mask,
                                                  treeOf(isMin, connectivity, device, threads, mapping, sides, unit));
             }),
             py::arg("levels"), py::arg("mask"), py::arg("is_min"), py::arg("connectivity"), py::arg("device"),
             py::arg("threads"), py::arg("mapping"), py::arg("sides"), py::arg("unit"))
        .def_property_readonly("shape", [](const MaxTree& self) { return py::tuple(py::cast(self.shape())); })
        .def_property_readonly("num_nodes", [](const MaxTree& self) { return self.report().nodes; })
        .def_property_readonly("num_leaves", [](const MaxTree& self) { return self.report().leaves; })
        .def_property_readonly("depth", [](const MaxTree& self) { return self.report().depth; })
        .def_property_readonly("device", &MaxTree::device)
        .def_property_readonly("build_ms", [](const MaxTree& self) { return self.report().milliseconds; })
        .def_property_readonly("is_min", [](const MaxTree& self) { return self.kind() == TreeKind::min; })
        .def_property_readonly("parent", [](const py::object& self) { return perNode(self, &ComponentTree::parent); })
        .def_property_readonly("level", [](const py::object& self) { return perNode(self, &ComponentTree::level); })
        .def_property_readonly("subtree_end",
                               [](const py::object& self) { return perNode(self, &ComponentTree::subtreeEnd); })
        .def_property_readonly("canonical",
                               [](const py::object& self) { return perNode(self, &ComponentTree::canonical); })
        .def_property_readonly("nodes",
                               [](const MaxTree& self) {
                                   const auto tree = self.tree();
                                   return arrayOver(tree->pixelNode.data(), self.shape(), tree);
                               })
        .def("attribute", &MaxTree::attribute, py::arg("name"))
        .def("unit_factor", &MaxTree::unitFactor, py::arg("name"))
        .def("in_pixels", &MaxTree::inPixels, py::arg("name"), py::arg("value"))
        .def(
            "filter",
            [](const MaxTree& self, const std::vector<std::string>& criteria, const std::string& match,
               const std::string& rule, const std::string& output, const std::string& prominent,
               const Questions& forest) {
                return self.filter(requestOf(criteria, match, rule, output, prominent, forest));
            },
            py::arg("criteria"), py::arg("match"), py::arg("rule"), py::arg("output"), py::arg("prominent"),
            py::arg("forest") = Questions())
        .def(
            "labels",
            [](const MaxTree& self, const std::vector<std::string>& criteria, const std::string& match,
               const std::string& rule, const std::string& prominent, const Questions& forest) {
                return self.labels(requestOf(criteria, match, rule, "labels", prominent, forest));
            },
            py::arg("criteria"), py::arg("match"), py::arg("rule"), py::arg("prominent"),
            py::arg("forest") = Questions())
        .def("labels_of", &MaxTree::labelsOf, py::arg("keep"), py::arg("rule"))
        .def("reconstruct", &MaxTree::reconstruct, py::arg("keep"), py::arg("rule"))
        .def("h_maxima", &MaxTree::hMaxima, py::arg("h"))
        .def("reconstruct_from", &MaxTree::reconstructFrom, py::arg("marker"))
        .def("path_sums", &MaxTree::pathSums<double>, py::arg("numbers").noconvert())
        .def("path_sums", &MaxTree::pathSums<std::uint64_t>, py::arg("numbers").noconvert())
        .def("spectrum", &MaxTree::spectrum, py::arg("attribute"), py::arg("bins"), py::arg("scale"), py::arg("low"),
             py::arg("high"))
        .def("profile", &MaxTree::profile, py::arg("attribute"), py::arg("thresholds"), py::arg("rule"),
             py::arg("differential"))
        .def("mser", &MaxTree::mser, py::arg("delta"), py::arg("min_area"), py::arg("max_area"),
             py::arg("max_variation"), py::arg("min_diversity"))
        .def("learn", &MaxTree::learn, py::arg("batches"), py::arg("attributes"), py::arg("any_size"), py::arg("ask"),
             py::arg("forest"))
        .def("mask_nodes", &MaxTree::maskNodes, py::arg("mask"))
        .def("chain", &MaxTree::chain, py::arg("pixel"))
        .def("parent_image", &MaxTree::parentImage);
}

} // namespace pollard::python
