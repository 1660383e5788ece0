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

/// Whether a contour's nodes are far enough from each other on a surface to be drawn, and to be taken hold of.
[[nodiscard]] bool areNodesApart(const Contour& contour, const OverlayScene& scene);

/// A contour in px of the picture.
[[nodiscard]] QPainterPath pathOf(const Contour& contour);

/// Closed lines along contours, with their inside tinted if @p tinted. The one at hand has its nodes, if they are far
/// enough apart; the others are thin and pale.
void paintContours(QPainter& painter, const OverlayScene& scene, const std::vector<Contour>& contours,
                   std::size_t atHand, bool tinted);

/// The contours that are shown, with the nodes of the one at hand, thin lines for the runs that are compared with them,
/// and the parts of the picture that contours apart may reach.
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
