#pragma once

#include "canvas/canvas_input.hpp"
#include "overlays/overlay.hpp"

#include <QImage>
#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pollard::vm {
class DisplayViewModel;
class DocumentViewModel;
class OverlaysViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Shows the whole image in the lower right corner with a frame around the visible part, if the image exceeds the view.
/// A click or a drag moves the view.
class MinimapOverlay : public Overlay, public CanvasTool {
public:
    using SceneFunction = std::function<OverlayScene()>;

    /// All must outlive this. @param scene returns the current scene for pointer events
    MinimapOverlay(const vm::OverlaysViewModel& overlays, vm::DisplayViewModel& display,
                   const vm::DocumentViewModel& document, SceneFunction scene)
        : overlays_(overlays), display_(display), document_(document), scene_(std::move(scene)) {}

    /// Position of the minimap; nothing if hidden.
    [[nodiscard]] std::optional<QRectF> frame(const OverlayScene& scene) const;
    /// Call when image, window or colour map have changed.
    void forgetImage() { thumbnail_ = {}; }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool isAnnotation() const override { return false; }

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    bool doubleClick(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;

private:
    void takeThumbnail(QSize size);
    [[nodiscard]] bool contains(QPointF position) const;
    void moveViewTo(QPointF position);

    const vm::OverlaysViewModel& overlays_;
    vm::DisplayViewModel& display_;
    const vm::DocumentViewModel& document_;
    SceneFunction scene_;
    QImage thumbnail_;
    QPointF grip_; ///< offset of the press from the centre of the frame, px of the image
};

/// Magnifies the pixels around the pointer: squares with a grid, in the colours of the canvas, and the level of the
/// middle pixel.
class MagnifierOverlay : public Overlay {
public:
    /// All must outlive this.
    MagnifierOverlay(const vm::OverlaysViewModel& overlays, const vm::DisplayViewModel& display,
                     const vm::DocumentViewModel& document)
        : overlays_(overlays), display_(display), document_(document) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool followsPointer() const override { return true; }
    [[nodiscard]] bool isAnnotation() const override { return false; }

    /// Size of a magnified pixel, logical px.
    [[nodiscard]] static double pixelSide(const OverlayScene& scene);
    /// Area of the lens on the surface; requires a scene with a pointer.
    [[nodiscard]] QRectF lens(const OverlayScene& scene) const;

private:
    [[nodiscard]] bool isShown(const OverlayScene& scene) const;
    [[nodiscard]] bool showsResult(const OverlayScene& scene) const;
    /// The pixels [left, left + side) x [top, top + side) in colour; transparent outside the image.
    [[nodiscard]] QImage pixelsAt(int left, int top, int side, bool result) const;
    void paintLevel(QPainter& painter, const OverlayScene& scene, const QRectF& lens) const;

    const vm::OverlaysViewModel& overlays_;
    const vm::DisplayViewModel& display_;
    const vm::DocumentViewModel& document_;
};

} // namespace pollard::app
