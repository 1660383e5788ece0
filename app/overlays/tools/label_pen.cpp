#include "overlays/tools/label_pen.hpp"

#include "overlays/tools/key_point.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include <QPen>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

using Tool = vm::LabelTool;

constexpr double kPenLine = 2; ///< logical px
constexpr double kPenMargin = 4;
const QColor kPaintColour(64, 220, 120, 120);
const QColor kEraseColour(255, 96, 84, 120);

/// The tool of a key; nothing for others.
std::optional<Tool> toolOfKey(int key) {
    switch (key) {
    case Qt::Key_B:
        return Tool::brush;
    case Qt::Key_E:
        return Tool::eraser;
    case Qt::Key_F:
        return Tool::fill;
    case Qt::Key_P:
        return Tool::polygon;
    case Qt::Key_J:
        return Tool::merge;
    case Qt::Key_C:
        return Tool::cut;
    case Qt::Key_T:
        return Tool::take;
    default:
        return std::nullopt;
    }
}

} // namespace

LabelPen::LabelPen(const Subjects& subjects, std::function<OverlayScene()> scene, std::function<void()> moved)
    : subjects_(subjects), scene_(std::move(scene)), moved_(std::move(moved)) {}

bool LabelPen::isBrush() const {
    return subjects_.edits.tool() == Tool::brush || subjects_.edits.tool() == Tool::eraser;
}

double LabelPen::widthOf(const OverlayScene& scene) const {
    return isBrush() ? std::max(subjects_.edits.brush() * scene.scale, kPenLine) : kPenLine;
}

QPainterPath LabelPen::pathOf(const OverlayScene& scene) const {
    QPainterPath path;
    const auto placeOf = [&](const RegionPoint& at) {
        return scene.toSurface(isBrush() ? QPointF(std::floor(at.x) + 0.5, std::floor(at.y) + 0.5)
                                         : QPointF(at.x, at.y));
    };
    for (const RegionPoint& at : subjects_.edits.path()) {
        if (path.elementCount() == 0) {
            path.moveTo(placeOf(at));
            path.lineTo(placeOf(at) + QPointF(0.01, 0)); // a point has no width
        } else {
            path.lineTo(placeOf(at));
        }
    }
    return path;
}

std::optional<QPointF> LabelPen::placeIn(const OverlayScene& scene) const {
    return keyPoint_ ? keyPoint_ : scene.pointer ? std::optional(scene.toImage(*scene.pointer)) : std::nullopt;
}

std::optional<QRectF> LabelPen::circle(const OverlayScene& scene) const {
    const std::optional<QPointF> image = isBrush() ? placeIn(scene) : std::nullopt;
    if (!image) {
        return std::nullopt;
    }
    const QPointF middle = scene.toSurface({std::floor(image->x()) + 0.5, std::floor(image->y()) + 0.5});
    const double right = subjects_.edits.brush() * scene.scale / 2;
    const double down = subjects_.edits.brush() * scene.scaleDown() / 2;
    return QRectF(middle.x() - right, middle.y() - down, 2 * right, 2 * down);
}

QRegion LabelPen::area(const OverlayScene& scene) const {
    QRegion all;
    if (subjects_.edits.tool() == Tool::none || scene.image.isEmpty()) {
        return all;
    }
    if (const auto brush = circle(scene)) {
        all += brush->adjusted(-kPenMargin, -kPenMargin, kPenMargin, kPenMargin).toAlignedRect();
    }
    if (keyPoint_) {
        constexpr double kSide = kKeyPointReach + kPenMargin;
        all +=
            QRectF(scene.toSurface(*keyPoint_) - QPointF(kSide, kSide), QSizeF(2 * kSide, 2 * kSide)).toAlignedRect();
    }
    if (subjects_.edits.isDrawing()) {
        const double margin = widthOf(scene) / 2 + kPenMargin;
        all += pathOf(scene).boundingRect().adjusted(-margin, -margin, margin, margin).toAlignedRect();
    }
    return all;
}

