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

/// A measure by which the component of a maximum outlasts others.
enum class Extinction : std::uint8_t {
    dynamics, ///< rise of the maximum above the level
    area,     ///< pixels
    volume,   ///< sum of the rises of the pixels above the level
};

/// A regional maximum with its extinction value.
struct ExtinctMaximum {
    std::uint32_t pixel = 0; ///< the last in raster order
    std::uint16_t level = 0;
    std::uint64_t extinction = 0;
    bool isLast = false; ///< of its object of the mask

    bool operator==(const ExtinctMaximum&) const = default;
};

/// The regional maxima of the image within a mask, in raster order, with their extinction values: the measure, above
/// the level at which components meet, of the component in which the maximum has outlasted all others, before this
/// component meets one with a larger measure; at a tie the maximum whose pixel comes first survives. The last maximum
/// of an object of the mask has the measure of the object above its lowest level. The values equal the attributes
/// dynamics, extinction_area and extinction_volume of leaves of a tree. (Vachier, Meyer, "Extinction value: a new
/// measurement of persistence", 1995.) Cost as regionalMaxima(), by area with 8 bytes per pixel more, by volume 20.
/// @throws as regionalMaxima()
[[nodiscard]] std::vector<ExtinctMaximum> extinctMaxima(const Image& image, const Mask* inside,
                                                        Connectivity connectivity, Extinction by,
                                                        bool descending = true, const JobControl& control = {});

} // namespace pollard
