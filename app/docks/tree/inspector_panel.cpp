#include "docks/tree/inspector_panel.hpp"

#include "gl/tone.hpp"
#include "overlays/level_colours.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kSide = static_cast<int>(vm::InspectorViewModel::kImageSide) / 2; ///< logical px
constexpr QRgb kComponentMark = qRgb(255, 196, 0);                              // as in the image
constexpr int kFillShare = 25;                                                  ///< %
constexpr int kWhole = 100;
constexpr int kImageHeight = 44; ///< logical px
constexpr double kStripGap = 1;  ///< beside a slice

QRgb blended(QRgb below, QRgb above, int share) {
    const auto part = [share](int a, int b) { return (a * (kWhole - share) + b * share) / kWhole; };
    return qRgb(part(qRed(below), qRed(above)), part(qGreen(below), qGreen(above)), part(qBlue(below), qBlue(above)));
}

QImage coloured(const vm::ComponentCutout& cutout, const LevelColours& colours) {
    const Image& levels = *cutout.levels;
    QImage image(static_cast<int>(levels.width()), static_cast<int>(levels.height()), QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const std::size_t pixel = static_cast<std::size_t>(y) * levels.width() + static_cast<std::size_t>(x);
            const QRgb shade = colours.shade(levels.level(pixel), levels.level(pixel), false);
            const std::uint32_t mark = cutout.marks[pixel];
            line[x] = mark == vm::ComponentCutout::kOutline  ? kComponentMark
                      : mark == vm::ComponentCutout::kInside ? blended(shade, kComponentMark, kFillShare)
                                                             : shade;
        }
    }
    return image;
}

/// Calls @p slot whenever the colours of @p display change.
template <class Receiver>
void followColours(vm::DisplayViewModel& display, Receiver* receiver, void (Receiver::*slot)()) {
    using Display = vm::DisplayViewModel;
    for (const auto signal : {&Display::windowChanged, &Display::colourMapChanged, &Display::toneCurveChanged}) {
        QObject::connect(&display, signal, receiver, slot);
    }
}

/// Draws an image in the middle of @p place. Small images scale by integers, so that all pixels have one size; large
/// ones shrink to fit.
void drawInto(QPainter& painter, const QImage& image, const QRectF& place) {
    const double fit = std::min(place.width() / image.width(), place.height() / image.height());
    const double scale = fit >= 1 ? std::floor(fit) : fit;
    QRectF shown(QPointF(), QSizeF(image.size()) * scale);
    shown.moveCenter(place.center());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale < 1);
    painter.drawImage(shown, image);
}

} // namespace

ComponentThumbnail::ComponentThumbnail(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display,
                                       QWidget* parent)
    : QWidget(parent), inspector_(inspector), display_(display) {
    setObjectName(QStringLiteral("componentImage"));
    explain(this, tr("The component"), tr("The component and its surroundings, as displayed"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&inspector_, &vm::InspectorViewModel::cutoutChanged, this, &ComponentThumbnail::colour);
    followColours(display_, this, &ComponentThumbnail::colour);
}

QSize ComponentThumbnail::sizeHint() const { return {kSide, kSide}; }

QSize ComponentThumbnail::minimumSizeHint() const { return {kSide / 3, kSide / 3}; }

void ComponentThumbnail::colour() {
    const auto cutout = inspector_.cutout();
    if (!cutout) {
        if (!inspector_.node()) {
            image_ = {}; // avoids showing the previous image until the next one is ready
        }
        update();
        return;
    }
    image_ = coloured(*cutout, {toneOf(display_, Output::filtered, false), display_.colourMap()});
    update();
}

void ComponentThumbnail::paintEvent(QPaintEvent*) {
    if (!image_.isNull()) {
        QPainter painter(this);
        drawInto(painter, image_, rect());
    }
}

ComponentStrip::ComponentStrip(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), inspector_(inspector), display_(display) {
    setObjectName(QStringLiteral("componentStrip"));
    explain(this, tr("Slices of the component"),
            tr("The component from its first to its last slice; a click shows one"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    connect(&inspector_, &vm::InspectorViewModel::cutoutChanged, this, &ComponentStrip::colour);
    followColours(display_, this, &ComponentStrip::colour);
    hide();
}

QSize ComponentStrip::sizeHint() const { return {kSide, kImageHeight + fontMetrics().height()}; }

QSize ComponentStrip::minimumSizeHint() const { return sizeHint(); }

void ComponentStrip::colour() {
    if (!inspector_.cutout() && inspector_.node()) {
        return; // the next slices arrive later
    }
    images_.clear();
    const LevelColours colours(toneOf(display_, Output::filtered, false), display_.colourMap());
    for (const vm::ComponentCutout& cutout : inspector_.strip()) {
        images_.push_back(coloured(cutout, colours));
    }
    setVisible(images_.size() > 1);
    update();
}

QRectF ComponentStrip::place(int number) const {
    const double width =
        static_cast<double>(rect().width()) / static_cast<double>(std::max<std::size_t>(images_.size(), 1));
    return {number * width, 0, width, static_cast<double>(kImageHeight)};
}

int ComponentStrip::numberAt(const QPointF& point) const {
    for (int i = 0; i < static_cast<int>(images_.size()); ++i) {
        if (place(i).adjusted(0, 0, 0, fontMetrics().height()).contains(point)) {
            return i;
        }
    }
    return -1;
}

void ComponentStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto cutout = inspector_.cutout();
    for (std::size_t i = 0; i < images_.size() && i < inspector_.strip().size(); ++i) {
        const QRectF box = place(static_cast<int>(i));
        const std::uint32_t slice = inspector_.strip()[i].slice;
        drawInto(painter, images_[i], box.adjusted(kStripGap, 0, -kStripGap, 0));
        const bool isSeen = cutout && cutout->slice == slice;
        painter.setPen(palette().color(isSeen ? QPalette::Highlight : QPalette::WindowText));
        painter.drawText(box.translated(0, kImageHeight).adjusted(0, 0, 0, fontMetrics().height() - kImageHeight),
                         Qt::AlignCenter, QLocale().toString(slice + 1));
    }
}

void ComponentStrip::mousePressEvent(QMouseEvent* event) {
    if (const int number = numberAt(event->position()); number >= 0) {
        inspector_.showSlice(inspector_.strip()[static_cast<std::size_t>(number)].slice);
    }
}

bool ComponentStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto& help = static_cast<QHelpEvent&>(*event);
        if (const int number = numberAt(help.pos()); number >= 0) {
            const std::uint32_t slice = inspector_.strip()[static_cast<std::size_t>(number)].slice;
            QToolTip::showText(help.globalPos(), tr("Show slice %1").arg(QLocale().toString(slice + 1)), this);
            return true;
        }
    }
    return QWidget::event(event);
}

