#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// How to flood an image from seeds.
struct WatershedSpec {
    Connectivity connectivity = Connectivity::four; ///< 4 or 8 of an image, 6, 18 or 26 of a volume
    bool descending = false;                        ///< flood from high levels to low ones: the objects are bright
    /// Label 0 for every pixel that has a neighbour with a smaller label: no pixel of a region then has a neighbour in
    /// another region.
    bool lines = false;

    bool operator==(const WatershedSpec&) const = default;
};

/// Largest label of a seed.
inline constexpr std::uint32_t kMostSeeds = 0x7fff'fffe;

/// @throws Error(invalidArgument) for a label above kMostSeeds
void requireSeed(std::uint32_t label);

/// The neighbours that watershed() uses.
/// @throws Error(invalidArgument), Error(limitExceeded) as watershed() for sizes and neighbours
[[nodiscard]] Connectivity requireFloodable(const Image& image, std::span<const std::uint32_t> seeds,
                                            const Mask* inside, const WatershedSpec& spec);

/// Seeded watershed. The labels follow from this order alone, on any number of threads:
/// - The levels of the image are flooded in ascending order (descending, if so specified).
/// - The flood of a level begins with the seeds at this level, which have their labels from then on. It goes on in
///   rounds. In a round, each pixel without a label that lies at this level or at one flooded before, and has
///   neighbours that had a label before the round, gets the label of the neighbour among these whose own level comes
///   first in the order of flooding; of several, the smallest label. The level ends with a round in which no pixel
///   gets a label.
/// So a pixel belongs to the seed from which it is reached at the first possible level; at a tie by the fewest steps
/// within the level, at a further tie by the steepest last step, at last to the smallest label. (Soille,
/// "Morphological image analysis", 2004, chapter 9; Meyer, "Topographic distance and watershed lines", 1994.) Linear
/// in pixels and levels.
/// @param seeds labels of shape (slices, height, width), 0: no seed; pixels of a label need not be connected
/// @param inside pixels to flood; null: all. Seeds outside it are ignored.
/// @return labels of the same shape, 0 for pixels that no seed reaches
/// @throws Error(invalidArgument) for seeds or a mask of another size, a label above kMostSeeds or 4 or 8 neighbours in
/// a volume, Error(outOfMemory), also before the work; Cancelled
[[nodiscard]] Buffer<std::uint32_t> watershed(const Image& image, std::span<const std::uint32_t> seeds,
                                              const Mask* inside, const WatershedSpec& spec,
                                              const JobControl& control = {});

} // namespace pollard
