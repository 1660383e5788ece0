#include "vm/display/channel_look.hpp"

#include "channels/bands.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

/// For channels without a stated colour, in their order.
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

QColor colourOf(const Channel& channel, std::size_t index) {
    if (channel.colour) {
        const auto [red, green, blue] = *channel.colour;
        return {red, green, blue};
    }
    return channel.wavelength > 0 ? emissionColour(channel.wavelength) : QColor(kDistinct[index % kDistinct.size()]);
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
    // Emissions of fluorescence may lie in the visible bands, too, so that the infrared tells a scene.
    const bool isScene = !isPhoto && (same || !channels.front().colour) && findBand(channels, "nir");
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

double levelOf(double value, const std::optional<ValueMapping>& mapping) {
    return mapping && mapping->step != 0 ? (value - mapping->offset) / mapping->step : value;
}

LevelWindow levelsOf(const ChannelWindow& window, const std::optional<ValueMapping>& mapping) {
    const double low = levelOf(window.low, mapping);
    const double high = levelOf(window.high, mapping);
    return {low, std::max(high, low + 1)};
}

ChannelWindow valuesOf(const LevelWindow& window, const std::optional<ValueMapping>& mapping) {
    const auto valueOf = [&](double level) { return mapping ? mapping->valueOf(level) : level; };
    return {valueOf(window.low), valueOf(window.high)};
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
