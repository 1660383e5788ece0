#pragma once

#include "io/image_file.hpp"
#include "io/region_source.hpp"
#include "io/volumes/volume_slices.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace pollard {

/// A volume of files, read in boxes, which have the voxels that readVolume() of the whole has there. The whole may have
/// far more than Image::kMaxPixels voxels; the limits of the options hold for each box. A pass reads a slice at a time
/// per thread. Slices are opened for every box; where a slice can only be read as a whole, or its levels follow from
/// all of its values, boxes are cut out of it.
class VolumeRegions final : public RegionSource {
public:
    /// Reads the first slice, and the headers of the others.
    /// @param files as for VolumeSlices
    /// @param memory for slices that a pass reads, bytes
    /// @throws Error as readVolume(); invalidArgument for options.shrink above 1; outOfMemory if a slice does not fit.
    /// Cancelled
    VolumeRegions(const std::vector<std::filesystem::path>& files, const ReadOptions& options, std::uint64_t memory,
                  const JobControl& control = {});

    [[nodiscard]] const ImageInfo& info() const noexcept override { return info_; }
    [[nodiscard]] Extent extent() const noexcept override { return extent_; }
    [[nodiscard]] PixelType type() const noexcept override { return type_; }
    [[nodiscard]] std::uint64_t identity() const noexcept override { return identity_; }
    /// One where slices may have voxels without data or levels that follow from values, and one or more for quantiles.
    [[nodiscard]] int passes() const noexcept override { return passes_; }
    void prepare(const JobControl& control) override;
    [[nodiscard]] const std::optional<ValidLevels>& validLevels() const noexcept override { return validLevels_; }
    /// As RegionSource, also for one slice. @throws as RegionSource; Error(formatUnsupported) for slices that differ
    [[nodiscard]] LoadedImage readBox(const PixelRegion& region, const SliceRange& slices,
                                      const JobControl& control) override;

private:
    using Take = std::function<void(int slice, const LoadedImage& read)>; ///< on several threads

    [[nodiscard]] bool haveGaps(const JobControl& control) const;
    [[nodiscard]] int passesNeeded(const JobControl& control) const;
    /// Whether the mapping of a slice does not depend on its values.
    [[nodiscard]] bool isMappedByType() const;
    /// Reads whole slices, some of them at the same time.
    void readAll(const MappingChoice& mapping, const JobControl& control, const Take& take) const;
    [[nodiscard]] PixelRegion area() const { return {0, 0, extent_.width, extent_.height}; }
    [[nodiscard]] ReadOptions boxOptions(const PixelRegion& region) const;

    ReadOptions options_;
    VolumeSlices slices_;
    ImageInfo info_;
    Extent extent_;
    PixelType type_ = PixelType::u8;
    std::uint64_t identity_ = 0;
    int slicesAtOnce_ = 1;     ///< in a pass
    bool inARow_ = false;      ///< the reader takes slices one after another
    bool hasRange_ = false;    ///< levels follow from the values of all slices
    bool cropsSlices_ = false; ///< boxes are cut out of whole slices
    MappingChoice mapping_;    ///< by which boxes are read
    int passes_ = 0;
    bool isPrepared_ = false;
    std::optional<ValidLevels> validLevels_;
};

} // namespace pollard
