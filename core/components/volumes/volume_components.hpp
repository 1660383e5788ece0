#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/stage_timer.hpp"
#include "components/components.hpp"
#include "image/extent.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace pollard {

/// Raw, exact measurements of an object of a volume. Of the base, `area` counts voxels, box and sums are those seen
/// along z, grey levels are those of the voxels; `perimeter` and `holes` are 0.
struct VolumeRecord : ComponentRecord {
    std::uint32_t front = 0; ///< bounding box: first and last slice
    std::uint32_t back = 0;
    std::uint64_t sumZ = 0; ///< over the voxels; the centre of the first voxel is (0, 0, 0)
    std::uint64_t sumZZ = 0;
    std::uint64_t sumXZ = 0;
    std::uint64_t sumYZ = 0;
    std::uint32_t runsX = 0; ///< runs of voxels along x, which have two exposed faces each
    std::uint32_t runsY = 0;
    std::uint32_t runsZ = 0;
    std::uint32_t border = 0; ///< voxels in the first or last column, row or slice of the volume
    std::int64_t euler = 0;   ///< objects - tunnels + cavities; 0 with 18 neighbours, for which it is not computed

    [[nodiscard]] std::uint32_t slices() const noexcept { return back - front + 1; }
    [[nodiscard]] double centroidZ() const noexcept { return static_cast<double>(sumZ) / static_cast<double>(area); }

    bool operator==(const VolumeRecord&) const = default;
};

using VolumeRecords = std::vector<VolumeRecord, UninitialisedAllocator<VolumeRecord>>;

/// Objects of the mask of a volume, numbered 1..count in raster order of their first voxel.
struct VolumeComponents {
    Connectivity connectivity = Connectivity::six;
    Extent extent;
    std::uint32_t count = 0;
    std::uint64_t foreground = 0;  ///< voxels in objects
    std::string algorithm;         ///< algorithm used
    Buffer<std::uint32_t> labels;  ///< (slices, height, width), 0 = background; empty if not requested
    VolumeRecords objects;         ///< object i has label i + 1; empty if not requested
    std::vector<StageTime> stages; ///< as Components::stages
    double milliseconds = 0;       ///< total wall time, including copies
};

/// Checks requirements common to all engines; see labelVolume().
/// @throws Error(invalidArgument), Error(limitExceeded)
void requireMeasurable(const Mask& mask, const Extent& extent, const Image* grey, const ComponentsSpec& spec);

/// Labels and measures the connected components of the set voxels, on the CPU, as labelComponents() does in pictures:
/// union-find joins runs of voxels with those of the rows before them, within bands of slices and then across the
/// bands. Independent of the number of threads.
/// @param mask of the rows of all slices: row z * height + y, see thresholdMask()
/// @param grey volume to measure; null: the grey fields are 0
/// @param spec with 6, 18 or 26 neighbours; in a volume of one slice also 4 or 8
/// @throws Error(invalidArgument) for an unknown algorithm, other neighbours, or a mask or grey volume of another size;
/// Error(limitExceeded) for measurements of a volume in which the number of voxels times the square of the longest side
/// exceeds 2^64; Error(outOfMemory); Cancelled
[[nodiscard]] VolumeComponents labelVolume(const Mask& mask, const Extent& extent, const Image* grey,
                                           const ComponentsSpec& spec, const JobControl& control = {});

} // namespace pollard
