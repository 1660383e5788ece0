#include "formats/tiff/tiff_description.hpp"

#include "base/number_text.hpp"
#include "io/metadata/band_items.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/ome_xml.hpp"
#include "io/metadata/print_resolution.hpp"

#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

namespace pollard {

namespace {

constexpr double kInch = 25400;
constexpr double kCentimetre = 10000;
constexpr std::uint32_t kImageJSizes = 50838; ///< IJMetadataByteCounts
constexpr std::uint32_t kImageJBlock = 50839; ///< IJMetadata

std::string textTag(TIFF* tiff, std::uint32_t tag) {
    const char* text = nullptr;
    return TIFFGetField(tiff, tag, &text) == 1 && text != nullptr ? text : "";
}

/// Values of a tag unknown to libtiff; empty if it is missing or has another type.
template <class T> std::span<const T> arrayTag(TIFF* tiff, std::uint32_t tag, TIFFDataType type) {
    const TIFFField* field = TIFFFindField(tiff, tag, TIFF_ANY);
    // Fields of other kinds take other arguments in the call below.
    if (field == nullptr || TIFFFieldPassCount(field) == 0 || TIFFFieldReadCount(field) != TIFF_VARIABLE2 ||
        TIFFFieldDataType(field) != type) {
        return {};
    }
    std::uint32_t count = 0;
    const void* values = nullptr;
    if (TIFFGetField(tiff, tag, &count, &values) != 1 || values == nullptr) {
        return {};
    }
    return {static_cast<const T*>(values), count};
}

struct Resolution {
    double x = 0; ///< px per unit, 0 if absent
    double y = 0;
    std::uint16_t unit = RESUNIT_INCH;
};

Resolution readResolution(TIFF* tiff) {
    Resolution resolution;
    float value = 0;
    resolution.x = TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &value) == 1 ? static_cast<double>(value) : 0.0;
    resolution.y = TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &value) == 1 ? static_cast<double>(value) : 0.0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &resolution.unit);
    return resolution;
}

/// Proportions by a resolution without a unit (TIFF 6.0, ResolutionUnit); nothing for squares.
std::optional<VoxelSides> spacingOfResolution(const Resolution& resolution) {
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
        if (std::string text = factText(textTag(tiff, tag)); !text.empty()) {
            info.facts.emplace_back(label, std::move(text));
        }
    }
}

} // namespace

TiffStackTexts tiffStackTexts(TIFF* tiff) {
    TiffStackTexts texts{textTag(tiff, TIFFTAG_IMAGEDESCRIPTION), {}};
    if (isImageJ(texts.description)) {
        texts.imageJ =
            imageJMetadata(arrayTag<std::uint8_t>(tiff, kImageJBlock, TIFF_BYTE),
                           arrayTag<std::uint32_t>(tiff, kImageJSizes, TIFF_LONG), TIFFIsBigEndian(tiff) != 0);
    }
    return texts;
}

void describeTiff(TIFF* tiff, const TiffStackTexts& first, ImageInfo& info) {
    const Resolution resolution = readResolution(tiff);
    const std::string description = textTag(tiff, TIFFTAG_IMAGEDESCRIPTION);
    const bool ome = isOmeXml(first.description);
    const bool imageJ = isImageJ(first.description);
    if (ome) {
        describeOmeXml(first.description, info);
    } else if (imageJ) {
        describeImageJ(first.description, resolution.x, resolution.y, info);
        describeImageJChannels(first.description, first.imageJ, info);
    }
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
    addTexts(tiff, description, ome || imageJ, info);
    if (info.axes.empty() && info.pages > 1) {
        info.axes = {{'p', info.pages, {}}};
    }
}

} // namespace pollard
