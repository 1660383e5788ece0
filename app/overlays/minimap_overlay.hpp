#pragma once

#include "canvas/canvas_tool.hpp"
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

/// The whole image in the lower right corner with a frame around the visible part, if the image exceeds the view. A
/// click or a drag moves the view.
class MinimapOverlay : public Overlay, public CanvasTool {
public:
    using SceneFunction = std::function<OverlayScene()>;

    /// All must outlive this. @param scene returns the current scene for pointer events
    MinimapOverlay(const vm::OverlaysViewModel& overlays, vm::DisplayViewModel& display,
                   const vm::DocumentViewModel& document, SceneFunction scene)
        : overlays_(overlays), display_(display), document_(document), scene_(std::move(scene)) {}

    /// Position of the minimap; nothing if hidden.
    [[nodiscard]] std::optional<QRectF> frame(const OverlayScene& scene) const;
    /// Image, window or colour map have changed.
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

} // namespace pollard::app
