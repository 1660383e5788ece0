#pragma once

#include "overlays/overlay.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace pollard::vm {
class DisplayViewModel;
class DocumentViewModel;
class OperatorPreview;
struct PreviewedImage;
} // namespace pollard::vm

namespace pollard::app {

/// Draws the preview of an operator over the image, in the tone of the display.
class PreviewOverlay : public Overlay {
public:
    /// All must outlive this. @param ready see ObjectsOverlay
    PreviewOverlay(const vm::DocumentViewModel& document, const vm::DisplayViewModel& display,
                   std::function<void()> ready = {})
        : document_(document), display_(display), ready_(std::move(ready)) {}

    /// @param preview null: none
    void show(const vm::OperatorPreview* preview) { preview_ = preview; }

    /// Call when another image or plane is shown.
    void forgetImage() { image_.forget(); }
    /// Call when the preview or the tone has changed.
    void outdate();
    /// Whether nothing is to be drawn, or the present state is drawn.
    [[nodiscard]] bool isUpToDate(const OverlayScene& scene) const {
        return image_.isUpToDate() || area(scene).isEmpty();
    }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    /// Null: there is none.
    [[nodiscard]] std::shared_ptr<const vm::PreviewedImage> shown() const;
    [[nodiscard]] SurfaceImage::Fill drawing(const OverlayScene& scene) const;

    const vm::OperatorPreview* preview_ = nullptr;
    const vm::DocumentViewModel& document_;
    const vm::DisplayViewModel& display_;
    std::function<void()> ready_;
    SurfaceImage image_;
};

} // namespace pollard::app
