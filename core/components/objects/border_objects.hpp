#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstdint>

namespace pollard {

/// Takes objects with a pixel in the first or last row or column of the image out of the labels, the records and the
/// counts; those that remain are numbered 1 .. count in their old order. Parallel.
/// @param components with labels and records
/// @return how many were taken out
/// @throws Error(invalidArgument) without them, Error(outOfMemory); Cancelled, after which the labels are of no use
std::uint32_t removeBorderObjects(Components& components, const JobControl& control = {});

} // namespace pollard