void LabelPen::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const bool erases = subjects_.edits.tool() == Tool::eraser;
    if (subjects_.edits.isDrawing() && isBrush()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(
            QPen(erases ? kEraseColour : kPaintColour, widthOf(scene), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(pathOf(scene));
    } else if (subjects_.edits.isDrawing()) {
        strokeWithHalo(painter, pathOf(scene), Qt::white, kPenLine,
                       subjects_.edits.tool() == Tool::cut ? Qt::DashLine : Qt::SolidLine);
    }
    if (const auto brush = circle(scene)) {
        QPainterPath ring;
        ring.addEllipse(*brush);
        strokeWithHalo(painter, ring, Qt::white, 1.2, erases ? Qt::DashLine : Qt::SolidLine);
    }
    if (keyPoint_) {
        paintKeyPoint(painter, scene, *keyPoint_);
    }
}

void LabelPen::setKeyPoint(std::optional<QPointF> image) {
    if (image != keyPoint_) {
        keyPoint_ = image;
        moved_();
    }
}

void LabelPen::moveKeyPoint(const QPointF& by) {
    setKeyPoint(movedKeyPoint(keyPoint_, by, scene_()));
    if (subjects_.edits.tool() == Tool::polygon) {
        subjects_.edits.moveCorner(*keyPoint_);
    } else {
        subjects_.edits.moveTo(*keyPoint_);
    }
}

void LabelPen::put(const QPointF& image, bool over) {
    vm::LabelEditViewModel& edits = subjects_.edits;
    if (edits.tool() == Tool::polygon && edits.isDrawing()) {
        edits.moveCorner(image);
    } else {
        edits.begin(image, over);
    }
    if (edits.tool() == Tool::polygon) {
        edits.moveTo(image + QPointF(0.01, 0)); // the next corner follows the pointer
    }
}

void LabelPen::finish() {
    if (subjects_.edits.tool() == Tool::polygon) {
        subjects_.edits.removeCorner(); // that follows the pointer
    }
    subjects_.edits.finish();
}

void LabelPen::clickAtKeyPoint(bool over) {
    if (!keyPoint_) {
        setKeyPoint(movedKeyPoint({}, {}, scene_()));
    }
    vm::LabelEditViewModel& edits = subjects_.edits;
    const auto tree = subjects_.document.tree();
    if (edits.tool() == Tool::take) {
        subjects_.chain.toggleHold(tree ? subjects_.document.shown().nodeAt(*keyPoint_, *tree) : std::nullopt);
    } else if (edits.isDrawing() && edits.tool() != Tool::polygon) {
        finish();
    } else {
        put(*keyPoint_, over);
        if (edits.tool() == Tool::fill) {
            finish();
        }
    }
}

bool LabelPen::press(const QMouseEvent& event) {
    vm::LabelEditViewModel& edits = subjects_.edits;
    if (edits.tool() == Tool::none || edits.tool() == Tool::take) {
        return false; // a click holds the chain
    }
    setKeyPoint(std::nullopt);
    put(scene_().toImage(event.position()), event.modifiers().testFlag(Qt::ShiftModifier));
    return true;
}

void LabelPen::drag(const QMouseEvent& event) {
    const QPointF image = scene_().toImage(event.position());
    if (subjects_.edits.tool() == Tool::polygon) {
        subjects_.edits.moveCorner(image);
    } else {
        subjects_.edits.moveTo(image);
    }
}

void LabelPen::release(const QMouseEvent&) {
    if (subjects_.edits.tool() != Tool::polygon) {
        finish();
    }
}

bool LabelPen::doubleClick(const QMouseEvent& event) {
    if (subjects_.edits.tool() == Tool::polygon && subjects_.edits.isDrawing()) {
        finish();
        return true;
    }
    return press(event);
}

void LabelPen::hover(QPointF position) {
    if (subjects_.edits.tool() == Tool::polygon && !keyPoint_) {
        subjects_.edits.moveCorner(scene_().toImage(position));
    }
}

bool LabelPen::takesWheel() const { return subjects_.edits.tool() == Tool::take; }

void LabelPen::turn(int notches) {
    for (int i = 0; i < std::abs(notches); ++i) {
        notches > 0 ? subjects_.chain.toParent() : subjects_.chain.toChild();
    }
}

std::optional<QCursor> LabelPen::cursorAt(QPointF) const {
    switch (subjects_.edits.tool()) {
    case Tool::none:
        return std::nullopt;
    case Tool::fill:
    case Tool::take:
        return QCursor(Qt::PointingHandCursor);
    default:
        return QCursor(Qt::CrossCursor);
    }
}

bool LabelPen::wantsKey(const QKeyEvent& event) const {
    const vm::LabelEditViewModel& edits = subjects_.edits;
    constexpr Qt::KeyboardModifiers kOfCharacters = Qt::KeypadModifier | Qt::ShiftModifier | Qt::GroupSwitchModifier;
    if (!edits.isOn() || (event.modifiers() & ~kOfCharacters) != Qt::NoModifier) {
        return false;
    }
    if (arrowOf(event) != QPointF()) { // a held chain has the arrows
        return edits.tool() != Tool::none && !(edits.tool() == Tool::take && subjects_.chain.isHeld());
    }
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return edits.tool() == Tool::take || edits.isDrawing();
    case Qt::Key_Space:
        return edits.tool() != Tool::none;
    case Qt::Key_Backspace:
        return edits.tool() == Tool::polygon && edits.isDrawing();
    case Qt::Key_Delete:
    case Qt::Key_Escape:
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
        return true;
    default:
        return toolOfKey(event.key()).has_value();
    }
}

