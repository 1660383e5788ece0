#pragma once

#include "overlays/overlay.hpp"
#include "vm/picture/world_scale.hpp"

namespace pollard::vm {
class OverlaysViewModel;
}

namespace pollard::app {

/// A bar of a round length in the lower left corner.
class ScaleBarOverlay : public Overlay {
public:
    /// @param overlays must outlive this
    explicit ScaleBarOverlay(const vm::OverlaysViewModel& overlays) : overlays_(overlays) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    struct Layout {
        vm::ScaleBar bar;
        QRectF plate;
        QRectF text;
        QPointF start; ///< left end of the bar, on its lower edge
    };
    [[nodiscard]] std::optional<Layout> layout(const OverlayScene& scene) const;

    const vm::OverlaysViewModel& overlays_;
};

} // namespace pollard::app
