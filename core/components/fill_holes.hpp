#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Sets the pixels of all holes: components of the unset pixels, in the complementary connectivity (8 for objects of
/// connectivity 4, 26 for 6, and vice versa; 6 for 18), that neither touch the border of the image nor contain a pixel
/// outside @p inside. Without @p inside and for objects of connectivity 8, 18 or 26 this equals
/// scipy.ndimage.binary_fill_holes with its default structure. Linear in rows and runs, parallel; takes as much memory
/// as labelling the complement. Independent of the number of threads.
/// @param mask subset of @p inside
/// @param inside pixels to consider; null: all
/// @param slices of a volume, whose rows the masks have, see thresholdMask()
/// @throws Error(invalidArgument) for masks of different sizes, Error(outOfMemory); Cancelled
void fillHoles(Mask& mask, const Mask* inside, Connectivity objects, const JobControl& control = {},
               std::uint32_t slices = 1);

} // namespace pollard