using Chain = vm::ChainViewModel;
using Inspector = vm::InspectorViewModel;

InspectorPanel::InspectorPanel(Inspector& inspector, Chain& chain, vm::NodeSelection& selection,
                               vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), inspector_(inspector), chain_(chain), selection_(selection),
      summary_(new FixedHeightLabel(2, this)), verdict_(new ElidedLabel(this)), tree_(new QTreeView(this)),
      parent_(makeIconButton(this, "inspectorParent", QStringLiteral("parent"), tr("Parent"),
                             tr("The component around this one (Up in the image)"))),
      child_(makeIconButton(this, "inspectorChild", QStringLiteral("child"), tr("Child"),
                            tr("A component within this one (Down in the image)"))),
      before_(makeIconButton(this, "inspectorBefore", QStringLiteral("step_back"), tr("Previous sibling"),
                             tr("The previous component within the same parent (Left in the image)"))),
      next_(makeIconButton(this, "inspectorNext", QStringLiteral("step_forward"), tr("Next sibling"),
                           tr("The next component within the same parent (Right in the image)"))),
      select_(makeIconButton(this, "inspectorSelect", QStringLiteral("add"), tr("Add to the selection"),
                             tr("Add this component to the selection, or remove it"))),
      remove_(makeIconButton(this, "inspectorRemove", QStringLiteral("delete"), tr("Remove"),
                             tr("Remove this component from the image with all in it"))),
      keep_(makeIconButton(this, "inspectorKeep", QStringLiteral("keep"), tr("Keep"),
                           tr("Keep this component in the image, even if it does not meet the criteria"))),
      only_(makeIconButton(this, "inspectorOnly", QStringLiteral("only"), tr("Keep only this"),
                           tr("Remove everything outside this component from the image"))),
      measure_(makeIconButton(this, "inspectorMeasure", QStringLiteral("measure"), tr("Measure"),
                              tr("Measure all attributes of this component, and open all groups"))),
      refine_(makeIconButton(this, "inspectorRefine", QStringLiteral("contour"), tr("Refine with a contour"),
                             tr("Let a contour (region snake) start at the outline of this component"))),
      mask_(makeIconButton(this, "inspectorMask", QStringLiteral("save"), tr("Save as a mask"),
                           tr("Write a TIFF that is 255 in this component and 0 elsewhere"))),
      pages_(new QStackedWidget(this)), hint_(new EmptyState(QStringLiteral("inspectorHint"), this)) {
    select_->setCheckable(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* content = new QWidget(pages_);
    auto* parts = new QVBoxLayout(content);
    parts->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    parts->setSpacing(kPanelSpacing);
    parts->addWidget(new ComponentThumbnail(inspector_, display, content));
    parts->addWidget(new ComponentStrip(inspector_, display, content));
    summary_->label().setObjectName(QStringLiteral("inspectorSummary"));
    summary_->label().setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->label().setAlignment(Qt::AlignLeft | Qt::AlignTop);
    parts->addWidget(summary_);
    verdict_->setObjectName(QStringLiteral("inspectorVerdict"));
    verdict_->setMinimumHeight(verdict_->fontMetrics().height());
    parts->addWidget(verdict_);
    parts->addWidget(makeHead());
    makeTree();
    parts->addWidget(tree_, 1);
    hint_->setText(tr("Point at the image, or click to pin a pixel."));
    connect(hint_->addButton(QStringLiteral("inspectorStart"), tr("Start in the middle"),
                             tr("Hold the component at the middle of the view")),
            &QPushButton::clicked, this, &InspectorPanel::middleRequested);
    pages_->addWidget(content);
    pages_->addWidget(hint_);
    layout->addWidget(pages_);
    connectModels();
}

QWidget* InspectorPanel::makeHead() {
    auto* head = new QWidget(this);
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (QToolButton* button : {parent_, child_, before_, next_}) {
        layout->addWidget(button);
    }
    layout->addStretch(1);
    for (QToolButton* button : {select_, measure_, remove_, keep_, only_, refine_, mask_}) {
        layout->addWidget(button);
    }
    return head;
}

void InspectorPanel::makeTree() {
    tree_->setObjectName(QStringLiteral("inspectorTree"));
    tree_->setAccessibleName(tr("Attributes of the component"));
    tree_->setModel(&inspector_);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setAlternatingRowColors(true);
    tree_->setUniformRowHeights(true);
    tree_->setIndentation(kPanelMargin);
    tree_->header()->hide();
    tree_->header()->setStretchLastSection(false);
    tree_->header()->setSectionResizeMode(Inspector::nameColumn, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(Inspector::valueColumn, QHeaderView::ResizeToContents);
    const auto expandOpen = [this] {
        for (int group = 0; group < inspector_.rowCount(); ++group) {
            tree_->setExpanded(inspector_.index(group, 0), inspector_.isGroupOpen(group));
        }
    };
    expandOpen();
    connect(&inspector_, &QAbstractItemModel::modelReset, tree_, expandOpen);
    connect(tree_, &QTreeView::expanded, &inspector_,
            [this](const QModelIndex& group) { inspector_.setGroupOpen(group.row(), true); });
    connect(tree_, &QTreeView::collapsed, &inspector_,
            [this](const QModelIndex& group) { inspector_.setGroupOpen(group.row(), false); });
}

void InspectorPanel::connectModels() {
    // Holds the component under the pointer first, because the step leads away from the pointer.
    const auto go = [this](QToolButton* button, auto step) {
        connect(button, &QToolButton::clicked, &chain_, [this, step] {
            if (const auto node = chain_.node(); node && !chain_.isHeld()) {
                chain_.holdNode(*node);
            }
            step();
        });
    };
    go(parent_, [this] { chain_.toParent(); });
    go(child_, [this] { chain_.toChild(); });
    go(before_, [this] { chain_.toSibling(-1); });
    go(next_, [this] { chain_.toSibling(1); });
    connect(remove_, &QToolButton::clicked, &chain_, &Chain::removeCurrent);
    connect(keep_, &QToolButton::clicked, &chain_, &Chain::keepCurrent);
    connect(only_, &QToolButton::clicked, &chain_, &Chain::keepOnlyCurrent);
    connect(measure_, &QToolButton::clicked, this, [this] {
        for (int group = 0; group < inspector_.rowCount(); ++group) {
            tree_->setExpanded(inspector_.index(group, 0), true);
        }
    });
    connect(select_, &QToolButton::clicked, this, [this](bool checked) {
        if (const auto node = inspector_.node()) {
            selection_.select({*node}, checked ? SetChange::add : SetChange::subtract);
        }
    });
    connect(refine_, &QToolButton::clicked, this, [this] {
        if (const auto canonical = chain_.canonical()) {
            emit refineRequested(*canonical);
        }
    });
    connect(mask_, &QToolButton::clicked, this, [this] {
        if (const auto node = inspector_.node()) {
            emit maskRequested(*node);
        }
    });
    connect(&inspector_, &Inspector::cutoutChanged, this, [this] { summary_->showText(inspector_.summary()); });
    connect(&selection_, &vm::NodeSelection::changed, this, &InspectorPanel::showComponent);
    follow(this, &InspectorPanel::showComponent, inspector_, &Inspector::componentChanged);
    follow(
        this, [this] { verdict_->setFullText(chain_.verdict()); }, chain_, &Chain::currentChanged,
        &Chain::valuesChanged, &Chain::verdictChanged);
}

void InspectorPanel::showComponent() {
    const auto node = inspector_.node();
    pages_->setCurrentIndex(node ? 0 : 1);
    summary_->showText(inspector_.summary());
    select_->setChecked(node && selection_.isSelected(*node));
    for (QToolButton* button : {parent_, before_, next_, remove_, keep_, only_, refine_}) {
        button->setEnabled(node && *node != 0);
    }
}

void InspectorPanel::setFollowing(bool following) {
    chain_.setWatched(this, following);
    inspector_.setActive(following);
}

} // namespace pollard::app
