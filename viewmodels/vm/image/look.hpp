#pragma once

#include "vm/image/level_histogram.hpp"
#include "vm/image/tone_curve.hpp"

#include <QJsonObject>
#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard {
struct SessionLook;
}

namespace pollard::vm {

/// Colour maps of grey levels; each can be reversed. Grey, viridis, cividis, magma and inferno are perceptually uniform
/// and readable with colour-vision deficiency; turbo is a rainbow: it distinguishes many levels, but shows edges where
/// there are none.
enum class ColourMap : std::uint8_t { grey, viridis, cividis, magma, inferno, turbo };

inline constexpr std::array kColourMaps{ColourMap::grey,  ColourMap::viridis, ColourMap::cividis,
                                        ColourMap::magma, ColourMap::inferno, ColourMap::turbo};

/// Stable name for settings and colour files: "grey", "viridis" ...
[[nodiscard]] std::string_view nameOf(ColourMap map) noexcept;
[[nodiscard]] std::optional<ColourMap> findColourMap(std::string_view name) noexcept;
/// For menus, translated.
[[nodiscard]] QString titleOf(ColourMap map);

/// The stored display settings of a file.
struct Look {
    enum class Window {
        opening,   ///< that of the file, or the default for an image of this kind, not changed by the user
        automatic, ///< from percentile to percentile of the displayed page
        shown,     ///< the same, and results have a window of their own percentiles
        fixed,     ///< the numbers of `range`
    };
    Window window = Window::opening;
    LevelWindow range;     ///< if fixed: grey levels, or values of the file if inValues
    bool inValues = false; ///< the file's values became levels by a mapping that may differ between pages
    int maxLevel = 255;    ///< of the pixel type for which a range of levels was set
    ToneCurve curve = ToneCurve::linear;
    double gamma = 1;
    ColourMap map = ColourMap::grey;
    bool inverted = false;

    bool operator==(const Look&) const = default;
};

/// The record of the look in a session.
[[nodiscard]] SessionLook sessionOf(const Look& look);
/// @throws Error(invalidArgument) naming place and value of an unknown entry
[[nodiscard]] Look lookOf(const SessionLook& session);

/// For settings.
[[nodiscard]] QJsonObject toJson(const Look& look);
/// Empty if a number is missing or invalid.
[[nodiscard]] std::optional<Look> lookFromJson(const QJsonObject& json);

} // namespace pollard::vm
