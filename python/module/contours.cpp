#include "contours.hpp"

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace pollard::python {

namespace py = pybind11;

py::dict dictOf(const SnakeState& state) {
    py::array_t<std::int32_t> corners({static_cast<py::ssize_t>(state.nodes.size()), py::ssize_t{2}});
    auto cells = corners.mutable_unchecked<2>();
    for (std::size_t i = 0; i < state.nodes.size(); ++i) {
        const auto row = static_cast<py::ssize_t>(i);
        cells(row, 0) = state.nodes[i].y;
        cells(row, 1) = state.nodes[i].x;
    }
    py::dict entry;
    entry["contour"] = corners;
    entry["energy"] = state.energy;
    entry["round"] = state.round;
    entry["step"] = std::string(nameOf(state.kind));
    entry["pixels"] = state.inside.pixels;
    return entry;
}

py::dict resultOf(const SnakeResult& evolved) {
    py::list contours;
    for (const SnakeState& state : evolved.states) {
        contours.append(dictOf(state));
    }
    py::dict result;
    result["contours"] = contours;
    result["energy"] = evolved.energy;
    return result;
}

} // namespace pollard::python
