#include "docks/tree/node_link_view.hpp"

#include "docks/tree/icicle_axis.hpp"
#include "docks/tree/icicle_keys.hpp"
#include "theme/theme.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace pollard::app {

namespace {

using Icicle = vm::IcicleViewModel;

constexpr int kEdge = 14; ///< px around the tree, for the circles
constexpr double kNodeRadius = 5;
constexpr double kNodeReach = 12;             ///< px around a node within which a press hits it
constexpr QRgb kNodeMark = qRgb(255, 196, 0); ///< as in the image
constexpr double kMarkWidth = 3;

} // namespace

NodeLinkView::NodeLinkView(Icicle& icicle, vm::ChainViewModel& chain, QWidget* parent)
    : QWidget(parent), icicle_(icicle), chain_(chain) {
    setObjectName(QStringLiteral("nodeLinkView"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    explain(this, tr("Tree as nodes and links"),
            tr("Every component is a node at its level, linked to its parent above. Click: hold; double click or "
               "Return: open a component; Backspace: back; arrows: parent, first child, siblings; Esc: release"));
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&icicle_, &Icicle::changed, this, repaint);
    connect(&icicle_, &Icicle::crumbsChanged, this, repaint);
    connect(&icicle_, &Icicle::readoutChanged, this, [this] { setAccessibleDescription(icicle_.readout()); });
    connect(&chain_, &vm::ChainViewModel::chainChanged, this, repaint);
    connect(&chain_, &vm::ChainViewModel::currentChanged, this, repaint);
}

QRectF NodeLinkView::plot() const { return QRectF(rect()).adjusted(levelAxisWidth(*this), kEdge, -kEdge, -kEdge); }

QPointF NodeLinkView::placeOf(double place, double height) const {
    const QRectF area = plot();
    const IcicleRect part = icicle_.frame()->layout->subtreeOf(icicle_.focusNode());
    return {area.left() + place * area.width(), area.top() + (height - part.top) / part.height() * area.height()};
}

std::optional<QPointF> NodeLinkView::pixelOf(std::uint32_t node) const {
    for (const Icicle::LinkedNode& each : icicle_.linkedNodes()) {
        if (each.node == node) {
            return placeOf(each.place, each.height);
        }
    }
    return std::nullopt;
}

std::optional<std::uint32_t> NodeLinkView::nodeAt(QPointF pixel) const {
    std::optional<std::uint32_t> nearest;
    double least = kNodeReach * kNodeReach;
    for (const Icicle::LinkedNode& each : icicle_.linkedNodes()) {
        const QPointF way = placeOf(each.place, each.height) - pixel;
        const double far = QPointF::dotProduct(way, way);
        if (far <= least) {
            least = far;
            nearest = each.node;
        }
    }
    return nearest;
}

void NodeLinkView::paintEvent(QPaintEvent*) {
    const std::vector<Icicle::LinkedNode> nodes = icicle_.linkedNodes();
    QPainter painter(this);
    painter.fillRect(plot().adjusted(0, -kEdge, kEdge, kEdge), palette().color(QPalette::Base));
    if (nodes.empty()) {
        return;
    }
    const IcicleLayout& layout = *icicle_.frame()->layout;
    const IcicleRect part = layout.subtreeOf(icicle_.focusNode());
    paintLevelAxis(painter, *this, plot(), icicle_, part.top, part.bottom);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto current = chain_.node();
    const auto holdsCurrent = [&](std::uint32_t node) { return current && layout.tree->contains(node, *current); };
    const QPen plain(secondaryText(palette()), 1);
    const QPen marked(QColor::fromRgb(kNodeMark), kMarkWidth);
    for (const Icicle::LinkedNode& each : nodes) {
        const Icicle::LinkedNode& parent = nodes[each.parent];
        const QPointF from = placeOf(parent.place, parent.height);
        const QPointF to = placeOf(each.place, each.height);
        painter.setPen(holdsCurrent(each.node) ? marked : plain);
        painter.drawLine(from, QPointF(to.x(), from.y()));
        painter.drawLine(QPointF(to.x(), from.y()), to);
    }
    const auto paintNode = [&](const Icicle::LinkedNode& each, const QPen& pen, double radius) {
        painter.setPen(pen);
        painter.setBrush(QColor::fromRgba(each.colour));
        painter.drawEllipse(placeOf(each.place, each.height), radius, radius);
    };
    for (const Icicle::LinkedNode& each : nodes) {
        paintNode(each, plain, kNodeRadius);
    }
    const auto chosen = std::ranges::find(nodes, current, &Icicle::LinkedNode::node); // painted over its neighbours
    if (chosen != nodes.end()) {
        paintNode(*chosen, marked, kNodeRadius + kMarkWidth / 2);
    }
}

bool NodeLinkView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isIcicleKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void NodeLinkView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        icicle_.clickNode(nodeAt(event->position()));
    }
}

void NodeLinkView::mouseMoveEvent(QMouseEvent* event) { icicle_.hoverNode(nodeAt(event->position())); }

void NodeLinkView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (event->button() == Qt::LeftButton && node) {
        icicle_.focus(*node);
    }
}

void NodeLinkView::keyPressEvent(QKeyEvent* event) {
    if (!pressIcicleKey(icicle_, chain_, event->key())) {
        QWidget::keyPressEvent(event);
    }
}

void NodeLinkView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    icicle_.leave();
}

} // namespace pollard::app
