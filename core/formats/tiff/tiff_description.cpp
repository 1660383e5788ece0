#include "formats/tiff/tiff_description.hpp"

#include "base/number_text.hpp"
#include "io/metadata/band_items.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/print_resolution.hpp"
#include "io/samples/calibration.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
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

/// The function in ImageJ's text, which is about integers. ImageJ itself holds signed ones as unsigned ones, with a
/// function that makes them signed.
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

} // namespace pollard
