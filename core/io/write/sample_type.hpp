#pragma once

#include "image/value_mapping.hpp"
#include "io/write/planes.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace pollard {

/// The names of a type of samples in formats of values.
struct SampleType {
    ValueType type;
    std::int16_t nifti; ///< code of NIfTI-1
    const char* name;   ///< of NRRD and, but for real numbers, Zarr 3
    const char* array;  ///< of NumPy and Zarr 2, little-endian
    const char* meta;   ///< of MetaImage
};
[[nodiscard]] const SampleType& sampleTypeOf(ValueType type) noexcept;

/// Smallest and largest number of a type; rounded for 64-bit integers.
[[nodiscard]] std::pair<double, double> rangeOf(ValueType type) noexcept;

/// Bits of the sample of a type nearest to a number.
[[nodiscard]] std::uint64_t sampleNearest(ValueType type, double number) noexcept;

/// The type of the values offset + step * sample: that of the samples if these are the values; the first of 8-, 16- and
/// 32-bit integers that holds all of them if offset and step are whole numbers; else float or, where that would join
/// values, double.
[[nodiscard]] ValueType typeOfValues(double offset, double step, ValueType samples) noexcept;

/// A plane whose samples are its values, for formats that state no offset and step.
[[nodiscard]] Plane inValues(Plane plane);

/// Whether pixels without data are marked in a format that knows no other mark than NaN: there are none, or the samples
/// are floating-point numbers with a sample for them.
[[nodiscard]] bool isMarkedByNan(const Plane& plane) noexcept;
/// A plane of floating-point numbers whose pixels without data are NaN.
[[nodiscard]] Plane withNan(Plane plane);

} // namespace pollard
