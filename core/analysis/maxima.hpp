#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// A regional maximum.
struct RegionalMaximum {
    std::uint32_t pixel = 0; ///< the first in raster order
    std::uint16_t level = 0;
    /// The highest level at which its component also contains a higher maximum (at a tie, one with an earlier pixel);
    /// without such a maximum, `lowest`. level - saddle is the dynamics.
    std::uint16_t saddle = 0;
    std::uint16_t lowest = 0; ///< lowest level of the object of the mask that contains the maximum
    bool isHighest = false;   ///< of this object

    bool operator==(const RegionalMaximum&) const = default;
};

/// The regional maxima of the image within a mask, in raster order: connected pixels of one level without a higher
/// neighbour in the mask. Union-find over the pixels in descending order; takes as much memory as watershed() for it.
/// (Grimaud, "A new measure of contrast: the dynamics", 1992.)
/// @param inside null: all pixels
/// @param descending false: the regional minima, with levels counted from the largest level of the type downwards
/// @throws Error(invalidArgument) for a mask of another size or 4 or 8 neighbours in a volume, Error(limitExceeded),
/// Error(outOfMemory); Cancelled
[[nodiscard]] std::vector<RegionalMaximum> regionalMaxima(const Image& image, const Mask* inside,
                                                          Connectivity connectivity, bool descending = true,
                                                          const JobControl& control = {});

} // namespace pollard
