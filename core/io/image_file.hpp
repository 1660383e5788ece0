#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/channel.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/metadata/sky_header.hpp"
#include "io/samples/no_data.hpp"
#include "io/volumes/voxel_place.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

class ValueStatistics;

/// The grey value of a pixel with several samples or channels.
struct ChannelChoice {
    enum class Kind {
        luminance, ///< 0.2126 R + 0.7152 G + 0.0722 B, rounded
        sample,    ///< a sample of the page
        named,     ///< a channel by its name, see channelsOf(); if pages are channels, it replaces the page
        derived,   ///< values computed from channels
    };
    Kind kind = Kind::luminance;
    int sample = 0; ///< 0-based index if kind == sample
    /// Name of the channel if kind == named; expression, e.g. "nd(nir,red)", if kind == derived; "red", "green", "blue"
    /// or empty if kind == sample: a channel with this name in the file takes precedence over sample 0, 1 or 2.
    std::string name = {};

    /// Parses "luminance", "red", "green", "blue", a 0-based sample index, an expression that Derivation::parse()
    /// reads, or the name of a channel, which starts with a letter.
    /// @throws Error(invalidArgument)
    static ChannelChoice parse(const std::string& text);
    /// Text that parse() reads.
    [[nodiscard]] std::string text() const;

    bool operator==(const ChannelChoice&) const = default;
};

/// Physical size of a pixel.
struct PixelSize {
    double x = 0;       ///< width, > 0
    double y = 0;       ///< height, > 0
    std::string unit;   ///< "µm", "m", "°", "arcsec", ...; inches are converted to µm
    std::string source; ///< origin: "OME-XML", "GeoTIFF", "TIFF resolution", "FITS WCS", ...
    bool print = false; ///< a print resolution (72 to 1200 dpi), which does not describe the scene
    double z = 0;       ///< distance between slices in the same unit; 0: unknown
    /// Why lengths and areas have no unit although there is a size; empty if they have a unit.
    std::string whyNoUnit = {};

    bool operator==(const PixelSize&) const = default;
};

/// Protection against files that claim more than they contain.
struct ReadLimits {
    std::uint64_t maxPixels = Image::kMaxPixels;
    /// Largest number of decoded bytes (all samples), checked before allocation; 0 = the machine's free memory.
    std::uint64_t maxDecodedBytes = 0;
    /// Decoded bytes per stored byte above which a compressed file that decodes to over 256 MiB is rejected as a
    /// decompression bomb; infinity = no limit.
    double maxExpansion = 1100.0;
};

/// Content of a file without a header: samples row by row, interleaved, without padding.
struct RawLayout {
    enum class SampleType { u8, i8, u16, i16, u32, i32, f32, f64 };
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px
    SampleType type = SampleType::u16;
    bool bigEndian = false;
    int samples = 1;          ///< per pixel
    std::uint64_t offset = 0; ///< bytes before the first page
    int pages = 1;            ///< consecutive, without gaps

    bool operator==(const RawLayout&) const = default;
};

/// How slices are projected to one image.
enum class Projection : std::uint8_t {
    maximum, ///< largest value along z
    minimum,
    mean,     ///< rounded half up to a level
    sharpest, ///< the slice whose Laplacian has the largest variance; the first of equal ones
};

