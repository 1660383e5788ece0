#include "docks/tree/icicle_colours.hpp"

#include "overlays/tree_overlays.hpp"
#include "plot/chart_ticks.hpp"
#include "theme/colour_stops.hpp"
#include "theme/theme.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QLinearGradient>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::app {

namespace {

constexpr std::size_t kColours = 256;
constexpr double kPale = 0.3; ///< opacity of a removed node's grey over the background
constexpr int kStrip = 96;    ///< px
constexpr int kLeastStrip = 36;
constexpr int kStripHeight = 10;
constexpr int kLegendGap = 4;

QColor mixed(const QColor& one, const QColor& other, double share) {
    const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
    return {part(one.red(), other.red()), part(one.green(), other.green()), part(one.blue(), other.blue())};
}

/// Interpolates colour stops at @p share (0..1).
QColor colourAt(const std::vector<QColor>& stops, double share) {
    const double place = share * static_cast<double>(stops.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    return mixed(stops[first], stops[first + 1], place - static_cast<double>(first));
}

} // namespace

vm::IciclePalette iciclePalette(const QPalette& palette) {
    const std::vector<QColor> stops = colourStops(vm::ColourMap::viridis);
    const QColor ground = palette.color(QPalette::Base);
    const QColor ink = palette.color(QPalette::Text);
    vm::IciclePalette colours;
    for (std::size_t i = 0; i < kColours; ++i) {
        const double share = static_cast<double>(i) / (kColours - 1);
        colours.scale.push_back(colourAt(stops, share).rgba());
        colours.removed.push_back(mixed(ground, ink, kPale * (1 - share / 2)).rgba());
    }
    colours.undefined = mixed(ground, ink, 0.5).rgba();
    colours.selected = selectionColour();
    return colours;
}

IcicleLegend::IcicleLegend(vm::IcicleViewModel& icicle, QWidget* parent) : QWidget(parent), icicle_(icicle) {
    setObjectName(QStringLiteral("icicleLegend"));
    connect(&icicle_, &vm::IcicleViewModel::changed, this, [this] {
        const auto frame = icicle_.frame();
        const QString name = frame ? tr("Colours: %1 from %2 to %3")
                                         .arg(vm::attributeTitle(frame->column->id), shortNumber(frame->lowest),
                                              shortNumber(frame->column->maximum))
                                   : QString();
        explain(this, name, name);
        updateGeometry();
        update();
    });
}

int IcicleLegend::textWidth() const {
    const auto frame = icicle_.frame();
    const auto widthOf = [this](double value) { return fontMetrics().horizontalAdvance(shortNumber(value)) + 1; };
    return frame ? std::max(widthOf(frame->lowest), widthOf(frame->column->maximum)) : 0;
}

QSize IcicleLegend::sizeHint() const { return {kStrip + 2 * (kLegendGap + textWidth()), fontMetrics().height()}; }

QSize IcicleLegend::minimumSizeHint() const { return sizeHint() - QSize(kStrip - kLeastStrip, 0); }

void IcicleLegend::paintEvent(QPaintEvent*) {
    const auto frame = icicle_.frame();
    if (!frame) {
        return;
    }
    QPainter painter(this);
    const double side = kLegendGap + textWidth();
    const QRectF strip(side, (height() - kStripHeight) / 2.0, width() - 2 * side, kStripHeight);
    QLinearGradient gradient(strip.topLeft(), strip.topRight());
    const std::vector<QColor> stops = colourStops(vm::ColourMap::viridis);
    for (std::size_t i = 0; i < stops.size(); ++i) {
        gradient.setColorAt(static_cast<double>(i) / static_cast<double>(stops.size() - 1), stops[i]);
    }
    painter.setPen(hairline(palette()));
    painter.setBrush(gradient);
    painter.drawRect(strip);
    painter.setPen(secondaryText(palette()));
    painter.drawText(QRectF(0, 0, strip.left() - kLegendGap, height()), Qt::AlignRight | Qt::AlignVCenter,
                     shortNumber(frame->lowest));
    painter.drawText(QRectF(strip.right() + kLegendGap, 0, width() - strip.right() - kLegendGap, height()),
                     Qt::AlignLeft | Qt::AlignVCenter, shortNumber(frame->column->maximum));
}

} // namespace pollard::app
