#pragma once

#include "snake/snake_job.hpp"

#include <pybind11/pybind11.h>

namespace pollard::python {

/// "contour", an array of shape (nodes, 2) of rows and columns of corners, "energy", "round", "step" and "pixels".
[[nodiscard]] pybind11::dict dictOf(const SnakeState& state);
/// "contours", a list of states, and "energy" of the whole image.
[[nodiscard]] pybind11::dict resultOf(const SnakeResult& evolved);

} // namespace pollard::python
