#include "overlays/tree_overlays.hpp"

#include "canvas/component_highlight.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace pollard::app {
namespace {

constexpr double kSeenArea = 4; ///< logical px of the surface; a component of this area needs no ring
constexpr double kRingLine = 2;
constexpr double kRingHalo = 4; ///< width of the dark line below, seen on bright images

} // namespace

QRegion TreeOverlay::area(const OverlayScene& scene) const {
    const auto tree = document_.tree();
    if (!tree || !isAny() || scene.image.isEmpty() || !scene.showsPlaneOf(tree->extent())) {
        return {};
    }
    return SurfaceImage::area(scene);
}

void TreeOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    image_.paint(painter, scene, [&](const SurfaceGrid& grid, std::span<QRgb> out) {
        const auto tree = document_.tree();
        NodePaint paint;
        paint.tree = tree.get();
        paint.columns = grid.columns;
        paint.rows = grid.rows;
        paint.plane = scene.plane;
        paint.fill = qPremultiply(qRgba(qRed(colour_), qGreen(colour_), qBlue(colour_), opacity_));
        paint.outline = colour_;
        fill(paint, out);
    });
}

ComponentOverlay::ComponentOverlay(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain)
    : TreeOverlay(document, ComponentHighlight::kColour, ComponentHighlight::kOpacity), chain_(chain) {}

bool ComponentOverlay::isAny() const { return chain_.node().has_value(); }

void ComponentOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintComponent(paint, *chain_.node(), out);
}

std::optional<QPointF> ChainRing::middle(const OverlayScene& scene) const {
    const auto tree = document_.tree();
    const auto pixels = chain_.value(chain_.current(), vm::ChainViewModel::areaColumn);
    const auto canonical = chain_.canonical();
    if (!chain_.isHeld() || !tree || !pixels || !canonical || scene.image.isEmpty() ||
        !scene.showsPlaneOf(tree->extent()) || *pixels * std::abs(scene.scale * scene.scaleDown()) >= kSeenArea) {
        return std::nullopt;
    }
    const Extent extent = tree->extent();
    const std::size_t row = *canonical / extent.width;
    const std::array<std::size_t, 3> voxel{*canonical % extent.width, row % extent.height, row / extent.height};
    if (voxel[static_cast<std::size_t>(scene.plane.across)] != scene.plane.at) {
        return std::nullopt;
    }
    const auto placeOn = [&voxel](const ImageAxis& each, int count) {
        const auto place = static_cast<double>(voxel[static_cast<std::size_t>(each.axis)]) + 0.5;
        return each.isReversed ? count - place : place;
    };
    const auto [right, down] = axesOf(scene.plane);
    return scene.toSurface({placeOn(right, scene.image.width()), placeOn(down, scene.image.height())});
}

QRegion ChainRing::area(const OverlayScene& scene) const {
    const auto place = middle(scene);
    constexpr double kAround = kRadius + kRingHalo;
    return place ? QRectF(*place - QPointF(kAround, kAround), QSizeF(2 * kAround, 2 * kAround))
                       .intersected(QRectF(QPointF(0, 0), scene.size))
                       .toAlignedRect()
                 : QRegion();
}

void ChainRing::paint(QPainter& painter, const OverlayScene& scene) {
    if (const auto place = middle(scene)) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Qt::black, kRingHalo));
        painter.drawEllipse(*place, kRadius, kRadius);
        painter.setPen(QPen(QColor::fromRgba(ComponentHighlight::kColour), kRingLine));
        painter.drawEllipse(*place, kRadius, kRadius);
    }
}

SelectionOverlay::SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection)
    : TreeOverlay(document, selectionColour(), kSelectionOpacity), selection_(selection) {}

bool SelectionOverlay::isAny() const { return selection_.extent() != nullptr; }

void SelectionOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintNodes(paint, selection_.extent()->flags, out);
}

} // namespace pollard::app
