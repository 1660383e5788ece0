#pragma once

#include "overlays/overlay.hpp"

#include <QPainterPath>

namespace pollard {
struct RegionShape;
}

namespace pollard::vm {
class RegionViewModel;
}

namespace pollard::app {

/// The outline of a shape in px of the picture.
[[nodiscard]] QPainterPath outlineOf(const RegionShape& shape);

/// The shapes that restrict the analysis, with what takes no part dimmed, the handles of the selected one, and the one
/// that is being drawn.
class RegionOverlay : public Overlay {
public:
    /// @param region must outlive this
    explicit RegionOverlay(const vm::RegionViewModel& region) : region_(region) {}

    /// Shapes or the picture changed.
    void forgetShapes() { known_ = false; }
    /// Where the keyboard draws, in px of the picture; nothing while it does not.
    void setKeyPoint(std::optional<QPointF> image) { keyPoint_ = image; }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    void paintDimmed(QPainter& painter, const OverlayScene& scene);
    void paintShape(QPainter& painter, const OverlayScene& scene, const RegionShape& shape, bool selected) const;
    void paintHandles(QPainter& painter, const OverlayScene& scene, const RegionShape& shape) const;
    void paintDraft(QPainter& painter, const OverlayScene& scene) const;
    void paintKeyPoint(QPainter& painter, const OverlayScene& scene) const;

    const vm::RegionViewModel& region_;
    QPainterPath dimmed_; ///< what takes no part, px of the picture
    bool known_ = false;
    std::optional<QPointF> keyPoint_;
};

} // namespace pollard::app
