#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/volume_plane.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// The boundaries of a hierarchy in an image, or in the image of a plane of a volume, at full and at reduced size, for
/// views of any scale.
class BoundaryMap {
public:
    /// An image of the strongest boundaries.
    struct Level {
        std::uint32_t width = 0;
        std::uint32_t height = 0;
        /// Per pixel 1 + the number of the last merge across the boundaries in a square of pixels of the image; 0:
        /// there are none. A boundary lies on the pixels at its left and upper side: one pixel wide.
        Buffer<std::uint32_t> merges;
    };

    /// @param plane of the volume, without the boundaries to other planes; left out for an image
    /// @throws Error(invalidArgument) if the volume has no such plane; Error(outOfMemory), Cancelled
    explicit BoundaryMap(const Hierarchy& hierarchy, const VolumePlane& plane = {}, const JobControl& control = {});

    /// Level n has squares of 2^n pixels; the last level is one pixel.
    [[nodiscard]] const std::vector<Level>& levels() const noexcept { return levels_; }

private:
    std::vector<Level> levels_;
};

} // namespace pollard
