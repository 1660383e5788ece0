#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// How to make one grey value out of a colour pixel.
struct ChannelChoice {
    enum class Kind { luminance, sample };
    Kind kind = Kind::luminance; ///< luminance = 0.2126 R + 0.7152 G + 0.0722 B, rounded
    int sample = 0;              ///< 0-based sample (0 red, 1 green, 2 blue) if kind == sample

    /// Reads "luminance", "red", "green", "blue" or a 0-based sample number.
    /// @throws Error(invalidArgument)
    static ChannelChoice parse(const std::string& text);

    bool operator==(const ChannelChoice&) const = default;
};

/// Size of a pixel in the world.
struct PixelSize {
    double x = 0;       ///< width of a pixel, > 0
    double y = 0;       ///< height of a pixel, > 0
    std::string unit;   ///< "µm", "m", "°", "arcsec", ...; never an inch: such sizes come in µm
    std::string source; ///< where it comes from: "OME-XML", "GeoTIFF", "TIFF resolution", "FITS WCS", ...
    bool print = false; ///< a resolution for printing (dots an inch, 72 to 1200), which says nothing of the scene
    double z = 0;       ///< distance of neighbouring slices in the same unit; 0: unknown

    bool operator==(const PixelSize&) const = default;
};

/// What protects a person from a file that claims more than it holds.
struct ReadLimits {
    std::uint64_t maxPixels = Image::kMaxPixels;
    /// Decoded bytes (all samples) above which a file is refused before memory is taken; 0 = what the
    /// machine has free.
    std::uint64_t maxDecodedBytes = 0;
    /// Decoded bytes per stored byte above which a compressed file over 256 MiB is taken for a bomb.
    double maxExpansion = 1100.0;
};

/// What a file without a header holds: samples row after row, interleaved, without padding.
struct RawLayout {
    enum class SampleType { u8, i8, u16, i16, u32, i32, f32, f64 };
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px
    SampleType type = SampleType::u16;
    bool bigEndian = false;
    int samples = 1;          ///< per pixel
    std::uint64_t offset = 0; ///< bytes before the first page
    int pages = 1;            ///< one after the other without gaps

    bool operator==(const RawLayout&) const = default;
};

struct ReadOptions {
    int page = 0; ///< 0-based
    ChannelChoice channel;
    MappingChoice mapping;
    int level = 0; ///< of ImageInfo::levels; 0 = full resolution
    /// Only this part of the page (in px of the level); all of it if empty.
    std::optional<PixelRegion> region;
    /// Every shrink x shrink px become one, their mean rounded half up (the last row and column of blocks may be
    /// smaller); a block is valid if one of its pixels is, and only valid ones count.
    int shrink = 1;
    /// Set for a file without a header; its content is not looked at then.
    std::optional<RawLayout> raw;
    /// Size of a pixel of the page at full resolution, instead of the one that the file states.
    std::optional<PixelSize> pixelSize;
    int threads = 0; ///< for decoding; 0 = all cores
    ReadLimits limits;
};

/// One axis along which the pages of a file are counted.
struct StackAxis {
    char name = 'p'; ///< 'c' channel, 'z', 't', 'p' page without a meaning
    int count = 1;
    std::vector<std::string> labels; ///< one per position, e.g. names of channels; may be empty

    bool operator==(const StackAxis&) const = default;
};

/// A reduced version of a page, or the page itself.
struct ResolutionLevel {
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px

    bool operator==(const ResolutionLevel&) const = default;
};

/// A tag that travels unchanged from the source to every TIFF that is written from it
/// (resolution, GeoTIFF and the like).
struct CarriedTag {
    std::uint16_t tag = 0;
    std::uint16_t fieldType = 0; ///< TIFF field type (3 short, 4 long, 5 rational, 12 double, 2 ascii ...)
    std::uint64_t count = 0;     ///< values, not bytes
    std::vector<std::byte> data; ///< host byte order; rationals as float (libtiff's in-memory form)

    bool operator==(const CarriedTag&) const = default;
};

/// Facts about the file and the page that was read, for `info` and the window's status.
struct ImageInfo {
    std::string format;      ///< "TIFF", "BigTIFF", "PNG", "JPEG", "PBM", "PGM", "PPM", "FITS", "JPEG 2000" ...
    std::string compression; ///< "none", "Deflate", "LZW" ...
    std::string photometric; ///< "MinIsBlack", "MinIsWhite", "RGB", "Palette", "YCbCr"
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    int bits = 0;                          ///< bits per sample in the file (1..64)
    std::string sampleFormat = "unsigned"; ///< or "signed", "float"
    int samples = 0;                       ///< samples per pixel in the file
    int pages = 1;
    int page = 0; ///< 0-based page these facts describe
    /// How pages are counted, the first axis fastest; the product of the counts is `pages`. Empty for one page.
    std::vector<StackAxis> axes;
    /// The page itself and its reduced versions, the largest first; empty if there is only the page.
    std::vector<ResolutionLevel> levels;
    int level = 0; ///< that was read
    /// Orientation tag as in TIFF 6.0, 1..8; it has been applied: width and height are those of the upright picture.
    int orientation = 1;
    std::optional<PixelSize> pixelSize; ///< of what was read: level and shrink are accounted for
    /// Absent if the levels are the values that are stored. Of readImageInfo() only if it is known without pixels.
    std::optional<ValueMapping> mapping;
    std::uint64_t invalidPixels = 0; ///< not set in LoadedImage::valid; 0 from readImageInfo()
    /// What else the file says of itself, for people, in the order to show it: {"Coordinate system", "WGS 84 / UTM
    /// 32N"}.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<CarriedTag> carried;
    std::vector<std::string> notes; ///< what a person should know: "alpha ignored", "shown as luminance of RGB"
};

struct LoadedImage {
    std::shared_ptr<const Image> image;
    /// Pixels that hold data; null if all do. The others (no-data value, NaN, fully transparent) still have a level.
    std::shared_ptr<const Mask> valid;
    ImageInfo info;
};

/// Reads one page of an image file as a grey image. 1..8-bit unsigned samples become PixelType::u8, 9..16-bit ones
/// PixelType::u16, values kept as stored (a 12-bit file stays in 0..4095; 1-bit becomes 0 and 1) except that
/// MinIsWhite is inverted within the file's bit depth, palettes and RGB become grey by the channel choice. Signed,
/// wider and floating-point samples become levels by the mapping choice, see ValueMapping.
/// @throws Error (fileNotFound, fileUnreadable, formatUnknown, formatUnsupported, fileDamaged, limitExceeded,
///         outOfMemory, invalidArgument for a page or channel that is not there); Cancelled
[[nodiscard]] LoadedImage readImage(const std::filesystem::path& path, const ReadOptions& options = {},
                                    const JobControl& control = {});

/// Same facts as readImage without decoding the pixels.
[[nodiscard]] ImageInfo readImageInfo(const std::filesystem::path& path, const ReadOptions& options = {});

/// Name filters of all readable formats for an open dialog, e.g. {"TIFF", {"tif", "tiff"}}.
struct FormatFilter {
    std::string name;
    std::vector<std::string> extensions;
};
[[nodiscard]] std::vector<FormatFilter> readableFormats();

} // namespace pollard
