#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/stage_clock.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::cuda {

/// Input of labelVolumeByStrips(), all in device memory and of one size.
struct VolumeLabellingInput {
    DeviceMask mask; ///< of the rows of all slices
    Extent extent;
    std::optional<DeviceImage> grey;               ///< 8 or 16 bits; none: the grey fields of records are 0
    Connectivity connectivity = Connectivity::six; ///< 6, 18 or 26
    bool labels = true;                            ///< make the label volume
    bool features = true;                          ///< measure the objects; their sums fit, see requireMeasurable()
    void* pinned = nullptr;                        ///< LabellingInput::pinned
};

/// Equal bit for bit to labelComponents() of core/components.
struct DeviceVolumeComponents {
    std::uint32_t count = 0;            ///< number of objects, known on the host
    std::uint64_t foreground = 0;       ///< voxels of all objects, known on the host
    DeviceBuffer<std::uint32_t> labels; ///< (slices, height, width): 0, or 1 .. count in raster order of the objects'
                                        ///< first voxels; empty if not requested
    DeviceBuffer<VolumeRecord> records; ///< record i belongs to label i + 1; empty if not requested or without objects
};

/// Labels and measures by strips of the rows of slices, see VolumeBuild. Needs 5 to 9 bytes per voxel, including 4 for
/// the label volume, and 160 per object. Later work may still be queued on return.
/// @throws Error(engineUnavailable) for rows too long for strips of several, or more than 2^32 nodes;
/// Error(outOfMemory), Error(deviceFailed); Cancelled
[[nodiscard]] DeviceVolumeComponents labelVolumeByStrips(const VolumeLabellingInput& input,
                                                         const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                         const JobControl& control);

/// Peak device memory without the input and records, bytes.
/// @throws as labelVolumeByStrips()
[[nodiscard]] std::uint64_t estimateVolumeStripBytes(const Extent& extent, const ComponentsSpec& spec);

} // namespace pollard::cuda
