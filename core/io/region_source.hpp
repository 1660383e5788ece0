#pragma once

#include "base/job_control.hpp"
#include "image/extent.hpp"
#include "image/pixel_region.hpp"
#include "io/image_file.hpp"
#include "io/image_reader.hpp"
#include "io/valid_levels.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Stage of RegionSource::prepare() in the progress.
inline constexpr const char* kPassStage = "finding the range of values";

/// An image or a volume of files that is read in boxes. An image may have up to 2^32 - 1 px a side, and either may
/// have far more than Image::kMaxPixels pixels; the limits of the options hold for each box that is read, and the
/// expansion of compressed data (ReadLimits::maxExpansion) for the whole image. A box has the pixels that readImage()
/// or readVolume() of the whole has there: type, levels and valid pixels are equal bit for bit, though levels can
/// depend on all values and its smallest and largest level on all pixels. Such facts are found by prepare() in passes()
/// over the files, in bounded memory.
///
/// The file of an image stays open between boxes if its reader keeps pages open; slices are opened for every box. If a
/// slice can only be read as a whole, or its levels follow from all of its values, boxes are cut out of it. Not for
/// several threads at once; each read uses options.threads. The files must not change meanwhile. A page of a series has
/// the facts of its own file.
class RegionSource {
public:
    RegionSource() = default;
    virtual ~RegionSource() = default;
    RegionSource(const RegionSource&) = delete;
    RegionSource& operator=(const RegionSource&) = delete;

    /// As readImageInfo() with the mapping, whose counts and range are those of one pixel of an image; after prepare()
    /// with a pass as readImage() or readVolume() of the whole.
    [[nodiscard]] const ImageInfo& info() const noexcept { return info_; }
    [[nodiscard]] const Extent& extent() const noexcept { return extent_; }
    [[nodiscard]] PixelType type() const noexcept { return type_; } // after prepare()
    /// Hash of all that the pixels follow from, see identityOf().
    [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }
    /// Tiles, or strips of the whole width; of other formats rows of about a million pixels, of a volume its slices.
    /// Regions that consist of whole blocks decode each block once. Rows of a strip above 8 MB are decoded one by one,
    /// and once if regions follow each other from top to bottom, whatever their height.
    [[nodiscard]] const BlockGrid& blocks() const noexcept { return blocks_; }

    /// Passes over all pixels that prepare() makes: 0 if levels are stored and all pixels are valid by the header. Else
    /// one, for the values or the levels of valid pixels; quantiles take one for 16 bits of the type of the values,
    /// e.g. two for 32-bit ones. The automatic choice may need quantiles: these are the most passes until prepare() has
    /// made them.
    ///
    /// No pass is needed for signed 8- and 16-bit values of an automatic mapping and for integers of a fixed range, if
    /// all pixels are valid. Their levels do not depend on other pixels, but the mapping that read() states counts and
    /// ranges over its box: all but offset and step.
    [[nodiscard]] int passes() const noexcept { return passes_; }
    /// Makes the passes, with progress over all of them. Needed before read() if passes() is above 0.
    /// @throws Error (fileDamaged, fileUnreadable, outOfMemory); Cancelled, after which it can be called again
    virtual void prepare(const JobControl& control = {}) = 0;
    [[nodiscard]] bool isPrepared() const noexcept { return passes_ == 0 || isPrepared_; }
    /// Facts found by prepare(), in one line of text; empty for volumes, without passes and before prepare().
    [[nodiscard]] virtual std::string facts() const { return {}; }
    /// In place of prepare(), by the facts of an equal image in another process.
    /// @throws Error(invalidArgument) for a text that facts() does not write for this image
    virtual void prepareBy(const std::string& /*facts*/) { prepare(); }
    /// The levels of valid pixels, if some pixel is not valid: by them, boxes get the level of the root of the whole
    /// outside the valid pixels, see analysisImage(). Nothing if all are valid, or before prepare().
    [[nodiscard]] const std::optional<ValidLevels>& validLevels() const noexcept { return validLevels_; }

    /// Pixels of a region of some slices, with `valid` null if all of them are, and their facts: tags for the place of
    /// an image's region, number of invalid pixels. Decodes the blocks with pixels of the region only.
    /// @throws Error(invalidArgument) for a box that is empty or not inside, or before a needed prepare();
    /// limitExceeded for more than Image::kMaxPixels pixels or more memory than options.limits or the machine allow;
    /// formatUnsupported for slices that differ; fileDamaged, fileUnreadable, outOfMemory. Cancelled
    [[nodiscard]] virtual LoadedImage readBox(const PixelRegion& region, const SliceRange& slices,
                                              const JobControl& control) = 0;
    /// As readBox(), of an image, which has one slice.
    [[nodiscard]] LoadedImage read(const PixelRegion& region, const JobControl& control = {}) {
        return readBox(region, {0, 1}, control);
    }

protected:
    ImageInfo info_;
    Extent extent_;
    PixelType type_ = PixelType::u8;
    std::uint64_t identity_ = 0;
    BlockGrid blocks_;
    int passes_ = 0;
    bool isPrepared_ = false;
    std::optional<ValidLevels> validLevels_;
};

/// Files of a volume, one of slices or one for each slice, see VolumeSlices.
struct VolumeFiles {
    std::vector<std::filesystem::path> files;
    std::uint64_t memory = 0; ///< for slices that a pass reads, bytes
};

/// Opens an image: reads the header, checks where its blocks lie in the file, and decodes one pixel. options.region is
/// the image if it is set: all positions are relative to its corner.
/// @throws Error as readImageInfo(); formatUnsupported for formats that can only be read as a whole;
/// invalidArgument for options.shrink above 1; fileDamaged for blocks outside the file. Cancelled
[[nodiscard]] std::unique_ptr<RegionSource>
openRegions(const std::filesystem::path& path, const ReadOptions& options = {}, const JobControl& control = {});
/// Opens a volume: reads the first slice, and the headers of the others. A pass reads a slice at a time per thread.
/// @throws Error as readVolume(); invalidArgument for options.shrink above 1; outOfMemory if a slice does not fit the
/// memory. Cancelled
[[nodiscard]] std::unique_ptr<RegionSource> openRegions(const VolumeFiles& volume, const ReadOptions& options = {},
                                                        const JobControl& control = {});

} // namespace pollard
