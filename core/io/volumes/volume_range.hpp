#pragma once

#include "io/volumes/sample_stream.hpp"

#include <cstdint>
#include <functional>

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

/// Ends of the range that a mapping choice other than `fixed` means for all pages of a volume, in samples.
template <class T> struct VolumeRange {
    std::uint64_t finite = 0; ///< finite samples
    T low{};
    T high{};
};

/// The range of the chosen sample of all voxels: the smallest and the largest finite one, or the quantiles of the
/// choice. Reads the whole volume, for quantiles several times, unless it was the volume of a recent call and its file
/// has not changed. T is that of ValuePlan::type(). @throws Error(fileDamaged), Cancelled
template <class T> [[nodiscard]] VolumeRange<T> rangeOfVolume(const VolumeLayout& layout, std::uint64_t pages,
                                                              int sample, const MappingChoice& choice,
                                                              const JobControl& control);

} // namespace pollard
