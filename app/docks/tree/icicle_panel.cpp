#include "docks/tree/icicle_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "docks/tree/icicle_view.hpp"
#include "theme/theme.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

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

namespace {

constexpr qsizetype kMostCrumbs = 4; ///< of a longer path only the first and the last crumbs are shown

} // namespace

IciclePanel::IciclePanel(Icicle& icicle, vm::ChainViewModel& chain, QWidget* parent)
    : QWidget(parent), icicle_(icicle), attribute_(new AttributeButton(this)),
      logarithmic_(new QCheckBox(tr("Lo&g"), this)), removed_(new QCheckBox(tr("&Removed"), this)),
      height_(new QComboBox(this)), view_(new IcicleView(icicle_, chain, this)),
      links_(makeIconButton(
          this, "icicleLinks", QStringLiteral("max_tree"), tr("Nodes and links"),
          tr("Draw subtrees of at most %1 components as nodes and links; open a component to see its subtree")
              .arg(Icicle::kMostLinked))),
      back_(makeIconButton(this, "icicleBack", QStringLiteral("step_back"), tr("Back"),
                           tr("Back to the previous view (Backspace)"))),
      whole_(makeIconButton(this, "icicleWhole", QStringLiteral("fit"), tr("Whole tree"),
                            tr("Show the whole tree (Home)"))),
      crumbs_(new QLabel(this)), readout_(new ElidedLabel(this)), pages_(new QStackedWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    layout->addLayout(makeHead());
    crumbs_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    explain(crumbs_, "icicleCrumbs", tr("Where in the tree"),
            tr("Path of opened components; click one to go back to it"));
    readout_->setObjectName(QStringLiteral("icicleReadout"));
    readout_->setMinimumHeight(readout_->fontMetrics().height());
    readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* place = new QHBoxLayout;
    place->setSpacing(kPanelMargin);
    place->addWidget(crumbs_);
    place->addWidget(readout_, 1);
    layout->addLayout(place);
    pages_->addWidget(view_);
    pages_->addWidget(new NodeLinkView(icicle_, chain, pages_));
    layout->addWidget(pages_, 1);
    connectModel();
}

void IciclePanel::setMoving(bool moving) { view_->glide().setAllowed(moving); }

QLayout* IciclePanel::makeHead() {
    auto* head = new WrappingRow(kPanelSpacing);
    attribute_->setObjectName(QStringLiteral("icicleAttribute"));
    attribute_->setAccessibleName(tr("Attribute that colours the boxes"));
    explain(logarithmic_, "icicleLog", tr("Logarithmic colours"),
            tr("Equal ratios are equal steps of colour, where no value is below 0"));
    explain(removed_, "icicleRemoved", tr("Removed components in grey"),
            tr("Components that the filter removes are pale grey"));
    height_->addItem(tr("Grey levels"), false);
    height_->addItem(tr("Equal steps"), true);
    explain(height_, "icicleHeight", tr("Height of the boxes"),
            tr("Height of the boxes: grey levels from the parent's level to the component's own, or equal steps, which "
               "show the depth in the tree"));
    head->addWidget(captionFor(attribute_, tr("&Colour")));
    head->addWidget(attribute_);
    head->addWidget(logarithmic_);
    head->addWidget(removed_);
    head->addWidget(captionFor(height_, tr("&Height")));
    head->addWidget(height_);
    head->addStretch();
    auto* legend = new IcicleLegend(icicle_, this);
    legend->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    head->addWidget(legend);
    links_->setCheckable(true);
    head->addWidget(links_);
    head->addWidget(back_);
    head->addWidget(whole_);
    connect(attribute_, &AttributeButton::chosen, &icicle_, &Icicle::setAttribute);
    const auto showAttribute = [this] { attribute_->setAttributeId(icicle_.attribute()); };
    follow(this, showAttribute, icicle_, &Icicle::optionsChanged);
    couple(logarithmic_, icicle_, &Icicle::isLogarithmic, &Icicle::setLogarithmic, &Icicle::optionsChanged);
    couple(removed_, icicle_, &Icicle::showsRemoved, &Icicle::setShowsRemoved, &Icicle::optionsChanged);
    couple(height_, icicle_, &Icicle::isByDepth, &Icicle::setByDepth, &Icicle::optionsChanged);
    couple(links_, icicle_, &Icicle::isLinked, &Icicle::setLinked, &Icicle::optionsChanged);
    return head;
}

void IciclePanel::connectModel() {
    connect(back_, &QToolButton::clicked, &icicle_, &Icicle::back);
    connect(whole_, &QToolButton::clicked, &icicle_, [this] { icicle_.focusCrumb(0); });
    connect(crumbs_, &QLabel::linkActivated, &icicle_,
            [this](const QString& link) { icicle_.focusCrumb(link.toInt()); });
    follow(this, &IciclePanel::showPlace, icicle_, &Icicle::optionsChanged, &Icicle::crumbsChanged,
           &Icicle::viewChanged, &Icicle::changed);
    connect(&icicle_, &Icicle::readoutChanged, this, [this] { readout_->setFullText(icicle_.readout()); });
}

void IciclePanel::showPlace() {
    const QStringList crumbs = icicle_.crumbs();
    QStringList texts;
    for (qsizetype i = 0; i < crumbs.size(); ++i) {
        if (i > 0 && i < crumbs.size() - kMostCrumbs + 1) {
            if (i == 1) {
                texts << QStringLiteral("…");
            }
        } else if (i + 1 < crumbs.size()) {
            texts << QStringLiteral("<a href=\"%1\">%2</a>").arg(i).arg(crumbs[i].toHtmlEscaped());
        } else {
            texts << crumbs[i].toHtmlEscaped();
        }
    }
    crumbs_->setText(texts.join(QStringLiteral(" › ")));
    crumbs_->setVisible(icicle_.frame() != nullptr);
    back_->setEnabled(!icicle_.isWhole());
    whole_->setEnabled(!icicle_.isWhole());
    links_->setEnabled(icicle_.canLink());
    const bool hadFocus = pages_->currentWidget()->hasFocus();
    pages_->setCurrentIndex(icicle_.isLinked() && icicle_.canLink() ? 1 : 0);
    if (hadFocus) {
        pages_->currentWidget()->setFocus();
    }
}

} // namespace pollard::app
