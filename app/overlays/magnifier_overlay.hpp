#pragma once

#include "overlays/overlay.hpp"

#include <QImage>

namespace pollard::vm {
class DisplayViewModel;
class DocumentViewModel;
class OverlaysViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// A magnifier at the pointer: the pixels around it as squares with a grid, in the colours of the canvas, and the level
/// of the middle one.
class MagnifierOverlay : public Overlay {
public:
    /// All must outlive this.
    MagnifierOverlay(const vm::OverlaysViewModel& overlays, const vm::DisplayViewModel& display,
                     const vm::DocumentViewModel& document)
        : overlays_(overlays), display_(display), document_(document) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool followsPointer() const override { return true; }
    [[nodiscard]] bool isAnnotation() const override { return false; }

    /// Size of a magnified pixel, logical px.
    [[nodiscard]] static double pixelSide(const OverlayScene& scene);
    /// The disc of magnified pixels, of a scene with a pointer.
    [[nodiscard]] QRectF lens(const OverlayScene& scene) const;

private:
    [[nodiscard]] bool isShown(const OverlayScene& scene) const;
    [[nodiscard]] bool showsResult(const OverlayScene& scene) const;
    /// The pixels [left, left + side) x [top, top + side) in colour; transparent outside of the image.
    [[nodiscard]] QImage pixelsAt(int left, int top, int side, bool result) const;
    void paintLevel(QPainter& painter, const OverlayScene& scene, const QRectF& lens) const;

    const vm::OverlaysViewModel& overlays_;
    const vm::DisplayViewModel& display_;
    const vm::DocumentViewModel& document_;
};

} // namespace pollard::app
