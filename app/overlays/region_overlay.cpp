#include "overlays/region_overlay.hpp"

#include "overlays/overlay.hpp"
#include "overlays/tools/key_point.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/region_edit.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/region/stain_picks.hpp"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainterPath>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pollard::app {
namespace {

constexpr double kRegionLine = 1.5;
constexpr double kRegionHandle = 7; ///< side of a handle
constexpr std::size_t kMostHandles = 400;
const QColor kDim(0, 0, 0, 110);
const QColor kShapeColour(255, 214, 64); ///< distinct from all colour maps: neither grey, green, violet nor blue
const QColor kSelectedColour(255, 255, 255);

/// "40 × 20 px", with the size of a pixel "40 × 20 px (8 × 4 mm)"
QString draftText(const RegionShape& shape, const std::optional<PixelSize>& size) {
    const QRectF box = vm::boxOf(shape);
    const QLocale locale;
    QString pixels = vm::RegionViewModel::tr("%1 × %2 px")
                         .arg(locale.toString(box.width(), 'f', 0), locale.toString(box.height(), 'f', 0));
    if (!size || box.isEmpty()) {
        return pixels;
    }
    const QSizeF sides(box.width() * size->x, box.height() * size->y);
    const vm::WorldUnit unit = vm::readableUnit(std::min(sides.width(), sides.height()), size->unit);
    return QStringLiteral("%1 (%2 × %3)")
        .arg(pixels, vm::worldText(sides.width() * unit.factor, {}),
             vm::worldText(sides.height() * unit.factor, unit.name));
}

} // namespace

QPainterPath outlineOf(const RegionShape& shape) {
    QPainterPath path;
    path.setFillRule(Qt::OddEvenFill);
    switch (shape.kind) {
    case RegionShape::Kind::rectangle:
        path.addRect(vm::boxOf(shape));
        break;
    case RegionShape::Kind::ellipse:
        path.addEllipse(vm::boxOf(shape));
        break;
    case RegionShape::Kind::polygon:
        for (std::size_t i = 0; i < shape.points.size(); ++i) {
            const QPointF place(shape.points[i].x, shape.points[i].y);
            if (i == 0) {
                path.moveTo(place);
            } else {
                path.lineTo(place);
            }
        }
        path.closeSubpath();
        break;
    }
    return path;
}

QRegion RegionOverlay::area(const OverlayScene& scene) const {
    const bool empty = region_.shapes().empty() && !region_.draft() && !keyPoint_;
    return empty || scene.image.isEmpty() ? QRegion() : QRegion(QRect(QPoint(0, 0), scene.size.toSize()));
}

void RegionOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintDimmed(painter, scene);
    for (int i = 0; i < region_.count(); ++i) {
        if (i != region_.selected()) {
            paintShape(painter, scene, region_.shapes()[static_cast<std::size_t>(i)], false);
        }
    }
    if (const RegionShape* selected = region_.selectedShape()) {
        paintShape(painter, scene, *selected, true);
        if (region_.tool() != vm::RegionViewModel::Tool::hand && !region_.isDrawingOnce()) {
            paintHandles(painter, scene, *selected);
        }
    }
    if (region_.draft()) {
        paintDraft(painter, scene);
    }
    if (keyPoint_) {
        paintKeyPoint(painter, scene, *keyPoint_);
    }
}

void RegionOverlay::paintDimmed(QPainter& painter, const OverlayScene& scene) {
    if (region_.shapes().empty()) {
        return;
    }
    if (!known_) {
        QPainterPath all;
        all.setFillRule(Qt::WindingFill);
        for (const RegionShape& shape : region_.shapes()) {
            all = all.isEmpty() ? outlineOf(shape) : all.united(outlineOf(shape));
        }
        QPainterPath image;
        image.addRect(QRectF(QPointF(0, 0), QSizeF(scene.image)));
        dimmed_ = region_.isInverted() ? all.intersected(image) : image.subtracted(all);
        known_ = true;
    }
    painter.save();
    painter.setClipRect(QRectF(QPointF(0, 0), scene.size).intersected(scene.imageArea()), Qt::IntersectClip);
    painter.fillPath(scene.transform().map(dimmed_), kDim);
    painter.restore();
}

