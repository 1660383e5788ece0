#pragma once

#include "overlays/overlay.hpp"

namespace pollard::vm {
class OverlaysViewModel;
}

namespace pollard::app {

/// Lines between the pixels, if these are large enough on the screen.
class PixelGridOverlay : public Overlay {
public:
    /// Minimum size of a pixel of the picture, device px.
    static constexpr double kSmallestPixel = 16;

    /// @param overlays must outlive this
    explicit PixelGridOverlay(const vm::OverlaysViewModel& overlays) : overlays_(overlays) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::OverlaysViewModel& overlays_;
};

} // namespace pollard::app
