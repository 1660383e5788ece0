#include "overlays/measure_overlays.hpp"

#include "io/volumes/patient_axes.hpp"
#include "overlays/overlay.hpp"
#include "theme/colours.hpp"
#include "theme/theme.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/session/pixel_size_view_model.hpp"

#include <QFontMetricsF>
#include <QLineF>
#include <QLocale>
#include <QPainterPath>
#include <QVector>

#include <algorithm>
#include <cmath>

namespace pollard::app {

QRegion PixelGridOverlay::area(const OverlayScene& scene) const {
    if (!overlays_.hasPixelGrid() || scene.image.isEmpty() ||
        std::min(scene.scale, scene.scaleDown()) * scene.ratio < kSmallestPixel) {
        return {};
    }
    return QRectF(QPointF(0, 0), scene.size).intersected(scene.imageArea()).toAlignedRect();
}

void PixelGridOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const QRectF part = scene.visiblePart();
    const QRectF seen(scene.toSurface(part.topLeft()), scene.toSurface(part.bottomRight()));
    // A dark and a bright hairline side by side, visible on every background.
    const double offset = 1 / scene.ratio;
    QVector<QLineF> dark;
    QVector<QLineF> bright;
    const auto add = [&](double at, bool vertical) {
        const auto line = [&](double place) {
            return vertical ? QLineF(place, seen.top(), place, seen.bottom())
                            : QLineF(seen.left(), place, seen.right(), place);
        };
        dark << line(at);
        bright << line(at - offset);
    };
    for (double x = std::ceil(part.left()); x <= part.right(); ++x) {
        add(scene.toSurface({x, 0}).x(), true);
    }
    for (double y = std::ceil(part.top()); y <= part.bottom(); ++y) {
        add(scene.toSurface({0, y}).y(), false);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(QColor(0, 0, 0, 90), 0));
    painter.drawLines(dark);
    painter.setPen(QPen(QColor(255, 255, 255, 70), 0));
    painter.drawLines(bright);
}

namespace {

constexpr double kMajor = 10; ///< length of a tick
constexpr double kMinor = 5;
constexpr double kPointerSize = 5; ///< half the width of the pointer's mark

QFont rulerFont(QFont font) {
    font.setPixelSize(10);
    return font;
}

} // namespace

QRegion RulerOverlay::area(const OverlayScene& scene) const {
    if (!overlays_.hasRulers() || scene.image.isEmpty()) {
        return {};
    }
    const QSize size = scene.size.toSize();
    const int width = static_cast<int>(kRulerWidth);
    return QRegion(0, 0, size.width(), width) + QRegion(0, width, width, size.height() - width);
}

vm::RulerAxis RulerOverlay::axisFor(const OverlayScene& scene, Qt::Orientation orientation) const {
    const bool horizontal = orientation == Qt::Horizontal;
    vm::RulerAxis axis{.unit = QStringLiteral("px"), .whole = true};
    if (scene.map && !overlays_.areRulersInPixels()) {
        return horizontal ? scene.map->x : scene.map->y;
    }
    if (scene.pixelSize && !overlays_.areRulersInPixels()) {
        // The unit in which the steps of the ruler are readable numbers.
        const double step = vm::rulerGap({}) / scene.scale * scene.pixelSize->x;
        const vm::WorldUnit unit = vm::readableUnit(step, scene.pixelSize->unit);
        axis = {.unit = unit.name, .perPixel = (horizontal ? scene.pixelSize->x : scene.pixelSize->y) * unit.factor};
    }
    if (axesOf(scene.plane)[horizontal ? 0 : 1]
            .isReversed) { // numbers count from the first voxel, as in the other views
        axis.first = (horizontal ? scene.image.width() : scene.image.height()) * axis.perPixel;
        axis.perPixel = -axis.perPixel;
    }
    return axis;
}

void RulerOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (!overlays_.hasRulers() || scene.image.isEmpty()) {
        return;
    }
    painter.setFont(rulerFont(scene.font));
    paintRuler(painter, scene, Qt::Horizontal);
    paintRuler(painter, scene, Qt::Vertical);
    paintCorner(painter, scene);
}

