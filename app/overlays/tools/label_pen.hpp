#pragma once

#include "canvas/canvas_input.hpp"
#include "overlays/overlay.hpp"

#include <functional>
#include <optional>

namespace pollard::vm {
class ChainViewModel;
class DocumentViewModel;
class LabelEditViewModel;
class ObjectTableModel;
} // namespace pollard::vm

namespace pollard::app {

/// Edits objects by hand while the tools of LabelEditViewModel are on, and draws the gesture.
///
/// Mouse: a drag is a stroke of brush or eraser (Shift: over other objects), a line that joins objects, or the line of
/// a cut; clicks set the corners of a polygon, and a double click ends it; a click fills a hole. Keys: B, E, F, P, J, C
/// and T choose a tool, [ and ] the size of the brush; Del deletes the object below the pointer, else the selected
/// ones. Arrows move a crosshair in place of the pointer (Shift: ten steps); Space is a click there, and begins and
/// ends a stroke or a line (Shift: over other objects). Return ends the gesture or takes the current component of the
/// chain; Backspace removes the last corner; Escape ends the gesture, then hides the crosshair, then ends the tool,
/// then editing.
class LabelPen : public Overlay, public CanvasTool {
public:
    /// What the pen works on; all must outlive it.
    struct Subjects {
        vm::LabelEditViewModel& edits;
        const vm::ObjectTableModel& table;
        vm::ChainViewModel& chain;
        const vm::DocumentViewModel& document;
    };
    /// @param scene returns the current scene @param moved called when the crosshair has moved
    LabelPen(const Subjects& subjects, std::function<OverlayScene()> scene, std::function<void()> moved);

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool followsPointer() const override { return true; }
    [[nodiscard]] bool isAnnotation() const override { return false; }

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    bool doubleClick(const QMouseEvent& event) override;
    void hover(QPointF position) override;
    [[nodiscard]] bool takesWheel() const override;
    void turn(int notches) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    /// Whether the tool has the size of the brush.
    [[nodiscard]] bool isBrush() const;
    [[nodiscard]] QPainterPath pathOf(const OverlayScene& scene) const;
    /// The crosshair, else the pointer, px of the image.
    [[nodiscard]] std::optional<QPointF> placeIn(const OverlayScene& scene) const;
    void setKeyPoint(std::optional<QPointF> image);
    void moveKeyPoint(const QPointF& by);
    void clickAtKeyPoint(bool over);
    /// Begins a gesture, or sets a corner of a polygon.
    void put(const QPointF& image, bool over);
    void finish();
    /// The brush around placeIn().
    [[nodiscard]] std::optional<QRectF> circle(const OverlayScene& scene) const;
    /// Width of the drawn path, logical px.
    [[nodiscard]] double widthOf(const OverlayScene& scene) const;
    void remove();
    void take();
    void goBack();

    Subjects subjects_;
    std::function<OverlayScene()> scene_;
    std::function<void()> moved_;
    std::optional<QPointF> keyPoint_; ///< px of the image; empty: the pointer is used
};

} // namespace pollard::app
