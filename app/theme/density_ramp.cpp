#include "theme/density_ramp.hpp"

#include <QColor>

#include <algorithm>
#include <cmath>

namespace pollard::app {

namespace {

constexpr double kFaintest = 0.38; ///< opacity of count 1
constexpr double kAccent = 0.6;    ///< fraction of the ramp that ends with the accent
constexpr double kInk = 0.75;      ///< fraction of the text colour at the end

} // namespace

DensityRamp densityRamp(const QPalette& palette) {
    const QColor accent = palette.color(QPalette::Highlight);
    const QColor ink = palette.color(QPalette::WindowText);
    DensityRamp ramp{};
    for (std::size_t i = 1; i < ramp.size(); ++i) {
        const double part = static_cast<double>(i) / 255;
        const double opacity = std::min(1.0, kFaintest + (1 - kFaintest) * part / kAccent);
        const double mix = kInk * std::max(0.0, (part - kAccent) / (1 - kAccent));
        const auto channel = [&](int from, int to) { return static_cast<int>(std::lround(from + mix * (to - from))); };
        ramp[i] = qPremultiply(qRgba(channel(accent.red(), ink.red()), channel(accent.green(), ink.green()),
                                     channel(accent.blue(), ink.blue()), static_cast<int>(255 * opacity)));
    }
    return ramp;
}

std::uint8_t densityStep(std::uint32_t count, std::uint32_t largest) noexcept {
    if (count == 0 || largest <= 1) {
        return count == 0 ? 0 : 255;
    }
    return static_cast<std::uint8_t>(1 + std::lround(254 * std::log(count) / std::log(largest)));
}

} // namespace pollard::app
