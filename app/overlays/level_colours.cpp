#include "overlays/level_colours.hpp"

#include "canvas/composite_layers.hpp"
#include "theme/colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::app {

namespace {

/// Side of a square of the checkerboard, px of the overlay.
constexpr int kSquare = 4;

double displayed(double level, const vm::EvenLevels& even) {
    if (!even) {
        return level;
    }
    const double last = static_cast<double>(even->size()) - 1;
    return (*even)[static_cast<std::size_t>(std::clamp(level, 0.0, last))];
}

} // namespace

LevelColours::LevelColours(const Tone& tone, vm::ColourMap map) : tone_(tone) { setMap(colourStops(map)); }

LevelColours::LevelColours(const vm::CompositeViewModel::Layer& layer) : tone_(toneOf(layer)) {
    setMap(coloursOf(layer));
}

void LevelColours::setMap(const std::vector<QColor>& stops) {
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

QRgb LevelColours::mapped(double value) const noexcept {
    const double t = std::clamp(value, 0.0, 1.0);
    return map_[static_cast<std::size_t>(std::lround((tone_.inverted ? 1 - t : t) * 255))];
}

QRgb LevelColours::toned(double level, const vm::LevelWindow& window, bool marks) const noexcept {
    if (marks && level <= window.low) {
        return kMarkLow.rgb();
    }
    if (marks && level >= window.high) {
        return kMarkHigh.rgb();
    }
    const double t = (level - window.low) / std::max(window.high - window.low, 1e-3);
    return mapped(vm::applyCurve(tone_.curve, tone_.gamma, t));
}

QRgb LevelColours::shade(double before, double after, bool showAfter) const noexcept {
    before = displayed(before, tone_.evenBefore);
    after = displayed(after, tone_.evenAfter);
    const double change = (after - before) / std::max(tone_.differenceRange, 1e-3);
    switch (tone_.difference) {
    case Tone::Difference::around:
        return mapped(0.5 + 0.5 * change);
    case Tone::Difference::absolute:
        return mapped(std::abs(change));
    case Tone::Difference::rise:
        return mapped(showAfter ? change : 0);
    case Tone::Difference::none:
        break;
    }
    return showAfter ? toned(after, tone_.after, tone_.marksAfter) : toned(before, tone_.before, tone_.marksBefore);
}

QRgb LevelColours::nothing(int x, int y) const noexcept {
    return ((x / kSquare + y / kSquare) % 2 == 0 ? tone_.checkerLight : tone_.checkerDark).rgb();
}

} // namespace pollard::app
