#pragma once

#include "vm/image/level_histogram.hpp"

#include <QJsonObject>
#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard {
struct SessionDisplay;
} // namespace pollard

namespace pollard::vm {

/// Mapping from the window's 0..1 to 0..1 of the colour map.
enum class ToneCurve : std::uint8_t {
    linear,
    logarithmic, ///< log(1 + 1000 t) / log(1001), as in viewers for astronomy
    squareRoot,
    gamma, ///< t^gamma: below 1 dark parts become brighter
    asinh, ///< asinh(10 t) / asinh(10), as in viewers for astronomy
};

inline constexpr std::array kToneCurves{ToneCurve::linear, ToneCurve::logarithmic, ToneCurve::asinh,
                                        ToneCurve::squareRoot, ToneCurve::gamma};

inline constexpr double kSmallestGamma = 0.1;
inline constexpr double kLargestGamma = 5.0;

/// @param t place within the window, clamped to 0..1
[[nodiscard]] double applyCurve(ToneCurve curve, double gamma, double t) noexcept;

/// Stable name for settings: "linear", "logarithmic", "square-root", "gamma", "asinh".
[[nodiscard]] std::string_view nameOf(ToneCurve curve) noexcept;
[[nodiscard]] std::optional<ToneCurve> findToneCurve(std::string_view name) noexcept;
/// For menus, translated.
[[nodiscard]] QString titleOf(ToneCurve curve);

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
        opening,   ///< the window of the file, or the default for this kind of image, not changed by the user
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
[[nodiscard]] SessionDisplay sessionOf(const Look& look);
/// @throws Error(invalidArgument) naming place and value of an unknown entry
[[nodiscard]] Look lookOf(const SessionDisplay& session);

/// The look as stored in the settings.
[[nodiscard]] QJsonObject toJson(const Look& look);
/// Reads a stored look; empty if a number is missing or invalid.
[[nodiscard]] std::optional<Look> lookFromJson(const QJsonObject& json);

} // namespace pollard::vm
