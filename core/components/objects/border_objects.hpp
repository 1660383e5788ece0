#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstdint>

namespace pollard {

/// Removes the objects with a pixel in the first or last row or column of the image from labels, records and counts;
/// the others are relabelled 1 .. count in their order. Parallel.
/// @param components with labels and records
/// @return number of removed objects
/// @throws Error(invalidArgument) without them, Error(outOfMemory); Cancelled, after which the labels are invalid
std::uint32_t removeBorderObjects(Components& components, const JobControl& control = {});

} // namespace pollard
