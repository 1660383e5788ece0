#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/image_reader.hpp"
#include "io/samples/value_image.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Name of the stage of RegionSource::prepare() in the progress.
inline constexpr const char* kPassStage = "finding the range of values";

/// Reads an image or a volume in boxes. An image may have up to 2^32 - 1 px a side, and images and volumes may have far
/// more than Image::kMaxPixels pixels. The limits of the options apply to each box, except ReadLimits::maxExpansion,
/// which applies to the whole image. The pixels of a box are identical to the pixels that readImage() or readVolume()
/// returns for the whole: type, levels and valid pixels, although levels can depend on all values. prepare() finds
/// facts about all values in passes() over the files, in bounded memory.
///
/// The file of an image stays open between boxes if its reader keeps pages open; slices are opened for every box. A
/// slice is read as a whole if its format needs it or if its levels follow from all of its values. Not thread-safe;
/// each read uses options.threads. The files must not change meanwhile. A page of a series has the facts of its own
/// file.
class RegionSource {
public:
    RegionSource() = default;
    virtual ~RegionSource() = default;
    RegionSource(const RegionSource&) = delete;
    RegionSource& operator=(const RegionSource&) = delete;

    /// Like readImageInfo(), with the mapping. Before prepare(), counts and range of the mapping describe one pixel of
    /// an image; after a pass they are equal to the facts of readImage() and readVolume().
    [[nodiscard]] const ImageInfo& info() const noexcept { return info_; }
    [[nodiscard]] const Extent& extent() const noexcept { return extent_; }
    [[nodiscard]] PixelType type() const noexcept { return type_; } // after prepare()
    /// Hash of everything that determines the pixels, see identityOf().
    [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }
    /// Tiles, or strips of the whole width; of other formats rows of about a million pixels, of a volume its slices.
    /// Regions that consist of whole blocks decode each block once. Rows of a strip above 8 MB are decoded one by one,
    /// and once if regions follow each other from top to bottom, whatever their height.
    [[nodiscard]] const BlockGrid& blocks() const noexcept { return blocks_; }

    /// Number of passes over all pixels that prepare() makes: 0 if levels are stored and the header shows that all
    /// pixels are valid. Else one pass for the values or the levels of valid pixels; quantiles take one pass for 16
    /// bits of the type of values, e.g. two for 32 bits. The automatic choice may need quantiles: until prepare() has
    /// made the passes, this is the largest number.
    ///
    /// No pass is needed for signed 8- and 16-bit values of an automatic mapping and for integers of a fixed range, if
    /// all pixels are valid. Their levels do not depend on other pixels; of the mapping that read() returns, all but
    /// offset and step describe the box.
    [[nodiscard]] int passes() const noexcept { return passes_; }
    /// Makes all passes, with one progress. Needed before read() if passes() is above 0.
    /// @throws Error (fileDamaged, fileUnreadable, outOfMemory); Cancelled, after which it can be called again
    virtual void prepare(const JobControl& control = {}) = 0;
    [[nodiscard]] bool isPrepared() const noexcept { return passes_ == 0 || isPrepared_; }
    /// Facts found by prepare(), in one line of text; empty for volumes, without passes and before prepare().
    [[nodiscard]] virtual std::string facts() const { return {}; }
    /// Replaces prepare() by the facts() of an equal image in another process.
    /// @throws Error(invalidArgument) for a text that facts() does not write for this image
    virtual void prepareBy(const std::string& /*facts*/) { prepare(); }
    /// The range of levels of valid pixels, if some pixel is not valid: analysisImage() of a box needs it to give
    /// invalid pixels the level of the root of the whole. Nothing if all pixels are valid, or before prepare().
    [[nodiscard]] const std::optional<ValidLevels>& validLevels() const noexcept { return validLevels_; }

    /// Reads a region of some slices with its facts: tags for the place of an image's region, number of invalid pixels.
    /// `valid` is null if all pixels are valid. Decodes only blocks with pixels of the region.
    /// @throws Error(invalidArgument) for a box that is empty or not inside, or before a needed prepare();
    /// limitExceeded for more than Image::kMaxPixels pixels or more memory than options.limits or the machine allow;
    /// formatUnsupported for slices that differ; fileDamaged, fileUnreadable, outOfMemory. Cancelled
    [[nodiscard]] virtual LoadedImage readBox(const PixelRegion& region, const SliceRange& slices,
                                              const JobControl& control) = 0;
    /// Like readBox(), for an image, which has one slice.
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

/// Hash of everything that determines the pixels of an image or volume: size, time and first bytes of the files, and
/// options. Independent of paths. Different for different files and options, except with a probability of about
/// 2^-64.
/// @throws Error(fileNotFound, fileUnreadable)
[[nodiscard]] std::uint64_t identityOf(std::span<const std::filesystem::path> files, const ReadOptions& options);

} // namespace pollard
