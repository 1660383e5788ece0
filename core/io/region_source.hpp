#pragma once

#include "base/job_control.hpp"
#include "image/extent.hpp"
#include "image/pixel_region.hpp"
#include "io/image_file.hpp"
#include "io/valid_levels.hpp"

#include <cstdint>
#include <optional>

namespace pollard {

/// A picture or a volume of files that is read in boxes, which have the pixels of the whole there: type, levels and
/// valid pixels are equal bit for bit, though they may depend on all of it. Not for several threads at once.
class RegionSource {
public:
    RegionSource() = default;
    virtual ~RegionSource() = default;
    RegionSource(const RegionSource&) = delete;
    RegionSource& operator=(const RegionSource&) = delete;

    /// As that of readImage() or readVolume(), as far as it is known without the passes of prepare().
    [[nodiscard]] virtual const ImageInfo& info() const noexcept = 0;
    [[nodiscard]] virtual Extent extent() const noexcept = 0;
    [[nodiscard]] virtual PixelType type() const noexcept = 0;
    /// Hash of all that the pixels follow from, see identityOf().
    [[nodiscard]] virtual std::uint64_t identity() const noexcept = 0;

    /// Passes over all pixels that prepare() makes.
    [[nodiscard]] virtual int passes() const noexcept = 0;
    /// Finds the facts about all pixels that those of a box depend on. Needed before readBox() if passes() is above 0.
    virtual void prepare(const JobControl& control) = 0;
    /// The levels of valid pixels, if some pixel is not valid: by them, boxes get the level of the root of the whole
    /// outside the valid pixels, see analysisImage(). Nothing if all are valid, or before prepare().
    [[nodiscard]] virtual const std::optional<ValidLevels>& validLevels() const noexcept = 0;

    /// Pixels of a region of some slices; a picture has one. `valid` is null if all of them are.
    /// @throws Error(invalidArgument) for a box that is not inside; errors of reading. Cancelled
    [[nodiscard]] virtual LoadedImage readBox(const PixelRegion& region, const SliceRange& slices,
                                              const JobControl& control) = 0;
};

} // namespace pollard
