#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace pollard {

/// A volume made of slices, of blocks of side x side x side voxels that become one.
///
/// A block has the mean of its voxels with data, rounded half up, and data if any of them has; else it has the mean of
/// all. The last column, row and layer of blocks may be smaller. The memory beside the volume is that of a mask, where
/// voxels have no data, and of sums for one layer of blocks.
class VolumeAssembly {
public:
    /// @param voxels of all slices @param side of blocks, >= 1
    /// @throws Error as Image
    VolumeAssembly(PixelType type, const Extent& voxels, std::uint32_t side);

    /// Of the volume of blocks.
    [[nodiscard]] static Extent extentOf(const Extent& voxels, std::uint32_t side) noexcept;

    /// Adds slice @p z, of the type and size of the others. Slices of blocks of more than a voxel are added in
    /// ascending order; others in any order and from any threads.
    /// @param valid voxels with data; null for all @throws Cancelled
    void add(std::uint32_t z, const Image& slice, const Mask* valid, const JobControl& control);

    /// After all slices were added.
    [[nodiscard]] const std::shared_ptr<Image>& volume() const noexcept { return volume_; }
    /// Voxels or blocks with data, by the rows of all slices; null if all have.
    [[nodiscard]] std::shared_ptr<const Mask> valid() const;

private:
    void copy(std::uint32_t z, const Image& slice, const Mask* valid);
    template <class T> void addRow(std::uint32_t row, const Image& slice, const Mask* valid);
    template <class T> void finishRow(std::uint32_t row, std::uint32_t layer);
    /// Marks voxels [first, last) of a row of the volume as without data.
    void addGap(std::uint32_t first, std::uint32_t last, std::size_t row);
    [[nodiscard]] std::uint64_t blockVoxels(std::uint32_t x, std::uint32_t y, std::uint32_t slices) const noexcept;

    Extent voxels_;
    std::uint32_t side_;
    std::shared_ptr<Image> volume_;
    std::mutex mutex_; ///< of the mask's creation
    std::shared_ptr<Mask> mask_;
    std::uint32_t slices_ = 0;             ///< of the layer that were added
    std::vector<std::uint64_t> sums_;      ///< of blocks of the layer
    std::vector<std::uint64_t> validSums_; ///< of voxels with data; empty while all of the layer have
    std::vector<std::uint64_t> validCounts_;
};

} // namespace pollard
