#include "overlays/contour_overlay.hpp"

#include "vm/contour/contour_view_model.hpp"

#include <QLineF>
#include <QList>
#include <QRectF>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kLine = 2;
constexpr double kThinLine = 1;
constexpr double kHandle = 6;         ///< side of a node
constexpr double kApart = 12;         ///< minimum mean distance of drawn nodes, logical px
constexpr double kMargin = 10;        ///< around the contour, for lines and handles
constexpr qsizetype kFewEdges = 1000; ///< maximum for antialiasing
constexpr double kMerged = 2;         ///< nodes closer than this on the surface are merged for drawing
const QColor kContourColour(255, 122, 48);
const QColor kTint(255, 122, 48, 34);
const QColor kOtherColour(255, 190, 150); ///< contours other than the current one
const QColor kRefusedColour(255, 48, 64);
const QColor kComparedColour(255, 255, 255);
const QColor kHaloColour(24, 24, 24);
const QColor kPartColour(255, 190, 150, 150);
const QColor kPartHalo(24, 24, 24, 110);
constexpr double kLeastPart = 8;      ///< minimum side of a drawn part, logical px
constexpr qsizetype kFewParts = 1000; ///< maximum for dashed lines

/// The visible lines of a contour; nodes at nearly the same position are merged.
QList<QLineF> seenEdges(const OverlayScene& scene, const Contour& contour) {
    const QRectF seen = QRectF(QPointF(0, 0), scene.size).adjusted(-kMargin, -kMargin, kMargin, kMargin);
    const auto placeOf = [&](const ContourNode& node) { return scene.toSurface(QPointF(node.x, node.y)); };
    QList<QLineF> edges;
    edges.reserve(static_cast<qsizetype>(contour.size()));
    QPointF from = placeOf(contour.front());
    for (std::size_t i = 1; i <= contour.size(); ++i) {
        const QPointF to = placeOf(contour[i < contour.size() ? i : 0]);
        if (i < contour.size() && (to - from).manhattanLength() < kMerged) {
            continue;
        }
        const bool above = std::max(from.y(), to.y()) < seen.top() || std::min(from.y(), to.y()) > seen.bottom();
        const bool beside = std::max(from.x(), to.x()) < seen.left() || std::min(from.x(), to.x()) > seen.right();
        if (!above && !beside) {
            edges << QLineF(from, to);
        }
        from = to;
    }
    return edges;
}

/// Draws a line visible on every background, edge by edge: stroking a path of a thousand nodes takes much longer.
void paintLine(QPainter& painter, const OverlayScene& scene, const Contour& contour, const QColor& colour,
               double width) {
    const QList<QLineF> edges = seenEdges(scene, contour);
    // Antialiasing takes most of the time.
    painter.setRenderHint(QPainter::Antialiasing, edges.size() <= kFewEdges);
    painter.setPen(QPen(kHaloColour, width + 2, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(edges);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(edges);
    painter.setRenderHint(QPainter::Antialiasing);
}

void paintNode(QPainter& painter, QPointF middle, double side, const QColor& colour) {
    painter.setPen(QPen(QColor(0, 0, 0, 200), 1));
    painter.setBrush(colour);
    painter.drawRect(QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side));
}

/// Draws the nodes without antialiasing, because thousands of squares must be fast.
void paintContourNodes(QPainter& painter, const OverlayScene& scene, const Contour& contour) {
    const QRectF seen = QRectF(QPointF(0, 0), scene.size).adjusted(-kHandle, -kHandle, kHandle, kHandle);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const ContourNode& node : contour) {
        const QPointF middle = scene.toSurface(QPointF(node.x, node.y));
        if (seen.contains(middle)) {
            const QRectF square(std::round(middle.x() - kHandle / 2), std::round(middle.y() - kHandle / 2), kHandle,
                                kHandle);
            painter.fillRect(square.adjusted(-1, -1, 1, 1), kHaloColour);
            painter.fillRect(square, kContourColour);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

QRectF placeOf(const PixelRegion& part, const OverlayScene& scene) {
    return scene.transform().mapRect(QRectF(part.x, part.y, part.width, part.height));
}

/// Draws the limits for the growth of separate contours: pale dashes on a darker line, visible on every background.
void paintParts(QPainter& painter, const OverlayScene& scene, const std::vector<PixelRegion>& parts) {
    const QRectF seen(QPointF(0, 0), scene.size);
    QList<QRectF> places;
    for (const PixelRegion& part : parts) {
        const QRectF place = placeOf(part, scene);
        if (place.intersects(seen) && std::min(place.width(), place.height()) >= kLeastPart) {
            places << place;
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(kPartHalo, kThinLine));
    painter.drawRects(places);
    painter.setPen(QPen(kPartColour, kThinLine, places.size() <= kFewParts ? Qt::DashLine : Qt::SolidLine));
    painter.drawRects(places);
    painter.setRenderHint(QPainter::Antialiasing);
}

QRegion contourArea(const Contour& contour, const OverlayScene& scene) {
    return scene.transform()
        .map(pathOf(contour))
        .boundingRect()
        .adjusted(-kMargin, -kMargin, kMargin, kMargin)
        .intersected(QRectF(QPointF(0, 0), scene.size))
        .toAlignedRect();
}

} // namespace

bool areNodesApart(const Contour& contour, const OverlayScene& scene) {
    double around = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        around += std::hypot(a.x - b.x, a.y - b.y);
    }
    return around * scene.scale >= kApart * static_cast<double>(contour.size());
}

QPainterPath pathOf(const Contour& contour) {
    QPainterPath path;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const QPointF place(contour[i].x, contour[i].y);
        if (i == 0) {
            path.moveTo(place);
        } else {
            path.lineTo(place);
        }
    }
    path.closeSubpath();
    return path;
}

void paintContours(QPainter& painter, const OverlayScene& scene, const std::vector<Contour>& contours,
                   std::size_t atHand, bool tinted) {
    if (tinted) {
        painter.setRenderHint(QPainter::Antialiasing, false); // the line covers the border
        for (const Contour& contour : contours) {
            painter.fillPath(scene.transform().map(pathOf(contour)), kTint);
        }
        painter.setRenderHint(QPainter::Antialiasing);
    }
    for (std::size_t i = 0; i < contours.size(); ++i) {
        if (i != atHand) {
            paintLine(painter, scene, contours[i], kOtherColour, kThinLine);
        }
    }
    paintLine(painter, scene, contours[atHand], kContourColour, kLine);
    if (areNodesApart(contours[atHand], scene)) {
        paintContourNodes(painter, scene, contours[atHand]);
    }
}

QRegion ContourOverlay::area(const OverlayScene& scene) const {
    QRegion area;
    if (!contours_.isActive() || contours_.runs().current() < 0 || scene.image.isEmpty()) {
        return area;
    }
    area += contourArea(contours_.runs().nodes(), scene);
    for (const Contour& contour : contours_.runs().allNodes()) {
        area += contourArea(contour, scene);
    }
    for (const Contour& contour : contours_.runs().comparedContours()) {
        area += contourArea(contour, scene);
    }
    QRectF parts;
    for (const PixelRegion& part : contours_.runs().currentRun()->parts) {
        parts |= placeOf(part, scene);
    }
    if (!parts.isNull()) {
        const QRectF seen(QPointF(0, 0), scene.size);
        area += parts.adjusted(-kLine, -kLine, kLine, kLine).intersected(seen).toAlignedRect();
    }
    return area;
}

void ContourOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (hidden_ || area(scene).isEmpty()) {
        return;
    }
    paintParts(painter, scene, contours_.runs().currentRun()->parts);
    for (const Contour& contour : contours_.runs().comparedContours()) {
        paintLine(painter, scene, contour, kComparedColour, kThinLine);
    }
    const Contour& contour = contours_.runs().nodes();
    const auto atHand = static_cast<std::size_t>(contours_.runs().contour());
    if (contours_.runs().drag()) {
        std::vector<Contour> contours = contours_.runs().allNodes();
        contours[atHand] = contour;
        paintContours(painter, scene, contours, atHand, contours_.isTinted());
    } else {
        paintContours(painter, scene, contours_.runs().allNodes(), atHand, contours_.isTinted());
    }
    if (const auto& drag = contours_.runs().drag()) {
        const ContourNode node = contour[static_cast<std::size_t>(drag->node)];
        if (!drag->allowed) {
            paintLine(painter, scene, contour, kRefusedColour, kLine);
        }
        paintNode(painter, scene.toSurface(QPointF(node.x, node.y)), kHandle + 3,
                  drag->allowed ? QColor(Qt::white) : kRefusedColour);
    }
}

