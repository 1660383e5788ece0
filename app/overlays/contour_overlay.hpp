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

/// A contour in px of the image.
[[nodiscard]] QPainterPath pathOf(const Contour& contour);

/// Draws contours as closed lines, with their inside tinted if @p tinted. The current one has its nodes, if they are
/// far enough apart; the others are thin and pale.
void paintContours(QPainter& painter, const OverlayScene& scene, const std::vector<Contour>& contours,
                   std::size_t atHand, bool tinted);

/// The current contours, with the nodes of the current one, thin lines for compared runs, and the parts of the image
/// within the limits of separate contours.
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

} // namespace pollard::app