void LabelPen::key(const QKeyEvent& event) {
    vm::LabelEditViewModel& edits = subjects_.edits;
    const auto resize = [&](double by) {
        edits.setBrush(static_cast<int>(std::lround(edits.brush() * by)) + (by > 1 ? 1 : -1));
    };
    if (const QPointF by = arrowOf(event); by != QPointF()) {
        moveKeyPoint(by);
        return;
    }
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        edits.tool() == Tool::take ? take() : finish();
        break;
    case Qt::Key_Space:
        clickAtKeyPoint(event.modifiers().testFlag(Qt::ShiftModifier));
        break;
    case Qt::Key_Backspace:
        edits.removeCorner();
        break;
    case Qt::Key_Delete:
        remove();
        break;
    case Qt::Key_Escape:
        goBack();
        break;
    case Qt::Key_BracketLeft:
        resize(0.85);
        break;
    case Qt::Key_BracketRight:
        resize(1.15);
        break;
    default:
        edits.setTool(toolOfKey(event.key()).value_or(Tool::none));
        break;
    }
}

void LabelPen::remove() {
    const std::optional<QPointF> place = placeIn(scene_());
    const std::uint32_t below = place ? subjects_.table.labelAt(*place) : 0;
    const std::vector<std::uint32_t>& selected = subjects_.table.marks().selected();
    subjects_.edits.remove(below != 0 ? std::vector{below} : selected);
}

void LabelPen::take() {
    if (const auto node = subjects_.chain.node()) {
        subjects_.edits.take(subjects_.document.tree(), *node);
    }
}

void LabelPen::goBack() {
    vm::LabelEditViewModel& edits = subjects_.edits;
    if (edits.isDrawing()) {
        edits.cancel();
    } else if (keyPoint_) {
        setKeyPoint(std::nullopt);
    } else if (edits.tool() != Tool::none) {
        edits.setTool(Tool::none);
    } else {
        edits.setOn(false);
    }
}

} // namespace pollard::app
