#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

namespace pollard {

/// Morphological gradient: at every pixel the largest level minus the smallest one among the pixel and its neighbours
/// (Rivest, Soille, Beucher, "Morphological gradients", 1993). Parallel.
/// @param inside pixels that count; null: all. Pixels outside it have the gradient 0.
/// @throws Error(invalidArgument) for a mask of another size or 4 or 8 neighbours in a volume, Error(limitExceeded),
/// Error(outOfMemory); Cancelled
[[nodiscard]] Image gradientOf(const Image& image, const Mask* inside, Connectivity connectivity,
                               const JobControl& control = {});

} // namespace pollard
