#include "lab/lab_view.hpp"

#include "lab/lab_painters.hpp"
#include "widgets/panel_parts.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace pollard::app {
namespace {

using Lab = vm::LabViewModel;
using Player = vm::LabPlayerViewModel;

constexpr int kEdge = 6; ///< px around the content
constexpr QSize kHint(260, 240);
constexpr QSize kLeast(120, 110);

bool isGrid(LabPart part) { return part == LabPart::image || part == LabPart::parents || part == LabPart::result; }

const char* nameOf(LabPart part) {
    switch (part) {
    case LabPart::parents:
        return "labParents";
    case LabPart::result:
        return "labResult";
    case LabPart::tree:
        return "labTree";
    case LabPart::table:
        return "labTable";
    case LabPart::words:
        return "labWords";
    case LabPart::image:
        break;
    }
    return "labImage";
}

QString tipOf(LabPart part) {
    switch (part) {
    case LabPart::parents:
        return LabView::tr("The parent of each pixel: an arrow to it, a ring for a root. Arrow keys move the cursor");
    case LabPart::result:
        return LabView::tr("The filtered image. Arrow keys move the cursor");
    case LabPart::tree:
        return LabView::tr(
            "The tree of the image: a node for each component with its level and size. Links appear as the algorithm "
            "makes them; dashed ones may change. Arrow keys go to the parent, the first child and siblings");
    case LabPart::table:
        return LabView::tr("The table of the algorithm; values written by the last step are marked");
    case LabPart::words:
        return LabView::tr("The machine words of the algorithm, the leftmost pixel first");
    case LabPart::image:
        break;
    }
    return LabView::tr("The image. Drag to paint with the level of the brush, right-click to take a level. Arrow keys "
                       "move the cursor; digits, + and - change the level there; Return paints");
}

} // namespace

LabView::LabView(LabPart part, Lab& lab, Player& player, QWidget* parent)
    : QWidget(parent), part_(part), lab_(lab), player_(player) {
    setObjectName(QLatin1String(nameOf(part)));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    explain(this, titleOf(part), tipOf(part));
    connect(&lab_, &Lab::imageChanged, this, &LabView::showState);
    connect(&lab_, &Lab::focusChanged, this, &LabView::showState);
    connect(&player_, &Player::stepChanged, this, &LabView::showState);
    showState();
}

void LabView::setIndices(bool indices) {
    if (indices_ != indices) {
        indices_ = indices;
        update();
    }
}

LabScene LabView::scene() const {
    return {lab_.image(), player_.recording(), player_.cursor(), palette(), font(), lab_.focus(), indices_};
}

QSize LabView::sizeHint() const { return kHint; }
QSize LabView::minimumSizeHint() const { return kLeast; }

QRectF LabView::area() const { return QRectF(rect()).adjusted(kEdge, kEdge, -kEdge, -kEdge); }

void LabView::showState() {
    describe();
    update();
}

void LabView::describe() {
    QString said = player_.readout(lab_.focus());
    if (part_ == LabPart::table || part_ == LabPart::words) {
        said = player_.caption();
    }
    setAccessibleDescription(said);
}

bool LabView::asksForPixel() const {
    const auto question = player_.question();
    return question && question->layer == teach::Layer::parent;
}

int LabView::pixelAt(QPointF place) const {
    if (isGrid(part_)) {
        return LabGrid(lab_.image(), area()).pixelAt(place);
    }
    if (part_ == LabPart::tree) {
        const int node = nodeAt(place, area(), scene());
        return node < 0 ? -1
                        : static_cast<int>(player_.recording()->tree.nodes[static_cast<std::size_t>(node)].canonical);
    }
    return -1;
}

QPointF LabView::placeOf(int pixel) const {
    if (part_ == LabPart::tree) {
        const auto places = nodePlaces(area(), scene());
        return places.empty() ? QPointF()
                              : places[player_.recording()->tree.nodeOf.at(static_cast<std::size_t>(pixel))];
    }
    return LabGrid(lab_.image(), area()).centre(pixel);
}

void LabView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    paintPart(painter, area(), scene(), part_);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void LabView::mousePressEvent(QMouseEvent* event) {
    const int pixel = pixelAt(event->position());
    if (pixel < 0) {
        return;
    }
    lab_.setCursor(pixel);
    if (event->button() == Qt::RightButton && part_ == LabPart::image) {
        lab_.setBrush(lab_.levelAt(pixel));
    } else if (event->button() == Qt::LeftButton && asksForPixel()) {
        player_.answer(pixel);
    } else if (event->button() == Qt::LeftButton && part_ == LabPart::image && paintable_) {
        painting_ = true;
        lab_.paint(pixel);
    }
}

void LabView::mouseMoveEvent(QMouseEvent* event) {
    const int pixel = pixelAt(event->position());
    lab_.setHovered(pixel);
    if (painting_ && pixel >= 0) {
        lab_.paint(pixel);
    }
}

void LabView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && painting_) {
        painting_ = false;
        lab_.endStroke();
    }
}

void LabView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    lab_.setHovered(-1);
}

bool LabView::pressArrow(int key) {
    if (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Up && key != Qt::Key_Down) {
        return false;
    }
    lab_.setHovered(-1); // keyboard input takes precedence over the pointer
    if (part_ == LabPart::tree) {
        walkTree(key);
    } else if (isGrid(part_)) {
        lab_.moveCursor(key == Qt::Key_Right  ? 1
                        : key == Qt::Key_Left ? -1
                                              : 0,
                        key == Qt::Key_Down ? 1
                        : key == Qt::Key_Up ? -1
                                            : 0);
    }
    return true;
}

void LabView::walkTree(int key) {
    const auto recording = player_.recording();
    if (recording == nullptr || recording->tree.nodeOf.size() != lab_.image().pixelCount()) {
        return;
    }
    const vm::DrawnTree& tree = recording->tree;
    const auto& nodes = tree.nodes;
    const std::uint32_t now = tree.nodeOf[static_cast<std::size_t>(lab_.cursor())];
    std::uint32_t next = now;
    if (key == Qt::Key_Up) {
        next = nodes[now].parent;
    } else if (key == Qt::Key_Down) {
        next = nodes[now].end > now + 1 ? now + 1 : now;
    } else if (now > 0) {
        const std::uint32_t parent = nodes[now].parent;
        if (key == Qt::Key_Right) {
            next = nodes[now].end < nodes[parent].end ? nodes[now].end : now;
        } else {
            for (std::uint32_t sibling = parent + 1; sibling < now; sibling = nodes[sibling].end) {
                next = sibling;
            }
        }
    }
    lab_.setCursor(static_cast<int>(nodes[next].canonical));
}

bool LabView::changeLevel(int key) {
    if (key >= Qt::Key_0 && key <= Qt::Key_9) {
        lab_.typeDigit(key - Qt::Key_0);
    } else if (key == Qt::Key_Plus || key == Qt::Key_Minus) {
        lab_.raise(key == Qt::Key_Plus ? 1 : -1);
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        lab_.paint(lab_.cursor());
        lab_.endStroke();
    } else {
        return false;
    }
    return true;
}

bool LabView::pressKey(int key) {
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && asksForPixel()) {
        player_.answer(lab_.cursor());
        return true;
    }
    return pressArrow(key) || (part_ == LabPart::image && paintable_ && changeLevel(key));
}

void LabView::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    if (!plain || !pressKey(event->key())) {
        QWidget::keyPressEvent(event);
    }
}

} // namespace pollard::app
