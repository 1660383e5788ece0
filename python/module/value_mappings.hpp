#pragma once

#include "image/value_mapping.hpp"

#include <pybind11/numpy.h>

#include <cstdint>
#include <optional>
#include <string>

namespace pollard::python {

namespace py = pybind11;

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using SampleBits = py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>;

/// The values of the levels of an array: integers from @p offset on, or a table.
/// @param type of the values, as NumPy names it
/// @param values in ascending order; unset if @p offset is used
/// @param samples bits of the same values, in the low bytes
/// @throws Error(invalidArgument) for another type, or an empty table or tables of different lengths
[[nodiscard]] ValueMapping mappingOf(const std::string& type, double offset, const std::optional<Numbers>& values,
                                     const std::optional<SampleBits>& samples);

/// Whether the samples are integers.
[[nodiscard]] bool hasIntegers(const ValueMapping& mapping) noexcept;

/// The values of the levels, in the type of the samples if samples are values, else float64.
[[nodiscard]] py::array valuesOfLevels(const ValueMapping& mapping);

} // namespace pollard::python
