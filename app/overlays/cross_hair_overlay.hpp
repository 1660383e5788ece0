#pragma once

#include "overlays/overlay.hpp"

namespace pollard::vm {
class OrthogonalViewModel;
}

namespace pollard::app {

/// The lines where the other two orthogonal views cross a plane of a volume.
class CrossHairOverlay : public Overlay {
public:
    /// @param orthogonal must outlive this
    explicit CrossHairOverlay(const vm::OrthogonalViewModel& orthogonal) : orthogonal_(orthogonal) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool isAnnotation() const override { return false; }

private:
    const vm::OrthogonalViewModel& orthogonal_;
};

} // namespace pollard::app
