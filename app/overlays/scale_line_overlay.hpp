#pragma once

#include "overlays/overlay.hpp"

namespace pollard::vm {
class PixelSizeViewModel;
}

namespace pollard::app {

/// The line drawn over a scale bar, with its length in px.
class ScaleLineOverlay : public Overlay {
public:
    /// @param size must outlive this
    explicit ScaleLineOverlay(const vm::PixelSizeViewModel& size) : size_(size) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool isAnnotation() const override { return false; }

private:
    const vm::PixelSizeViewModel& size_;
};

} // namespace pollard::app
