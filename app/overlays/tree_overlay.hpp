#pragma once

#include "overlays/overlay.hpp"
#include "overlays/surface_picture.hpp"

#include "tree/component_paint.hpp"

#include <QRgb>

#include <cstdint>
#include <span>

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

/// Components of the current tree, tinted in the picture with their outline.
class TreeOverlay : public Overlay {
public:
    /// @param document must outlive this
    /// @param opacity of the tint, 0 .. 255; the outline is opaque
    TreeOverlay(const vm::DocumentViewModel& document, QRgb colour, int opacity)
        : document_(document), colour_(colour), opacity_(opacity) {}

    /// The components have changed.
    void forgetPicture() { picture_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

protected:
    /// Whether there is a component to show.
    [[nodiscard]] virtual bool isAny() const = 0;
    /// Paints the components; only if isAny().
    virtual void fill(const NodePaint& paint, std::span<std::uint32_t> out) const = 0;

private:
    const vm::DocumentViewModel& document_;
    QRgb colour_;
    int opacity_;
    SurfacePicture picture_;
};

} // namespace pollard::app
