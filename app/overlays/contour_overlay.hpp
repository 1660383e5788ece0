#pragma once

#include "overlays/overlay.hpp"

#include "snake/contour.hpp"

#include <QPainterPath>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Whether a contour's nodes are far enough from each other on a surface to be drawn, and to be taken hold of.
[[nodiscard]] bool areNodesApart(const Contour& contour, const OverlayScene& scene);

/// A contour in px of the picture.
[[nodiscard]] QPainterPath pathOf(const Contour& contour);

/// A closed line along a contour, with its inside tinted if @p tinted and its nodes if they are far enough apart.
void paintContour(QPainter& painter, const OverlayScene& scene, const Contour& contour, bool tinted);

/// The contour that is shown, with its nodes, and thin lines for the runs that are compared with it.
class ContourOverlay : public Overlay {
public:
    /// @param contours must outlive this
    explicit ContourOverlay(const vm::ContourViewModel& contours) : contours_(contours) {}

    /// Leaves the contour out, for a picture that gets another one.
    void setHidden(bool hidden) { hidden_ = hidden; }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::ContourViewModel& contours_;
    bool hidden_ = false;
};

} // namespace pollard::app
