#pragma once

#include "overlays/overlay.hpp"
#include "overlays/surface_image.hpp"

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// The pixels that contours must not contain, hatched while the contour dock is open.
class ForbiddenOverlay : public Overlay {
public:
    /// @param contours must outlive this
    explicit ForbiddenOverlay(const vm::ContourViewModel& contours) : contours_(contours) {}

    /// The pixels have changed.
    void forgetImage() { picture_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::ContourViewModel& contours_;
    SurfaceImage picture_;
};

/// A circle of the size of the brush at the pointer.
class BrushOverlay : public Overlay {
public:
    /// @param contours must outlive this
    explicit BrushOverlay(const vm::ContourViewModel& contours) : contours_(contours) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool followsPointer() const override { return true; }
    [[nodiscard]] bool isAnnotation() const override { return false; }

private:
    [[nodiscard]] QRectF circle(const OverlayScene& scene) const;

    const vm::ContourViewModel& contours_;
};

} // namespace pollard::app
