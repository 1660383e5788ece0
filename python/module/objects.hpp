#pragma once

#include "components/objects/measured_objects.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

namespace pollard::python {

/// A table of all features of objects: a dict of columns with the names of `pollard-cli components --csv`.
/// @param labels objects of the rows, in their order
[[nodiscard]] pybind11::dict tableOf(const MeasuredObjects& objects, const std::vector<std::uint32_t>& labels);

} // namespace pollard::python
