#pragma once

#include "overlays/overlay.hpp"
#include "overlays/surface_picture.hpp"

#include <QRgb>

namespace pollard::vm {
class DocumentViewModel;
class NodeSelection;
} // namespace pollard::vm

namespace pollard::app {

/// Of what is selected, wherever it is shown: apart from the amber of the current component.
[[nodiscard]] constexpr QRgb selectionColour() { return qRgba(0, 200, 255, 255); }

/// All components that are selected, tinted in the picture.
class SelectionOverlay : public Overlay {
public:
    /// Both must outlive this.
    SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection)
        : document_(document), selection_(selection) {}

    /// Other components.
    void forgetPicture() { picture_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::DocumentViewModel& document_;
    const vm::NodeSelection& selection_;
    SurfacePicture picture_;
};

} // namespace pollard::app
