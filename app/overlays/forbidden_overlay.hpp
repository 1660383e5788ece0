#pragma once

#include "overlays/overlay.hpp"
#include "overlays/surface_picture.hpp"

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// The pixels that no contour may hold, hatched, while the contour dock is open.
class ForbiddenOverlay : public Overlay {
public:
    /// @param contours must outlive this
    explicit ForbiddenOverlay(const vm::ContourViewModel& contours) : contours_(contours) {}

    /// Other pixels.
    void forgetPicture() { picture_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::ContourViewModel& contours_;
    SurfacePicture picture_;
};

/// A circle as large as the brush, where the pointer is.
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
