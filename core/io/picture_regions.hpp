#pragma once

#include "io/image_file.hpp"
#include "io/image_reader.hpp"
#include "io/region_source.hpp"
#include "io/valid_levels.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pollard {

/// Stage of PictureRegions::prepare() in the progress.
inline constexpr const char* kPassStage = "finding the range of values";

/// A picture of a file, read in regions. It may have up to 2^32 - 1 px a side and far more than Image::kMaxPixels
/// pixels; the limits of the options hold for each region that is read, and the expansion of compressed data
/// (ReadLimits:: maxExpansion) for the whole picture. A region has the pixels that readImage() of the whole picture has
/// there: type, levels and valid pixels are equal bit for bit, though levels can depend on all values of the picture
/// and its smallest and largest level on all pixels. Such facts are found by prepare() in passes() over the file, in
/// bounded memory.
///
/// The file stays open between regions where its format allows (TIFF). Not for several threads at once; each read uses
/// options.threads. The file must not change meanwhile. A page of a series has the facts of its own file.
class PictureRegions final : public RegionSource {
public:
    /// Reads the header, checks where the blocks of the picture lie in the file, and decodes one pixel.
    ///
    /// options.region is the picture if it is set: all positions below are relative to its corner.
    /// @throws Error as readImageInfo(); formatUnsupported for formats that can only be read as a whole;
    /// invalidArgument for options.shrink above 1; fileDamaged for blocks outside the file. Cancelled
    explicit PictureRegions(const std::filesystem::path& path, const ReadOptions& options = {},
                            const JobControl& control = {});
    ~PictureRegions() override;

    /// As readImageInfo() with the mapping, whose counts and range are those of one pixel; after prepare() with a pass,
    /// as that of readImage(): with the mapping and the number of pixels that are not valid.
    [[nodiscard]] const ImageInfo& info() const noexcept override { return info_; }
    [[nodiscard]] Extent extent() const noexcept override { return {area_.width, area_.height, 1}; }
    [[nodiscard]] std::uint32_t width() const noexcept { return area_.width; }   ///< px
    [[nodiscard]] std::uint32_t height() const noexcept { return area_.height; } ///< px
    [[nodiscard]] PixelType type() const noexcept override { return type_; }
    /// Tiles, or strips of the whole width. Regions that consist of whole blocks decode each block once. Rows of a
    /// strip above 8 MB are decoded one by one, and once if regions follow each other from top to bottom, whatever
    /// their height. Other formats: rows of about a million pixels.
    [[nodiscard]] const BlockGrid& blocks() const noexcept { return blocks_; }

    /// Passes over the whole picture that prepare() makes: 0 where levels are stored and all pixels are valid by the
    /// header. Else one, for the range of values or the levels of valid pixels; quantiles take one for 16 bits of the
    /// type of the values, e.g. two for 32-bit ones.
    ///
    /// No pass is needed for signed 8- and 16-bit values of an automatic mapping and for integers of a fixed range, if
    /// all pixels are valid. Their levels do not depend on other pixels, but the mapping that read() states counts and
    /// ranges over its region: all but offset and step.
    [[nodiscard]] int passes() const noexcept override { return passes_; }
    /// Makes the passes, with progress over all of them. Needed before read() if passes() is above 0.
    /// @throws Error (fileDamaged, fileUnreadable, outOfMemory); Cancelled, after which it can be called again
    void prepare(const JobControl& control = {}) override;
    /// Facts found by prepare(), in one line of text; empty if there are no passes. Before prepare() there is none.
    [[nodiscard]] std::string facts() const;
    /// In place of prepare(), by the facts of an equal object in another process.
    /// @throws Error(invalidArgument) for a text that facts() does not write for this picture
    void prepareBy(const std::string& facts);
    [[nodiscard]] bool isPrepared() const noexcept { return passes_ == 0 || prepared_; }
    /// The levels of valid pixels, if some pixel of the picture is not valid: by them, regions get the level of the
    /// root of the whole picture outside the valid pixels, see analysisImage(). Nothing if all are valid, or before
    /// prepare().
    [[nodiscard]] const std::optional<ValidLevels>& validLevels() const noexcept override { return validLevels_; }

    /// Pixels of a region, with `valid` null if all of its pixels are, and its facts: tags for its place, number of
    /// invalid pixels. Decodes the blocks with pixels of the region only.
    /// @throws Error(invalidArgument) if the region is empty or not inside the picture, or before a needed prepare();
    /// limitExceeded for more than Image::kMaxPixels pixels or more memory than options.limits or the machine allow;
    /// fileDamaged, fileUnreadable, outOfMemory. Cancelled
    [[nodiscard]] LoadedImage read(const PixelRegion& region, const JobControl& control = {});
    [[nodiscard]] LoadedImage readBox(const PixelRegion& region, const SliceRange& /*slices*/,
                                      const JobControl& control) override {
        return read(region, control);
    }

    /// identityOf() the file.
    [[nodiscard]] std::uint64_t identity() const noexcept override { return identity_; }

private:
    using Take = std::function<void(const LoadedImage& region)>;

    [[nodiscard]] int passesNeeded() const;
    [[nodiscard]] std::optional<ValueMapping> mappingOfCorner(const JobControl& control);
    [[nodiscard]] PixelRegion inPage(const PixelRegion& region) const;
    void readAll(int pass, const JobControl& control, const Take& take);
    void findValues(const JobControl& control);
    void findLevels(const JobControl& control);
    void finishPasses(const JobControl& control);

    std::filesystem::path path_;
    std::shared_ptr<ValueStatistics> statistics_;
    std::unique_ptr<RegionReader> page_;
    ImageInfo info_;
    PixelRegion area_; ///< of the page
    BlockGrid blocks_; ///< from the corner of the area
    std::uint64_t partPixels_ = 1;
    PixelType type_ = PixelType::u8;
    bool hasValues_ = false; ///< mapped to levels
    int passes_ = 0;
    bool prepared_ = false;
    std::optional<ValidLevels> validLevels_;
    std::uint64_t identity_ = 0;
};

} // namespace pollard
