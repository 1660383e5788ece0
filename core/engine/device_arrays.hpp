#pragma once

#include "base/job_control.hpp"
#include "engine/device_pixels.hpp"
#include "filter/filter_spec.hpp"
#include "image/extent.hpp"

#include <cstdint>
#include <memory>

namespace pollard {

/// A value per pixel of an image or volume in the memory of a GPU, slice by slice and row by row without padding, for
/// other libraries of the process to read or write.
struct DeviceArray {
    std::shared_ptr<const void> values; ///< address on the GPU, with the owner of the memory
    TexelType type = TexelType::u8;
    Extent extent;
    int device = 0; ///< number of the GPU in the order of CUDA
};

/// Labels as Session::labels() numbers them.
struct DeviceLabelArray {
    DeviceArray labels; ///< TexelType::u32
    std::uint32_t count = 0;
};

/// Images that come from and go to other libraries in the memory of a GPU, without a copy through the host. Sessions
/// of engines with such memory derive from this interface, too.
class DeviceArrays {
public:
    virtual ~DeviceArrays() = default;

    /// As Session::open(), with a copy of @p pixels on the GPU, after the work that is queued there.
    /// @param pixels of TexelType::u8 or u16; can change after the call
    /// @throws Error(invalidArgument) for another type, or memory that is not of this session's GPU;
    /// Error(outOfMemory), Error(deviceFailed)
    virtual void openArray(const DeviceArray& pixels, const VoxelSides& sides) = 0;

    /// As Session::filter() and Session::labels(), with results in memory of the GPU that is complete. Its last owner
    /// waits for the work of all libraries that is queued on the GPU.
    [[nodiscard]] virtual DeviceArray filteredArray(const FilterSpec& spec, const JobControl& control) = 0;
    [[nodiscard]] virtual DeviceLabelArray labelledArray(const FilterSpec& spec, const JobControl& control) = 0;
};

} // namespace pollard
