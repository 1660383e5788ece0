#pragma once

#include <cstdint>

namespace pollard {

/// A unit of length that a person gives numbers in; areas are in its square, but for the hectare, which is an area.
enum class LengthUnit : std::uint8_t {
    pixel,
    nanometre,
    micrometre,
    millimetre,
    centimetre,
    metre,
    kilometre,
    hectare,
};

} // namespace pollard
