#pragma once

#include "overlays/overlay.hpp"

#include <QPainterPath>

namespace pollard {
struct RegionShape;
}

namespace pollard::vm {
class DocumentViewModel;
class RegionViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The outline of a shape in px of the image.
[[nodiscard]] QPainterPath outlineOf(const RegionShape& shape);

/// The shapes that restrict the analysis, with the excluded area dimmed, the handles of the selected shape, and the
/// shape being drawn.
class RegionOverlay : public Overlay {
public:
    /// @param region must outlive this
    explicit RegionOverlay(const vm::RegionViewModel& region) : region_(region) {}

    /// Shapes or image have changed.
    void forgetShapes() { known_ = false; }
    /// Sets the position of the keyboard's crosshair, in px of the image; nothing if unused.
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
    QPainterPath dimmed_; ///< excluded area, px of the image
    bool known_ = false;
    std::optional<QPointF> keyPoint_;
};

/// In a section of a volume: the excluded voxels dimmed. A region is the same in all slices.
class RegionSectionOverlay : public Overlay {
public:
    /// @param document must outlive this
    explicit RegionSectionOverlay(vm::DocumentViewModel& document) : document_(document) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    vm::DocumentViewModel& document_;
};

} // namespace pollard::app