struct ReadOptions {
    int page = 0; ///< 0-based
    ChannelChoice channel;
    MappingChoice mapping;
    /// Whether a file of a series, see seriesOf(), stands for the volume: page k is then the file of slice k.
    bool series = false;
    int level = 0; ///< index in ImageInfo::levels; 0 = full resolution
    /// Part of the page to read, in px of the level; unset: the whole page.
    std::optional<PixelRegion> region;
    /// Slices of a volume to read; unset: all slices. readImage() ignores it without a projection.
    std::optional<SliceRange> slices;
    /// Projects the slices along z with the page, or `slices`, to one image, see readProjection(). readVolume() ignores
    /// it. The facts have the axes and pages of the file and the requested page.
    std::optional<Projection> projection;
    /// Averages blocks of shrink x shrink px, rounded half up (the last row and column of blocks may be smaller). Only
    /// valid pixels count; a block is valid if it has a valid pixel. Blocks of a volume also have `shrink` slices.
    int shrink = 1;
    /// Layout of a file without a header; if set, the format is not detected.
    std::optional<RawLayout> raw;
    /// Axes of the pages for a file that states none, see stateAxes(); empty: the axes in the file.
    std::string axes = {};
    /// Pixel size of the page at full resolution; replaces the size in the file.
    std::optional<PixelSize> pixelSize;
    /// Whether transparent pixels have data. Alpha that is 0 in the whole page is always ignored.
    bool ignoreAlpha = false;
    /// Sample of pixels without data from a sidecar file, for images that state none. Set by readers.
    std::optional<NoData> noData;
    /// Whether to set LoadedImage::samples, to write results with the samples of unchanged pixels.
    bool keepSamples = false;
    int threads = 0; ///< for decoding; 0 = all cores
    ReadLimits limits;
    /// Facts about all values of an image that is read in regions, see RegionSource; null: the mapping follows from the
    /// pixels that are read.
    std::shared_ptr<ValueStatistics> statistics = nullptr;
};

/// An axis of the pages of a file.
struct StackAxis {
    char name = 'p'; ///< 'c' channel, 'z', 't', 'p' page without a meaning
    int count = 1;
    std::vector<std::string> labels; ///< one per position, e.g. channel names; may be empty
    double step = 0;                 ///< distance of times in `unit`; 0: not stated. Slices have PixelSize::z
    std::string unit = {};           ///< of the step, one of secondsOf()

    /// Whether the positions are the same; ignores their distance.
    bool operator==(const StackAxis& other) const {
        return name == other.name && count == other.count && labels == other.labels;
    }
};

/// A page or one of its reduced versions.
struct ResolutionLevel {
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px

    bool operator==(const ResolutionLevel&) const = default;
};

/// A tag that is copied unchanged from the source to every TIFF written from it (resolution, GeoTIFF and so on).
struct CopiedTag {
    std::uint16_t tag = 0;
    std::uint16_t fieldType = 0; ///< TIFF field type (3 short, 4 long, 5 rational, 12 double, 2 ascii ...)
    std::uint64_t count = 0;     ///< number of values, not bytes
    std::vector<std::byte> data; ///< host byte order; rationals as float (libtiff's representation)

    bool operator==(const CopiedTag&) const = default;
};

inline constexpr int kSeveralBands = -1;

