#pragma once

#include "overlays/overlay.hpp"
#include "overlays/surface_picture.hpp"

namespace pollard::vm {
class ChainViewModel;
class DocumentViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The current component of the chain, lit in the picture with its outline.
class ComponentOverlay : public Overlay {
public:
    /// Both must outlive this.
    ComponentOverlay(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain)
        : document_(document), chain_(chain) {}

    /// Another component.
    void forgetPicture() { picture_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::DocumentViewModel& document_;
    const vm::ChainViewModel& chain_;
    SurfacePicture picture_;
};

} // namespace pollard::app
