#include "overlays/level_colours.hpp"

#include "theme/colour_stops.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::app {

LevelColours::LevelColours(const vm::DisplayViewModel& display)
    : image_(display.window()), result_(display.resultWindow()) {
    const std::vector<QColor> stops = colourStops(display.colourMap());
    const double last = static_cast<double>(stops.size()) - 1;
    for (std::size_t i = 0; i < map_.size(); ++i) {
        const double position = last * static_cast<double>(i) / static_cast<double>(map_.size() - 1);
        const auto low = static_cast<std::size_t>(position);
        const std::size_t high = std::min(low + 1, stops.size() - 1);
        const double t = position - static_cast<double>(low);
        const auto mix = [t](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * t)); };
        map_[i] = qRgb(mix(stops[low].red(), stops[high].red()), mix(stops[low].green(), stops[high].green()),
                       mix(stops[low].blue(), stops[high].blue()));
    }
}

QRgb LevelColours::colour(double level, bool result) const noexcept {
    const vm::LevelWindow& window = result ? result_ : image_;
    const double t = (level - window.low) / std::max(window.high - window.low, 1e-3);
    return map_[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * 255))];
}

} // namespace pollard::app