namespace {

constexpr std::size_t kPitch = 12; ///< device px along a row between two lines of the hatching
constexpr std::size_t kStripe = 3; ///< width of the bright line in device px, part of kPitch
constexpr std::size_t kShadow = 2; ///< width of the dark line next to it in device px, part of kPitch
const QRgb kForbiddenLine = qPremultiply(qRgba(236, 72, 153, 235));
const QRgb kDark = qPremultiply(qRgba(20, 0, 12, 150));
const QRgb kGround = qPremultiply(qRgba(236, 72, 153, 60));

} // namespace

QRegion ForbiddenOverlay::area(const OverlayScene& scene) const {
    const Mask* mask = contours_.settings().forbidden().shown();
    if (!contours_.isActive() || mask == nullptr ||
        QSize(static_cast<int>(mask->width()), static_cast<int>(mask->height())) != scene.image) {
        return {};
    }
    return SurfaceImage::area(scene);
}

void ForbiddenOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const Mask& mask = *contours_.settings().forbidden().shown();
    image_.paint(painter, scene, [&mask](const SurfaceGrid& grid, std::span<QRgb> out) {
        std::size_t place = 0;
        for (std::size_t row = 0; row < grid.rows.size(); ++row) {
            const std::span<const Mask::Word> words = mask.row(static_cast<std::uint32_t>(grid.rows[row]));
            for (std::size_t column = 0; column < grid.columns.size(); ++column, ++place) {
                const std::size_t x = grid.columns[column];
                if ((words[x / Mask::kBitsPerWord] >> (x % Mask::kBitsPerWord) & 1U) == 0) {
                    out[place] = 0;
                    continue;
                }
                const std::size_t along = (row + column) % kPitch;
                out[place] = along < kStripe ? kForbiddenLine : along < kStripe + kShadow ? kDark : kGround;
            }
        }
    });
}

QRectF BrushOverlay::circle(const OverlayScene& scene) const {
    const QPointF image = scene.toImage(*scene.pointer);
    const QPointF middle = scene.toSurface({std::floor(image.x()) + 0.5, std::floor(image.y()) + 0.5});
    const double radius = contours_.settings().forbidden().brush() * scene.scale / 2;
    return {middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius};
}

QRegion BrushOverlay::area(const OverlayScene& scene) const {
    if (!scene.pointer || !contours_.isActive() || !contours_.settings().forbidden().isPainting() ||
        scene.image.isEmpty()) {
        return {};
    }
    return circle(scene).adjusted(-3, -3, 3, 3).toAlignedRect();
}

void BrushOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 180), 3));
    painter.drawEllipse(circle(scene));
    painter.setPen(QPen(Qt::white, 1.2, contours_.settings().forbidden().isErasing() ? Qt::DashLine : Qt::SolidLine));
    painter.drawEllipse(circle(scene));
}

} // namespace pollard::app
