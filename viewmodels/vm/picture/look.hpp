#pragma once

#include "vm/picture/colour_map.hpp"
#include "vm/picture/level_histogram.hpp"
#include "vm/picture/tone_curve.hpp"

#include <QJsonObject>

#include <optional>

namespace pollard::vm {

/// How a file was last looked at: what is remembered of it from one opening to the next.
struct Look {
    enum class Window {
        opening,   ///< as a picture of this kind is opened; nobody touched it
        automatic, ///< from percentile to percentile of the page that is shown
        fixed,     ///< the numbers of `range`
    };
    Window window = Window::opening;
    LevelWindow range;     ///< if fixed: grey levels, or values of the file if inValues
    bool inValues = false; ///< the file's values became levels by a mapping that may differ from page to page
    int maxLevel = 255;    ///< of the pixel type that a range of levels is meant for
    ToneCurve curve = ToneCurve::linear;
    double gamma = 1;
    ColourMap map = ColourMap::grey;
    bool inverted = false;

    bool operator==(const Look&) const = default;
};

/// For settings.
[[nodiscard]] QJsonObject toJson(const Look& look);
/// Nothing if a number is missing or makes no sense.
[[nodiscard]] std::optional<Look> lookFromJson(const QJsonObject& json);

} // namespace pollard::vm
