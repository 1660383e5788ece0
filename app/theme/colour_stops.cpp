#include "theme/colour_stops.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLinearGradient>
#include <QPainter>
#include <QPixmap>
#include <QString>

#include <algorithm>

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

} // namespace pollard::app