void RulerOverlay::paintRuler(QPainter& painter, const OverlayScene& scene, Qt::Orientation orientation) const {
    const bool horizontal = orientation == Qt::Horizontal;
    const vm::RulerAxis axis = axisFor(scene, orientation);
    const double length = (horizontal ? scene.size.width() : scene.size.height()) - kRulerWidth;
    const double origin = (horizontal ? scene.origin.x() : scene.origin.y()) - kRulerWidth;
    const double zoom = horizontal ? scene.scale : scene.scaleDown();

    painter.save();
    // Both rulers are painted along x; the left one is rotated, so that its numbers run upwards.
    if (horizontal) {
        painter.translate(kRulerWidth, 0);
    } else {
        painter.translate(0, scene.size.height());
        painter.rotate(-90);
    }
    const QRectF strip(0, 0, length, kRulerWidth);
    painter.setClipRect(strip);
    painter.fillRect(strip, scene.palette.color(QPalette::Window));
    const auto along = [&](double place) { return horizontal ? place : length - place; };

    // The range covered by the image is brighter.
    const double extent = (horizontal ? scene.image.width() : scene.image.height()) * zoom;
    const double begin = std::clamp(origin, 0.0, length);
    const double end = std::clamp(origin + extent, 0.0, length);
    painter.fillRect(QRectF(QPointF(along(begin), 0), QPointF(along(end), kRulerWidth)).normalized(),
                     scene.palette.color(QPalette::Base));

    painter.setRenderHint(QPainter::Antialiasing, false);
    const QColor ink = scene.palette.color(QPalette::WindowText);
    QColor faint = ink;
    faint.setAlphaF(0.45F);
    const QFontMetricsF metrics(painter.font());
    for (const vm::RulerTick& tick : vm::rulerTicks(axis, -origin / zoom, zoom, length)) {
        const double x = along(std::round(tick.position));
        painter.setPen(tick.major ? ink : faint);
        painter.drawLine(QPointF(x, kRulerWidth), QPointF(x, kRulerWidth - (tick.major ? kMajor : kMinor)));
        const QString number = tick.major ? vm::rulerText(axis, tick.value, zoom) : QString();
        const bool room = x + 3 + metrics.horizontalAdvance(number) <= length; // a number cut off would be wrong
        if (tick.major && room) {
            painter.drawText(QPointF(x + 3, metrics.ascent() + 1), number);
        }
    }
    painter.fillRect(QRectF(0, kRulerWidth - 1, length, 1), hairline(scene.palette));

    if (scene.pointer) {
        const double x = along((horizontal ? scene.pointer->x() : scene.pointer->y()) - kRulerWidth);
        QPainterPath mark;
        mark.moveTo(x, kRulerWidth);
        mark.lineTo(x - kPointerSize, kRulerWidth - kPointerSize * 1.6);
        mark.lineTo(x + kPointerSize, kRulerWidth - kPointerSize * 1.6);
        mark.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(mark, scene.palette.color(QPalette::Highlight));
    }
    painter.restore();
}

void RulerOverlay::paintCorner(QPainter& painter, const OverlayScene& scene) const {
    const QRectF corner(0, 0, kRulerWidth, kRulerWidth);
    painter.fillRect(corner, scene.palette.color(QPalette::Window));
    QString name = axisFor(scene, Qt::Horizontal).unit;
    name.replace(QStringLiteral("arcsec"), QStringLiteral("″")).replace(QStringLiteral("arcmin"), QStringLiteral("′"));
    painter.setPen(secondaryText(scene.palette));
    painter.drawText(corner, Qt::AlignCenter, name);
    painter.fillRect(QRectF(0, kRulerWidth - 1, kRulerWidth, 1), hairline(scene.palette));
    painter.fillRect(QRectF(kRulerWidth - 1, 0, 1, kRulerWidth), hairline(scene.palette));
}

