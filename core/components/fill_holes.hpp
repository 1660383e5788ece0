#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

namespace pollard {

/// Sets the pixels of all holes: components of the pixels that are not set, by the connectivity that goes with that of
/// the objects (8 for objects of connectivity 4, and the reverse), which neither touch the border of the image nor hold
/// a pixel outside of @p inside. Without @p inside this is scipy.ndimage.binary_fill_holes, whose default structure is
/// that of objects of connectivity 8. Linear in rows and runs, parallel; as much memory as the labelling of the
/// complement. The same for any number of threads.
/// @param mask within @p inside
/// @param inside pixels that take part; null: all
/// @throws Error(invalidArgument) for masks of two sizes, Error(outOfMemory); Cancelled
void fillHoles(Mask& mask, const Mask* inside, Connectivity objects, const JobControl& control = {});

} // namespace pollard
