#pragma once

#include "vm/image/level_histogram.hpp"
#include "vm/image/look.hpp"

#include "image/channel.hpp"
#include "image/value_mapping.hpp"

#include <QColor>
#include <QString>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pollard::vm {

/// Part of a channel in the composite image.
struct ChannelLook {
    bool visible = true;
    QColor colour = Qt::white;           ///< of the upper end of the window; the lower end is black
    std::optional<ColourMap> map;        ///< in place of the colour
    std::optional<ChannelWindow> window; ///< values of the file; unset: the default of the channel
    double gamma = 1;                    ///< power of the tone curve

    bool operator==(const ChannelLook&) const = default;
};

/// Looks of channels that the user has not changed: stated colours, else colours of the emission or of the dye in the
/// name, else distinct ones. Spectral bands are shown in true colour if the blue, green and red bands are among them.
/// @param isPhoto the channels are the red, green and blue of one image
[[nodiscard]] std::vector<ChannelLook> defaultLooks(std::span<const Channel> channels, bool isPhoto);

/// The level of a value, not rounded. @param mapping unset: levels equal values
[[nodiscard]] double levelOf(double value, const std::optional<ValueMapping>& mapping);
/// The levels of a value window, low < high.
[[nodiscard]] LevelWindow levelsOf(const ChannelWindow& window, const std::optional<ValueMapping>& mapping);
[[nodiscard]] ChannelWindow valuesOf(const LevelWindow& window, const std::optional<ValueMapping>& mapping);
/// The values of a window of samples of the file.
[[nodiscard]] ChannelWindow ofSamples(const ChannelWindow& samples, const std::optional<ValueMapping>& mapping);

/// Three bands shown as red, green and blue.
struct BandComposite {
    const char* title; ///< English, see titleOf()
    std::array<const char*, 3> bands;
};
inline constexpr std::array kBandComposites{
    BandComposite{QT_TRANSLATE_NOOP("BandComposite", "True colour"), {"red", "green", "blue"}},
    BandComposite{QT_TRANSLATE_NOOP("BandComposite", "False colour infrared"), {"nir", "red", "green"}},
    BandComposite{QT_TRANSLATE_NOOP("BandComposite", "Short-wave infrared"), {"swir2", "nir", "red"}},
    BandComposite{QT_TRANSLATE_NOOP("BandComposite", "Agriculture"), {"swir", "nir", "blue"}},
};
/// For menus, translated.
[[nodiscard]] QString titleOf(const BandComposite& composite);
/// Indices of its bands; empty if the channels lack one.
[[nodiscard]] std::optional<std::array<std::size_t, 3>> bandsOf(const BandComposite& composite,
                                                                std::span<const Channel> channels);

} // namespace pollard::vm