namespace {

constexpr double kLongest = 180;     ///< of the bar
constexpr double kShareOfView = 0.4; ///< fraction of a small view's width
constexpr double kThickness = 4;
constexpr double kPaddingX = 10;
constexpr double kPaddingY = 7;
constexpr double kTextGap = 3; ///< between text and bar

QFont barFont(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

std::optional<ScaleBarOverlay::Layout> ScaleBarOverlay::layout(const OverlayScene& scene) const {
    if (!overlays_.hasScaleBar() || scene.image.isEmpty()) {
        return std::nullopt;
    }
    const double longest = std::min(kLongest, scene.size.width() * kShareOfView);
    auto bar = vm::scaleBarFor(scene.scale, longest, scene.pixelSize);
    if (!bar || bar->length > scene.size.width()) {
        return std::nullopt;
    }
    const QFontMetricsF metrics(barFont(scene.font));
    const double textWidth = metrics.horizontalAdvance(bar->text);
    const double inner = std::max(bar->length, textWidth);
    const double left = kOverlayMargin + (overlays_.hasRulers() ? kRulerWidth : 0);
    Layout layout;
    const double height = metrics.height() + kTextGap + kThickness + 2 * kPaddingY;
    layout.plate = QRectF(left, std::floor(scene.size.height() - kOverlayMargin - height), inner + 2 * kPaddingX,
                          std::ceil(height));
    layout.text = QRectF(layout.plate.left(), layout.plate.top() + kPaddingY, layout.plate.width(), metrics.height());
    // Aligned to device px for sharp ends.
    const double start = layout.plate.left() + kPaddingX + (inner - bar->length) / 2;
    layout.start = {std::round(start * scene.ratio) / scene.ratio, layout.plate.bottom() - kPaddingY};
    layout.bar = std::move(*bar);
    return layout;
}

QRegion ScaleBarOverlay::area(const OverlayScene& scene) const {
    const auto found = layout(scene);
    return found ? QRegion(found->plate.toAlignedRect()) : QRegion();
}

void ScaleBarOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    const auto found = layout(scene);
    if (!found) {
        return;
    }
    drawPlate(painter, found->plate);
    painter.setFont(barFont(scene.font));
    painter.setPen(kPlateInk);
    painter.drawText(found->text, Qt::AlignCenter, found->bar.text);
    painter.fillRect(QRectF(found->start.x(), found->start.y() - kThickness, found->bar.length, kThickness), kPlateInk);
}

namespace {

constexpr double kWidth = 2;
constexpr double kEnd = 7;    ///< half the length of the end strokes
constexpr double kReach = 12; ///< margin around the drawing
const QColor kLineColour(255, 255, 255);

QString lengthText(const QLineF& line) {
    return vm::PixelSizeViewModel::tr("%1 px").arg(QLocale().toString(line.length(), 'f', 1));
}

/// Below the middle of the line, within the surface.
QRectF plateFor(const QLineF& line, const QString& text, const OverlayScene& scene) {
    const QFontMetricsF metrics(scene.font);
    const QSizeF size(metrics.horizontalAdvance(text) + 14, metrics.height() + 6);
    const QPointF place = line.center() + QPointF(-size.width() / 2, kEnd + 6);
    const auto within = [](double value, double room) { return std::clamp(value, 4.0, std::max(4.0, room - 4)); };
    return {QPointF(within(place.x(), scene.size.width() - size.width()),
                    within(place.y(), scene.size.height() - size.height())),
            size};
}

QLineF onSurface(const QLineF& line, const OverlayScene& scene) {
    return {scene.toSurface(line.p1()), scene.toSurface(line.p2())};
}

} // namespace

QRegion ScaleLineOverlay::area(const OverlayScene& scene) const {
    const auto line = size_.line();
    if (!line || scene.image.isEmpty()) {
        return {};
    }
    const QLineF shown = onSurface(*line, scene);
    const QRectF box = QRectF(shown.p1(), shown.p2()).normalized().adjusted(-kReach, -kReach, kReach, kReach);
    return QRegion(box.united(plateFor(shown, lengthText(*line), scene)).toAlignedRect());
}

void ScaleLineOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    const auto line = size_.line();
    if (!line) {
        return;
    }
    const QLineF shown = onSurface(*line, scene);
    QPainterPath path(shown.p1());
    path.lineTo(shown.p2());
    if (shown.length() > 0) {
        QLineF across = shown.normalVector();
        across.setLength(kEnd);
        const QPointF aside = across.p2() - across.p1();
        for (const QPointF& end : {shown.p1(), shown.p2()}) {
            path.moveTo(end - aside);
            path.lineTo(end + aside);
        }
    }
    strokeWithHalo(painter, path, kLineColour, kWidth);
    const QString text = lengthText(*line);
    const QRectF plate = plateFor(shown, text, scene);
    drawPlate(painter, plate);
    painter.setPen(kPlateInk);
    painter.setFont(scene.font);
    painter.drawText(plate, Qt::AlignCenter, text);
}

