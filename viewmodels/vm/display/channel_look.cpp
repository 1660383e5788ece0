#include "vm/display/channel_look.hpp"

#include "base/text.hpp"
#include "channels/bands.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pollard::vm {

namespace {

/// Colours of channels without a stated colour, in the order of the channels.
constexpr std::array kDistinct{Qt::red, Qt::green, Qt::blue, Qt::magenta, Qt::cyan, Qt::yellow, Qt::white};

/// Upper limits of wavelengths in nm and the colour in which the light of fluorescence is usually shown.
struct Emission {
    double limit;
    Qt::GlobalColor colour;
};
constexpr std::array kEmissions{Emission{490, Qt::blue}, Emission{565, Qt::green}, Emission{590, Qt::yellow},
                                Emission{650, Qt::red}, Emission{1e9, Qt::magenta}};

QColor emissionColour(double wavelength) {
    const auto* found = std::ranges::find_if(kEmissions, [&](const Emission& one) { return wavelength < one.limit; });
    return QColor(found->colour);
}

/// Dyes and proteins by the colour in which their light is usually shown, in small letters without other characters;
/// "alexafluor488" is "af488".
struct Dyes {
    Qt::GlobalColor colour;
    std::array<std::string_view, 13> names;
};
constexpr std::array kDyes{
    Dyes{Qt::blue, {"dapi", "hoechst", "af405"}},
    Dyes{Qt::green, {"gfp", "fitc", "af488", "cy2", "calcein"}},
    Dyes{Qt::cyan, {"cfp"}},
    Dyes{Qt::yellow, {"yfp"}},
    Dyes{Qt::red,
         {"rfp", "mcherry", "dsred", "tdtomato", "tritc", "rhodamine", "texasred", "cy3", "af546", "af555", "af568",
          "af594"}},
    Dyes{Qt::magenta, {"cy5", "af647", "draq5"}},
};

std::optional<QColor> dyeColour(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) {
            letters += c;
        } else if (c >= 'A' && c <= 'Z') {
            letters += static_cast<char>(c - 'A' + 'a');
        }
    }
    for (const std::string_view longer : {"alexafluor", "alexa"}) {
        if (const std::size_t at = letters.find(longer); at != std::string::npos) {
            letters.replace(at, longer.size(), "af");
        }
    }
    for (const Dyes& dyes : kDyes) {
        for (const std::string_view dye : dyes.names) {
            if (!dye.empty() && letters.find(dye) != std::string::npos) {
                return QColor(dyes.colour);
            }
        }
    }
    return std::nullopt;
}

QColor colourOf(const Channel& channel, std::size_t index) {
    if (channel.colour) {
        const auto [red, green, blue] = *channel.colour;
        return {red, green, blue};
    }
    if (channel.wavelength > 0) {
        return emissionColour(channel.wavelength);
    }
    return dyeColour(channel.name).value_or(QColor(kDistinct[index % kDistinct.size()]));
}

/// Whether the colour of a channel is unknown or the one in its name: red, green or blue.
bool isNamedColour(const Channel& channel) {
    constexpr std::array<std::pair<std::string_view, std::array<std::uint8_t, 3>>, 3> kPrimaries{
        {{"red", {255, 0, 0}}, {"green", {0, 255, 0}}, {"blue", {0, 0, 255}}}};
    const std::string name = lowered(channel.name);
    return !channel.colour || std::ranges::any_of(kPrimaries, [&](const auto& primary) {
        return primary.first == name && primary.second == *channel.colour;
    });
}

} // namespace

std::vector<ChannelLook> defaultLooks(std::span<const Channel> channels, bool isPhoto) {
    if (channels.empty()) {
        return {};
    }
    std::vector<ChannelLook> looks(channels.size());
    // Programs that know no colours write the same one for all channels.
    const bool same = channels.size() > 1 && std::ranges::all_of(channels, [&](const Channel& channel) {
                          return channel.colour == channels.front().colour;
                      });
    for (std::size_t i = 0; i < channels.size(); ++i) {
        Channel channel = channels[i];
        if (same) {
            channel.colour.reset();
        }
        looks[i].colour = colourOf(channel, i);
        looks[i].visible = i < kDistinct.size();
    }
    // Emissions of fluorescence may lie in the visible bands, too; only a scene has an infrared band.
    const bool isScene = !isPhoto &&
                         (same || !channels.front().colour || std::ranges::all_of(channels, isNamedColour)) &&
                         findBand(channels, "nir");
    if (const auto bands = isScene ? bandsOf(kBandComposites.front(), channels) : std::nullopt) {
        constexpr std::array kRgb{Qt::red, Qt::green, Qt::blue};
        for (ChannelLook& look : looks) {
            look.visible = false;
            look.colour = Qt::white;
        }
        for (std::size_t i = 0; i < kRgb.size(); ++i) {
            looks[(*bands)[i]].visible = true;
            looks[(*bands)[i]].colour = kRgb[i];
        }
    }
    return looks;
}

double levelOf(double value, const std::optional<ValueMapping>& mapping) { return pollard::levelOf(mapping, value); }

LevelWindow levelsOf(const ChannelWindow& window, const std::optional<ValueMapping>& mapping) {
    const double low = levelOf(window.low, mapping);
    const double high = levelOf(window.high, mapping);
    return {low, std::max(high, low + 1)};
}

ChannelWindow valuesOf(const LevelWindow& window, const std::optional<ValueMapping>& mapping) {
    return {valueOf(mapping, window.low), valueOf(mapping, window.high)};
}

ChannelWindow ofSamples(const ChannelWindow& samples, const std::optional<ValueMapping>& mapping) {
    const FileSamples file = mapping ? mapping->file : FileSamples();
    const auto [low, high] =
        std::minmax({file.intercept + file.slope * samples.low, file.intercept + file.slope * samples.high});
    return {low, high};
}

QString titleOf(const BandComposite& composite) {
    return QCoreApplication::translate("BandComposite", composite.title);
}

std::optional<std::array<std::size_t, 3>> bandsOf(const BandComposite& composite, std::span<const Channel> channels) {
    std::array<std::size_t, 3> found{};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto band = findBand(channels, composite.bands[i]);
        if (!band) {
            return std::nullopt;
        }
        found[i] = *band;
    }
    return found;
}

} // namespace pollard::vm