void RegionOverlay::paintShape(QPainter& painter, const OverlayScene& scene, const RegionShape& shape,
                               bool selected) const {
    strokeWithHalo(painter, scene.transform().map(outlineOf(shape)), selected ? kSelectedColour : kShapeColour,
                   kRegionLine);
}

void RegionOverlay::paintHandles(QPainter& painter, const OverlayScene& scene, const RegionShape& shape) const {
    const std::vector<QPointF> handles = vm::handlesOf(shape);
    if (handles.size() > kMostHandles) {
        return; // an outline from a file, too dense for handles
    }
    painter.setPen(QPen(QColor(0, 0, 0, 200), 1));
    painter.setBrush(kSelectedColour);
    for (const QPointF& place : handles) {
        const QPointF middle = scene.toSurface(place);
        painter.drawRect(
            QRectF(middle.x() - kRegionHandle / 2, middle.y() - kRegionHandle / 2, kRegionHandle, kRegionHandle));
    }
}

void RegionOverlay::paintDraft(QPainter& painter, const OverlayScene& scene) const {
    const RegionShape& draft = *region_.draft();
    if (draft.kind != RegionShape::Kind::polygon) {
        strokeWithHalo(painter, scene.transform().map(outlineOf(draft)), kSelectedColour, kRegionLine, Qt::DashLine);
    } else {
        QPainterPath line;
        line.moveTo(scene.toSurface({draft.points.front().x, draft.points.front().y}));
        for (const RegionPoint& place : draft.points) {
            line.lineTo(scene.toSurface({place.x, place.y}));
        }
        strokeWithHalo(painter, line, kSelectedColour, kRegionLine);
        // The first corner is larger: clicking it closes the polygon.
        for (std::size_t i = 0; i + 1 < draft.points.size(); ++i) {
            const double radius = i == 0 ? kRegionHandle * 0.7 : kRegionHandle * 0.45;
            painter.setPen(QPen(QColor(0, 0, 0, 200), 1));
            painter.setBrush(kSelectedColour);
            painter.drawEllipse(scene.toSurface({draft.points[i].x, draft.points[i].y}), radius, radius);
        }
    }
    const QString text = draftText(draft, scene.pixelSize);
    const QFontMetricsF metrics(scene.font);
    const QRectF box = vm::boxOf(draft);
    const double width = metrics.horizontalAdvance(text) + 14;
    const double height = metrics.height() + 6;
    QPointF place = scene.toSurface(box.bottomRight()) + QPointF(10, 10);
    place.setX(std::clamp(place.x(), 4.0, std::max(4.0, scene.size.width() - width - 4)));
    place.setY(std::clamp(place.y(), 4.0, std::max(4.0, scene.size.height() - height - 4)));
    const QRectF plate(place, QSizeF(width, height));
    drawPlate(painter, plate);
    painter.setFont(scene.font);
    painter.setPen(kPlateInk);
    painter.drawText(plate, Qt::AlignCenter, text);
}

QRegion RegionSectionOverlay::area(const OverlayScene& scene) const {
    const bool isSeen = document_.choices().domain() && !scene.image.isEmpty() && scene.plane.across != VolumeAxis::z;
    return isSeen ? QRegion(scene.imageArea().intersected(QRectF(QPointF(0, 0), scene.size)).toAlignedRect())
                  : QRegion();
}

void RegionSectionOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const auto region = document_.choices().domain();
    const auto [right, down] = axesOf(scene.plane);
    const bool isAlongRows = right.axis != VolumeAxis::z; // the axis that the slice has, too
    const bool isReversed = isAlongRows ? right.isReversed : down.isReversed;
    const int count = isAlongRows ? scene.image.width() : scene.image.height();
    const auto isExcluded = [&](int pixel) {
        const auto place = static_cast<std::uint32_t>(isReversed ? count - 1 - pixel : pixel);
        const bool isAlongX = scene.plane.across == VolumeAxis::y;
        const std::uint32_t x = isAlongX ? place : scene.plane.at;
        const std::uint32_t y = isAlongX ? scene.plane.at : place;
        return x >= region->width() || y >= region->height() || !region->test(x, y);
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int first = 0, end = 0; first < count; first = end + 1) {
        for (end = first; end < count && isExcluded(end);) {
            ++end;
        }
        if (end > first) {
            const QPointF from = isAlongRows ? QPointF(first, 0) : QPointF(0, first);
            const QPointF to = isAlongRows ? QPointF(end, scene.image.height()) : QPointF(scene.image.width(), end);
            painter.fillRect(QRectF(scene.toSurface(from), scene.toSurface(to)), kDim);
        }
    }
}

