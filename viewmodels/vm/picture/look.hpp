#pragma once

#include "vm/picture/colour_map.hpp"
#include "vm/picture/level_histogram.hpp"
#include "vm/picture/tone_curve.hpp"

#include <QJsonObject>

#include <optional>

namespace pollard {
struct SessionLook;
}

namespace pollard::vm {

/// The stored display settings of a file.
struct Look {
    enum class Window {
        opening,   ///< that of the file, or the default for a picture of this kind, not changed by the user
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
