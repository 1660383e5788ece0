#pragma once

#include "overlays/overlay.hpp"
#include "snake/contour/contour.hpp"

#include <QPainterPath>

#include <cstddef>
#include <vector>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Whether the nodes of a contour are far enough apart on a surface to be drawn and grabbed.
[[nodiscard]] bool areNodesApart(const Contour& contour, const OverlayScene& scene);

/// Path of a contour in px of the image.
[[nodiscard]] QPainterPath pathOf(const Contour& contour);

/// Draws contours as closed lines, with a tinted inside if @p tinted. The current contour has nodes if they are far
/// enough apart; the other contours are thin and pale.
void paintContours(QPainter& painter, const OverlayScene& scene, const std::vector<Contour>& contours,
                   std::size_t atHand, bool tinted);

/// Draws the current contours, the nodes of the current contour, thin lines for compared runs, and the limits of
/// separate contours.
class ContourOverlay : public Overlay {
public:
    /// @param contours must outlive this
    explicit ContourOverlay(const vm::ContourViewModel& contours) : contours_(contours) {}

    /// Hides the contour, for exported frames that draw another state.
    void setHidden(bool hidden) { hidden_ = hidden; }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::ContourViewModel& contours_;
    bool hidden_ = false;
};

/// Hatches the pixels that contours must not contain, while the contour dock is open.
class ForbiddenOverlay : public Overlay {
public:
    /// @param contours must outlive this
    explicit ForbiddenOverlay(const vm::ContourViewModel& contours) : contours_(contours) {}

    /// Call when the forbidden pixels have changed.
    void forgetImage() { image_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::ContourViewModel& contours_;
    SurfaceImage image_;
};

/// Draws a circle of the size of the brush at the pointer.
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