QRegion CrossHairOverlay::area(const OverlayScene& scene) const {
    if (!orthogonal_.isActive() || !orthogonal_.isAvailable() || scene.image.isEmpty()) {
        return {};
    }
    const QPointF cross = scene.toSurface(orthogonal_.crossing(scene.plane.across));
    const QRect image = scene.imageArea().toAlignedRect();
    constexpr int kAround = 1;
    const QRect column(static_cast<int>(cross.x()) - kAround, image.top(), 2 * kAround + 1, image.height());
    const QRect row(image.left(), static_cast<int>(cross.y()) - kAround, image.width(), 2 * kAround + 1);
    return QRegion(column).united(row).intersected(QRectF(QPointF(0, 0), scene.size).toAlignedRect());
}

void CrossHairOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const auto [right, down] = axesOf(scene.plane);
    const QPointF cross = scene.toSurface(orthogonal_.crossing(scene.plane.across));
    const QRectF image = scene.imageArea();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(axisColour(right.axis), 0));
    painter.drawLine(QPointF(cross.x(), image.top()), QPointF(cross.x(), image.bottom()));
    painter.setPen(QPen(axisColour(down.axis), 0));
    painter.drawLine(QPointF(image.left(), cross.y()), QPointF(image.right(), cross.y()));
}

namespace {

constexpr double kEdgeMargin = 4;   ///< between a plate and the edge of the view
constexpr double kPlatePadding = 3; ///< around the letters

QFont letterFont(QFont font) {
    font.setBold(true);
    return font;
}

AxisDirection turned(const AxisDirection& direction, double sign) {
    return {sign * direction[0], sign * direction[1], sign * direction[2]};
}

} // namespace

QList<PatientOverlay::Mark> PatientOverlay::marks(const OverlayScene& scene) const {
    const auto info = document_.imageInfo();
    const auto map = overlays_.isShown(vm::OverlaysViewModel::Overlay::patient) && !scene.image.isEmpty()
                         ? vm::patientMap(info.get())
                         : std::nullopt;
    if (!map) {
        return {};
    }
    const double ruler = overlays_.hasRulers() ? kRulerWidth : 0;
    const QRectF view(QPointF(ruler, ruler), QPointF(scene.size.width(), scene.size.height()));
    const QRectF inner = view.adjusted(kEdgeMargin, kEdgeMargin, -kEdgeMargin, -kEdgeMargin);
    const QFontMetricsF metrics(letterFont(scene.font));
    const double height = metrics.height() + kPlatePadding;
    const auto [right, down] = directionsIn(*map, scene.plane.across, scene.plane.turn);
    QList<Mark> marks;
    const auto add = [&](const AxisDirection& direction, double x, double y) { // x and y: 0 to 1 in the view
        const QString letters = QString::fromStdString(patientLetters(direction));
        const double width = std::max(height, metrics.horizontalAdvance(letters) + 2 * kPlatePadding);
        const QPointF corner(inner.left() + x * (inner.width() - width), inner.top() + y * (inner.height() - height));
        if (!letters.isEmpty()) {
            marks << Mark{letters, QRectF(corner, QSizeF(width, height))};
        }
    };
    constexpr double kMiddle = 0.5;
    add(turned(right, -1), 0, kMiddle);
    add(right, 1, kMiddle);
    add(turned(down, -1), kMiddle, 0);
    add(down, kMiddle, 1);
    return marks;
}

QRegion PatientOverlay::area(const OverlayScene& scene) const {
    QRegion region;
    for (const Mark& mark : marks(scene)) {
        region += mark.plate.toAlignedRect();
    }
    return region;
}

void PatientOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    painter.setFont(letterFont(scene.font));
    for (const Mark& mark : marks(scene)) {
        drawPlate(painter, mark.plate, kPlatePadding);
        painter.setPen(kPlateInk);
        painter.drawText(mark.plate, Qt::AlignCenter, mark.letters);
    }
}

} // namespace pollard::app
