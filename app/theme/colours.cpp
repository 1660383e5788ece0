#include "theme/colours.hpp"

#include <QColor>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLinearGradient>
#include <QPainter>
#include <QPixmap>
#include <QString>

#include <algorithm>
#include <cmath>

namespace pollard::app {

std::vector<QColor> colourStops(vm::ColourMap map) {
    const std::string_view name = vm::nameOf(map);
    QFile file(QStringLiteral(":/pollard/colormaps/%1.json")
                   .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size()))));
    std::vector<QColor> colours;
    if (file.open(QIODevice::ReadOnly)) {
        const QJsonArray stops = QJsonDocument::fromJson(file.readAll()).object().value(u"stops").toArray();
        for (const auto& stop : stops) {
            colours.emplace_back(stop.toString());
        }
    }
    if (colours.empty()) {
        colours = {Qt::black, Qt::white};
    }
    return colours;
}

QIcon colourMapIcon(vm::ColourMap map, QSize size, bool inverted) {
    constexpr int kDensity = 2;
    QPixmap strip(size * kDensity);
    strip.setDevicePixelRatio(kDensity);
    strip.fill(Qt::transparent);
    std::vector<QColor> colours = colourStops(map);
    if (inverted) {
        std::reverse(colours.begin(), colours.end());
    }
    QLinearGradient gradient(0, 0, size.width(), 0);
    for (std::size_t i = 0; i < colours.size(); ++i) {
        gradient.setColorAt(static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(colours.size() - 1, 1)),
                            colours[i]);
    }
    QPainter painter(&strip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(gradient);
    painter.setPen(QPen(QColor(128, 128, 128, 160), 1));
    painter.drawRoundedRect(QRectF(0.5, 0.5, size.width() - 1.0, size.height() - 1.0), 2, 2);
    return QIcon(strip);
}

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
