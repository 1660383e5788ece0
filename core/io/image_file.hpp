#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
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

/// What protects a person from a file that claims more than it holds.
struct ReadLimits {
    std::uint64_t maxPixels = Image::kMaxPixels;
    /// Decoded bytes (all samples) above which a file is refused before memory is taken; 0 = what the
    /// machine has free.
    std::uint64_t maxDecodedBytes = 0;
    /// Decoded bytes per stored byte above which a compressed file over 256 MiB is taken for a bomb.
    double maxExpansion = 1100.0;
};

struct ReadOptions {
    int page = 0; ///< 0-based
    ChannelChoice channel;
    ReadLimits limits;
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
    std::string format;      ///< "TIFF", "BigTIFF", "PNG", "JPEG", "PBM", "PGM", "PPM"
    std::string compression; ///< "none", "Deflate", "LZW" ...
    std::string photometric; ///< "MinIsBlack", "MinIsWhite", "RGB", "Palette", "YCbCr"
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    int bits = 0;    ///< bits per sample in the file (1..16)
    int samples = 0; ///< samples per pixel in the file
    int pages = 1;
    int page = 0; ///< 0-based page these facts describe
    std::vector<CarriedTag> carried;
    std::vector<std::string> notes; ///< what a person should know: "alpha ignored", "shown as luminance of RGB"
};

struct LoadedImage {
    std::shared_ptr<const Image> image;
    ImageInfo info;
};

/// Reads one page of an image file as a grey image. 1..8-bit samples become PixelType::u8, 9..16-bit ones
/// PixelType::u16, values kept as stored (a 12-bit file stays in 0..4095; 1-bit becomes 0 and 1) except that
/// MinIsWhite is inverted within the file's bit depth, palettes and RGB become grey by the channel choice.
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
