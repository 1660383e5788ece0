#pragma once

#include "canvas/canvas_input.hpp"
#include "overlays/overlay.hpp"

#include <QPainterPath>

#include <functional>

namespace pollard {
struct RegionShape;
}

namespace pollard::vm {
class DocumentViewModel;
class RegionViewModel;
class StainPicks;
} // namespace pollard::vm

namespace pollard::app {

/// Path of the outline of a shape in px of the image.
[[nodiscard]] QPainterPath outlineOf(const RegionShape& shape);

/// Draws the shapes that restrict the analysis, the dimmed excluded area, the handles of the selected shape, and the
/// shape being drawn.
class RegionOverlay : public Overlay {
public:
    /// @param region must outlive this
    explicit RegionOverlay(const vm::RegionViewModel& region) : region_(region) {}

    /// Call when shapes or image have changed.
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

    const vm::RegionViewModel& region_;
    QPainterPath dimmed_; ///< excluded area, px of the image
    bool known_ = false;
    std::optional<QPointF> keyPoint_;
};

/// Dims the excluded voxels in a section of a volume. A region is the same in all slices.
class RegionSectionOverlay : public Overlay {
public:
    /// @param document must outlive this
    explicit RegionSectionOverlay(vm::DocumentViewModel& document) : document_(document) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    vm::DocumentViewModel& document_;
};

/// Chooses parts of the image while stains are picked, by a drag or a click, and draws them as numbered rectangles.
/// Escape drops the rectangle being drawn, then ends picking.
class StainOverlay : public Overlay, public CanvasTool {
public:
    /// @param stains must outlive this @param scene returns the current scene for pointer events
    StainOverlay(vm::StainPicks& stains, std::function<OverlayScene()> scene);

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool isAnnotation() const override { return false; }

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    vm::StainPicks& stains_;
    std::function<OverlayScene()> scene_;
};

} // namespace pollard::app