/// Facts about a file and the page read, for `info` and the window's status.
struct ImageInfo {
    std::string format;      ///< "TIFF", "BigTIFF", "PNG", "JPEG", "PBM", "PGM", "PPM", "FITS", "JPEG 2000" ...
    std::string compression; ///< "none", "Deflate", "LZW" ...
    std::string photometric; ///< "MinIsBlack", "MinIsWhite", "RGB", "Palette", "YCbCr"
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    int bits = 0;                          ///< bits per sample in the file (1..64)
    std::string sampleFormat = "unsigned"; ///< "unsigned", "signed" or "float"
    int samples = 0;                       ///< samples per pixel in the file
    /// The sample that was read from a page of a TIFF with several; kSeveralBands: computed from several samples.
    std::optional<int> band;
    int pages = 1;
    int page = 0; ///< 0-based page described here
    /// Axes of the pages, the fastest first; the product of the counts is `pages`. Empty for one page.
    std::vector<StackAxis> axes;
    /// The page and its reduced versions, the largest first; empty if there are none.
    std::vector<ResolutionLevel> levels;
    int level = 0; ///< level described here
    /// TIFF 6.0 orientation, 1..8. Already applied: width and height are the sides of the upright image.
    int orientation = 1;
    bool isSeries = false;              ///< the pages are files of a folder that state that they form one volume
    std::optional<PixelSize> pixelSize; ///< at the level read, after shrinking
    /// Sides in an unknown unit, if there is no pixel size; z is 0 if unknown.
    std::optional<VoxelSides> spacing;
    std::optional<VoxelPlace> place; ///< of the pixels read; the page is a slice of this volume
    std::optional<SkyHeader> sky;    ///< of the pixels read; only of FITS
    /// Unset if levels equal stored values. readImageInfo() sets it only if it is known without decoding, with the ends
    /// of the type as minimum and maximum.
    std::optional<ValueMapping> mapping;
    /// Calibration of the channel that is read, as the file states it. The mapping contains it, too.
    std::optional<Calibration> calibration;
    bool masksByAlpha = false;           ///< fully transparent pixels have no data
    std::optional<ChannelWindow> window; ///< values that the file asks to display black and white; unset: unknown
    std::uint64_t invalidPixels = 0;     ///< pixels unset in LoadedImage::valid; 0 from readImageInfo()
    /// Further facts for display, in order: {"Coordinate system", "WGS 84 / UTM 32N"}.
    std::vector<std::pair<std::string, std::string>> facts;
    /// Facts that the file states about its channels: the positions of the axis 'c', or the samples of a page. Empty if
    /// there are none; channelsOf() completes them.
    std::vector<Channel> channels;
    std::vector<CopiedTag> carried;
    std::vector<std::string> notes; ///< notes for the user: "alpha ignored", "shown as luminance of RGB"
};

/// Samples of a file, one for each pixel, in the order of the pixels.
struct SampleGrid {
    ValueType type = ValueType::f32;
    Buffer<std::byte> samples; ///< little-endian
};

struct LoadedImage {
    std::shared_ptr<const Image> image;
    /// Pixels with data; null if all pixels have data. Pixels without data (no-data value, NaN, fully transparent)
    /// still have a level. The mask of a volume has the rows of all slices: row z * height + y.
    std::shared_ptr<const Mask> valid;
    ImageInfo info;
    /// Set with ReadOptions::keepSamples, unless ValueMapping::sampleOf() returns the sample of every pixel from its
    /// level. The mean of slices has none.
    std::shared_ptr<const SampleGrid> samples = {};
};

/// Reads a page of an image file as a grey image. Unsigned samples of 1..8 bits become PixelType::u8, of 9..16 bits
/// PixelType::u16, with stored values (12-bit files stay in 0..4095; 1-bit values are 0 and 1). MinIsWhite is inverted
/// within its bit depth; the channel choice converts palettes and RGB to grey. Signed, wider and floating-point samples
/// are mapped to levels by the mapping choice, whose ends are values, see ValueMapping. If the file states a
/// calibration, the mapping describes the calibrated values; a negative slope reverses the levels.
/// @throws Error (fileNotFound, fileUnreadable, formatUnknown, formatUnsupported, fileDamaged, limitExceeded,
/// outOfMemory, invalidArgument for a missing page or channel); Cancelled
[[nodiscard]] LoadedImage readImage(const std::filesystem::path& path, const ReadOptions& options = {},
                                    const JobControl& control = {});

/// Like readImage(), but does not decode pixels.
[[nodiscard]] ImageInfo readImageInfo(const std::filesystem::path& path, const ReadOptions& options = {});

/// Name filter of a readable format for an open dialog, e.g. {"TIFF", {"tif", "tiff"}}.
struct FormatFilter {
    std::string name;
    std::vector<std::string> extensions;
    std::vector<std::string> files = {}; ///< names of files that represent their folder
};
[[nodiscard]] std::vector<FormatFilter> readableFormats();

/// Whether a folder is an image or several images: a group or array of Zarr. False for files.
[[nodiscard]] bool isZarrFolder(const std::filesystem::path& path) noexcept;

/// Whether the content of a file is DICOM; false if the file cannot be read.
[[nodiscard]] bool hasDicomMark(const std::filesystem::path& path) noexcept;

} // namespace pollard
