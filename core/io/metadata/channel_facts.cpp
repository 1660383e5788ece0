#include "io/metadata/channel_facts.hpp"

#include "base/text.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/length_units.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

ChannelAxis channelAxisOf(const ImageInfo& info) noexcept {
    int stride = 1;
    for (const StackAxis& axis : info.axes) {
        if (axis.name == 'c') {
            return {std::max(1, axis.count), stride, &axis};
        }
        stride *= axis.count;
    }
    return {};
}

int samplesOnPage(const ImageInfo& info) noexcept {
    return info.photometric == "Palette" ? 3 : std::max(1, info.samples);
}

void arrangeChannels(ImageInfo& info, int alpha) {
    const auto positions = static_cast<std::size_t>(channelAxisOf(info).count);
    const auto samples = static_cast<std::size_t>(samplesOnPage(info));
    const bool hasAlpha = alpha >= 0 && alpha < info.samples && info.photometric != "Palette" && samples > 1;
    const std::vector<Channel> stated = std::exchange(info.channels, {});
    const bool perSample = stated.size() == positions * samples;
    const bool known = (perSample || stated.size() == positions) &&
                       std::any_of(stated.begin(), stated.end(), [](const Channel& c) { return c != Channel{}; });
    if (!known && !hasAlpha) {
        return;
    }
    for (std::size_t position = 0; position < positions; ++position) {
        for (std::size_t sample = 0; sample < samples; ++sample) {
            if (hasAlpha && static_cast<int>(sample) == alpha) {
                continue;
            }
            Channel channel;
            if (known && (perSample || samples == (hasAlpha ? 2U : 1U))) {
                channel = stated[perSample ? position * samples + sample : position];
            } else if (known) {
                channel.name = stated[position].name;
            }
            channel.sample = static_cast<int>(sample);
            info.channels.push_back(std::move(channel));
        }
    }
}

namespace {

constexpr std::size_t kMaxBytes = 64ULL << 20;
constexpr double kNanometresInMicrometre = 1000;

struct ColourName {
    std::string_view name;
    std::array<std::uint8_t, 3> colour;
};
constexpr std::array<ColourName, 6> kColours{{{"red", {255, 0, 0}},
                                              {"green", {0, 255, 0}},
                                              {"blue", {0, 0, 255}},
                                              {"cyan", {0, 255, 255}},
                                              {"magenta", {255, 0, 255}},
                                              {"yellow", {255, 255, 0}}}};

/// Texts about one band.
struct Band {
    std::string description;
    std::string interpretation; ///< "Red", "NIR" ...
    std::string wavelength;
    std::string unit;
};

/// Items with wavelengths, and the unit if the name states it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kWavelengths{{{"wavelength", ""},
                                                                                     {"central_wavelength", ""},
                                                                                     {"central_wavelength_um", "um"},
                                                                                     {"wavelength_um", "um"},
                                                                                     {"wavelength_nm", "nm"}}};

void readItem(const std::string& name, const std::string& role, const std::string& text, Band& band) {
    const auto* wavelength =
        std::find_if(kWavelengths.begin(), kWavelengths.end(), [&](const auto& item) { return item.first == name; });
    if (role == "description" || name == "description") {
        band.description = text;
    } else if (role == "colorinterp" || name == "colorinterp") {
        band.interpretation = text;
    } else if (name == "wavelength_units" || name == "wavelength_unit") {
        band.unit = lowered(text);
    } else if (wavelength != kWavelengths.end()) {
        band.wavelength = text;
        if (!wavelength->second.empty()) {
            band.unit = wavelength->second;
        }
    }
}

/// In nm; 0 if unknown.
double wavelengthOf(const Band& band, const std::string& commonUnit) {
    constexpr double kLargestMicrometres = 100;
    const double value = leadingNumber(band.wavelength).value_or(0);
    std::string unit = band.unit.empty() ? commonUnit : band.unit;
    if (unit.empty()) {
        unit = value < kLargestMicrometres ? "um" : "nm";
    }
    if (unit.size() > 3 && unit.back() == 's') {
        unit.pop_back();
    }
    const double nanometres = value * micrometresOf(unit).value_or(0) * kNanometresInMicrometre;
    return nanometres > 0 && std::isfinite(nanometres) ? nanometres : 0;
}

Channel channelOf(const Band& band, const std::string& commonUnit) {
    constexpr std::array<std::string_view, 5> kNoNames{"undefined", "gray", "grey", "palette", "alpha"};
    const std::string interpretation = lowered(band.interpretation);
    Channel channel;
    channel.name = band.description;
    if (channel.name.empty() && std::find(kNoNames.begin(), kNoNames.end(), interpretation) == kNoNames.end()) {
        channel.name = band.interpretation;
    }
    for (const ColourName& known : kColours) {
        if (known.name == interpretation) {
            channel.colour = known.colour;
        }
    }
    channel.wavelength = wavelengthOf(band, commonUnit);
    return channel;
}

/// GDAL's metadata among tags; no node without them.
pugi::xml_node metadataIn(const std::vector<CopiedTag>& tags, pugi::xml_document& document) {
    const std::string text = geoText(tags, kGdalMetadataTag);
    if (text.empty() || text.size() > kMaxBytes || !document.load_buffer(text.data(), text.size())) {
        return {};
    }
    return document.child("GDALMetadata");
}

} // namespace

void describeBands(ImageInfo& info) {
    const bool described =
        std::any_of(info.channels.begin(), info.channels.end(), [](const Channel& c) { return c != Channel{}; });
    pugi::xml_document document;
    const pugi::xml_node metadata = metadataIn(info.carried, document);
    if (!metadata || described || info.photometric == "Palette") {
        return;
    }
    std::vector<Band> bands(static_cast<std::size_t>(std::max(info.samples, 1)));
    Band common;
    for (const pugi::xml_node& item : metadata.children("Item")) {
        const pugi::xml_attribute sample = item.attribute("sample");
        const int at = sample.as_int();
        if (at >= 0 && static_cast<std::size_t>(at) < bands.size()) {
            readItem(lowered(item.attribute("name").as_string()), lowered(item.attribute("role").as_string()),
                     factText(item.child_value()), sample ? bands[static_cast<std::size_t>(at)] : common);
        }
    }
    info.channels.clear();
    for (const Band& band : bands) {
        info.channels.push_back(channelOf(band, common.unit));
    }
}

std::optional<Calibration> bandCalibration(const std::vector<CopiedTag>& tags, std::span<const int> samples) {
    pugi::xml_document document;
    const pugi::xml_node metadata = metadataIn(tags, document);
    std::optional<Calibration> common;
    for (const int wanted : samples) {
        Calibration stated;
        for (const pugi::xml_node& item : metadata.children("Item")) {
            const std::string_view role = item.attribute("role").as_string();
            if (item.attribute("sample").as_int(-1) != wanted) {
                continue;
            }
            if (role == "scale") {
                stated.slope = leadingNumber(item.child_value()).value_or(1);
            } else if (role == "offset") {
                stated.intercept = leadingNumber(item.child_value()).value_or(0);
            } else if (role == "unittype") {
                stated.unit = factText(item.child_value());
            }
        }
        if (common && stated != *common) {
            return std::nullopt;
        }
        common = std::move(stated);
    }
    return common ? calibrationOf(common->slope, common->intercept, common->unit) : std::nullopt;
}

} // namespace pollard