namespace {

using Stains = vm::StainPicks;

constexpr double kStainWidth = 1.5;
constexpr double kStainReach = 4; ///< margin around the lines
const QColor kColour(255, 255, 255);

QRectF stainArea(const QRectF& area, const OverlayScene& scene) {
    return {scene.toSurface(area.topLeft()), scene.toSurface(area.bottomRight())};
}

QString labelOf(Stains::Part part) {
    return part == Stains::Part::background ? QStringLiteral("0") : QString::number(static_cast<int>(part) + 1);
}

/// Above the upper left corner.
QRectF stainPlate(const QRectF& shown, const QString& text, const OverlayScene& scene) {
    const QFontMetricsF metrics(scene.font);
    const QSizeF size(metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
    return {shown.topLeft() - QPointF(0, size.height() + kStainReach), size};
}

} // namespace

StainOverlay::StainOverlay(Stains& stains, std::function<OverlayScene()> scene)
    : stains_(stains), scene_(std::move(scene)) {}

QRegion StainOverlay::area(const OverlayScene& scene) const {
    QRegion all;
    if (!stains_.isPicking() || scene.image.isEmpty()) {
        return all;
    }
    const auto addBox = [&](const QRectF& box) {
        all += box.adjusted(-kStainReach, -kStainReach, kStainReach, kStainReach).toAlignedRect();
    };
    for (const Stains::Part part : Stains::kParts) {
        if (const auto area = stains_.area(part)) {
            const QRectF shown = stainArea(*area, scene);
            addBox(shown);
            addBox(stainPlate(shown, labelOf(part), scene));
        }
    }
    if (const auto draft = stains_.draft()) {
        addBox(stainArea(*draft, scene));
    }
    return all;
}

void StainOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (!stains_.isPicking()) {
        return;
    }
    const auto stroke = [&](const QRectF& box) {
        QPainterPath path;
        path.addRect(box);
        strokeWithHalo(painter, path, kColour, kStainWidth, Qt::SolidLine);
    };
    for (const Stains::Part part : Stains::kParts) {
        if (const auto area = stains_.area(part)) {
            const QRectF shown = stainArea(*area, scene);
            stroke(shown);
            const QRectF plate = stainPlate(shown, labelOf(part), scene);
            drawPlate(painter, plate, 3);
            painter.setPen(kPlateInk);
            painter.setFont(scene.font);
            painter.drawText(plate, Qt::AlignCenter, labelOf(part));
        }
    }
    if (const auto draft = stains_.draft()) {
        stroke(stainArea(*draft, scene));
    }
}

bool StainOverlay::press(const QMouseEvent& event) {
    if (!stains_.isPicking()) {
        return false;
    }
    stains_.beginArea(scene_().toImage(event.position()));
    return true;
}

void StainOverlay::drag(const QMouseEvent& event) { stains_.moveArea(scene_().toImage(event.position())); }

void StainOverlay::release(const QMouseEvent&) { stains_.finishArea(); }

std::optional<QCursor> StainOverlay::cursorAt(QPointF) const {
    return stains_.isPicking() ? std::optional(QCursor(Qt::CrossCursor)) : std::nullopt;
}

bool StainOverlay::wantsKey(const QKeyEvent& event) const {
    return stains_.isPicking() && event.key() == Qt::Key_Escape;
}

void StainOverlay::key(const QKeyEvent&) {
    if (stains_.draft()) {
        stains_.forgetArea();
    } else {
        stains_.setPicking(false);
    }
}

} // namespace pollard::app
