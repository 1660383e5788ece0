#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Number of pixels shared by objects of consecutive frames.
struct ObjectOverlap {
    std::uint32_t before = 0; ///< label in the earlier frame
    std::uint32_t now = 0;    ///< label in the later frame
    std::uint64_t pixels = 0; ///< at least 1

    bool operator==(const ObjectOverlap&) const = default;
};

/// All pairs of objects that share pixels, by label before, then by label now. Parallel over rows, independent of the
/// number of threads. O(pixels + pairs log pairs).
/// @param before, now with label images
/// @throws Error(invalidArgument) if a label image is missing or the frames differ in size, Error(outOfMemory);
/// Cancelled
[[nodiscard]] std::vector<ObjectOverlap> overlapsOf(const Components& before, const Components& now,
                                                    const JobControl& control = {});

} // namespace pollard
