#include "formats/tiff/tiff_description.hpp"

#include "base/text.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/length_units.hpp"
#include "io/samples/value_image.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <tiff.h>
#include <utility>

namespace pollard {

namespace {

constexpr double kInch = 25400;
constexpr double kCentimetre = 10000;

/// Proportions by a resolution without a unit (TIFF 6.0, ResolutionUnit); nothing for squares.
std::optional<VoxelSides> spacingOfResolution(const TiffResolution& resolution) {
    const VoxelSides sides{1 / resolution.x, 1 / resolution.y, 0};
    const auto usable = [](double side) { return side > 0 && std::isfinite(side); };
    return usable(sides.x) && usable(sides.y) && sides.x != sides.y ? std::optional(sides) : std::nullopt;
}

/// Parses "|MPP = 0.499|" in the description of a slide from an Aperio scanner.
std::optional<PixelSize> aperioPixelSize(std::string_view description) {
    constexpr std::string_view kKey = "|MPP = ";
    const std::size_t at = description.find(kKey);
    if (!description.starts_with("Aperio") || at == std::string_view::npos) {
        return std::nullopt;
    }
    const double size = leadingNumber(description.substr(at + kKey.size(), 32)).value_or(0);
    return size > 0 && std::isfinite(size) ? std::optional(PixelSize{size, size, "µm", "Aperio", false}) : std::nullopt;
}

/// The calibration function in ImageJ's text, which is about integers. ImageJ stores signed integers as unsigned ones
/// with a function that makes them signed.
std::optional<Calibration> imageJCalibration(const ImageInfo& about, const ImageInfo& info) {
    constexpr double kSigned = -32768;
    std::optional<Calibration> stated = about.calibration;
    const bool isHeld = stated && info.sampleFormat == "signed" && stated->slope == 1 && stated->intercept == kSigned;
    if (stated && (isHeld || info.sampleFormat == "float")) {
        return calibrationOf(1, 0, stated->unit);
    }
    return stated;
}

void addTexts(TIFF* tiff, const std::string& description, bool described, ImageInfo& info) {
    constexpr std::array<std::pair<std::uint32_t, const char*>, 6> kTexts = {{{TIFFTAG_DOCUMENTNAME, "Document"},
                                                                              {TIFFTAG_MAKE, "Made by"},
                                                                              {TIFFTAG_MODEL, "Model"},
                                                                              {TIFFTAG_SOFTWARE, "Software"},
                                                                              {TIFFTAG_DATETIME, "Date"},
                                                                              {TIFFTAG_ARTIST, "Artist"}}};
    if (const std::string text = factText(description); !described && !text.empty()) {
        info.facts.emplace_back("Description", text);
    }
    for (const auto& [tag, label] : kTexts) {
        if (std::string text = factText(tiffText(tiff, tag)); !text.empty()) {
            info.facts.emplace_back(label, std::move(text));
        }
    }
}

} // namespace

void describeTiff(TIFF* tiff, const TiffStack& stack, ImageInfo& info) {
    const TiffResolution resolution = readTiffResolution(tiff);
    const std::string description = tiffText(tiff, TIFFTAG_IMAGEDESCRIPTION);
    const ImageInfo& about = stack.about;
    info.pages = about.pages;
    info.axes = about.axes;
    info.channels = about.channels;
    info.pixelSize = about.pixelSize;
    info.spacing = about.spacing;
    info.calibration = imageJCalibration(about, info);
    info.facts.insert(info.facts.end(), about.facts.begin(), about.facts.end());
    info.notes.insert(info.notes.end(), about.notes.begin(), about.notes.end());
    if (!info.pixelSize) {
        info.pixelSize = aperioPixelSize(description);
    }
    describeGeoTags(info);
    describeBands(info);
    if (!info.pixelSize && resolution.unit != RESUNIT_NONE) {
        info.pixelSize = pixelSizeOfResolution(
            resolution.x, resolution.y, resolution.unit == RESUNIT_CENTIMETER ? kCentimetre : kInch, "TIFF resolution");
    }
    if (!info.pixelSize && !info.spacing && resolution.unit == RESUNIT_NONE) {
        info.spacing = spacingOfResolution(resolution);
    } else if (info.pixelSize && info.spacing && info.pixelSize->z == 0) {
        info.pixelSize->z = info.spacing->z * (info.pixelSize->x / info.spacing->x);
    }
    addTexts(tiff, description, stack.isDescribed, info);
    if (info.axes.empty() && info.pages > 1) {
        info.axes = {{unclearOrder(info).empty() ? 'p' : kUnclearAxis, info.pages, {}}};
    }
}

std::string tiffCompressionName(std::uint16_t compression) {
    switch (compression) {
    case COMPRESSION_NONE:
        return "none";
    case COMPRESSION_CCITTRLE:
        return "CCITT RLE";
    case COMPRESSION_CCITTRLEW:
        return "CCITT RLE, word aligned";
    case COMPRESSION_CCITTFAX3:
        return "CCITT Group 3";
    case COMPRESSION_CCITTFAX4:
        return "CCITT Group 4";
    case COMPRESSION_LZW:
        return "LZW";
    case COMPRESSION_OJPEG:
        return "old-style JPEG";
    case COMPRESSION_JPEG:
        return "JPEG";
    case COMPRESSION_NEXT:
        return "NeXT";
    case COMPRESSION_PACKBITS:
        return "PackBits";
    case COMPRESSION_THUNDERSCAN:
        return "ThunderScan";
    case COMPRESSION_PIXARLOG:
        return "PixarLog";
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
        return "Deflate";
    case COMPRESSION_JBIG:
        return "JBIG";
    case COMPRESSION_SGILOG:
    case COMPRESSION_SGILOG24:
        return "SGILog";
    case COMPRESSION_JP2000:
        return "JPEG 2000";
    case COMPRESSION_LERC:
        return "LERC";
    case COMPRESSION_LZMA:
        return "LZMA";
    case COMPRESSION_ZSTD:
        return "Zstandard";
    case COMPRESSION_WEBP:
        return "WebP";
    case COMPRESSION_JXL:
        return "JPEG XL";
    default:
        return "compression " + std::to_string(compression);
    }
}

std::string tiffPhotometricName(std::uint16_t photometric) {
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
        return "MinIsWhite";
    case PHOTOMETRIC_MINISBLACK:
        return "MinIsBlack";
    case PHOTOMETRIC_RGB:
        return "RGB";
    case PHOTOMETRIC_PALETTE:
        return "Palette";
    case PHOTOMETRIC_MASK:
        return "Mask";
    case PHOTOMETRIC_SEPARATED:
        return "CMYK";
    case PHOTOMETRIC_YCBCR:
        return "YCbCr";
    case PHOTOMETRIC_CIELAB:
        return "CIE Lab";
    case PHOTOMETRIC_ICCLAB:
        return "ICC Lab";
    case PHOTOMETRIC_ITULAB:
        return "ITU Lab";
    case PHOTOMETRIC_CFA:
        return "colour filter array";
    case PHOTOMETRIC_LOGL:
        return "LogL";
    case PHOTOMETRIC_LOGLUV:
        return "LogLuv";
    case kLinearRawPhotometric:
        return "linear raw";
    default:
        return "photometric " + std::to_string(photometric);
    }
}

std::string tiffSampleFormatName(std::uint16_t sampleFormat) {
    switch (sampleFormat) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
        return "unsigned";
    case SAMPLEFORMAT_INT:
        return "signed";
    case SAMPLEFORMAT_IEEEFP:
        return "floating-point";
    case SAMPLEFORMAT_COMPLEXINT:
    case SAMPLEFORMAT_COMPLEXIEEEFP:
        return "complex";
    default:
        return "sample format " + std::to_string(sampleFormat);
    }
}

} // namespace pollard
