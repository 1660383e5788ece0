#pragma once

#include "io/samples/value_statistics.hpp"
#include "io/volumes/sample_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pollard {

/// Reads the samples of pages in ascending order.
class PageRows {
public:
    using Take = std::function<void(const RowPlace& place, const std::byte* samples)>;

    PageRows(const VolumeLayout& layout, const JobControl& control);

    /// Calls @p take for each part of each row of a region of the page, from top to bottom, with the interleaved
    /// samples in host byte order; places are in pixels of the region. @throws Error(fileDamaged), Cancelled
    void read(std::uint64_t page, const PixelRegion& region, const Take& take);
    /// The interleaved samples of consecutive voxels, counted over all pages, until the next call. @param count at most
    /// partVoxels()
    const std::byte* part(std::uint64_t firstVoxel, std::size_t count);
    [[nodiscard]] std::size_t partVoxels() const noexcept { return partVoxels_; }

private:
    const VolumeLayout& layout_;
    const JobControl& control_;
    std::unique_ptr<SampleStream> stream_;
    std::size_t partVoxels_;
    std::vector<std::byte> part_;
    bool swaps_;
};

/// Facts about the chosen sample of all voxels, by which each page becomes levels. Reads the whole volume, for
/// quantiles several times, unless it was the volume of a recent call and its file has not changed.
/// @throws Error(fileDamaged), Cancelled
[[nodiscard]] std::shared_ptr<ValueStatistics> statisticsOfVolume(const VolumeLayout& layout, std::uint64_t pages,
                                                                  int sample, const MappingChoice& choice,
                                                                  const JobControl& control);

} // namespace pollard
