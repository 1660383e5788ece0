#include "docks/tree/inspector_panel.hpp"

#include "docks/tree/component_thumbnail.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "widgets/couple.hpp"
#include "widgets/empty_state.hpp"
#include "widgets/fixed_height_text.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace pollard::app {

using Chain = vm::ChainViewModel;
using Inspector = vm::InspectorViewModel;

InspectorPanel::InspectorPanel(Inspector& inspector, Chain& chain, vm::NodeSelection& selection,
                               vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), inspector_(inspector), chain_(chain), selection_(selection),
      summary_(new FixedHeightLabel(2, this)), verdict_(new ElidedLabel(this)), tree_(new QTreeView(this)),
      parent_(makeIconButton(this, "inspectorParent", QStringLiteral("parent"), tr("Parent"),
                             tr("The component around this one (Up in the picture)"))),
      child_(makeIconButton(this, "inspectorChild", QStringLiteral("child"), tr("Child"),
                            tr("A component within this one (Down in the picture)"))),
      before_(makeIconButton(this, "inspectorBefore", QStringLiteral("step_back"), tr("Previous sibling"),
                             tr("The previous component within the same parent (Left in the picture)"))),
      next_(makeIconButton(this, "inspectorNext", QStringLiteral("step_forward"), tr("Next sibling"),
                           tr("The next component within the same parent (Right in the picture)"))),
      select_(makeIconButton(this, "inspectorSelect", QStringLiteral("add"), tr("Add to the selection"),
                             tr("Add this component to the selection, or take it out of it"))),
      remove_(makeIconButton(this, "inspectorRemove", QStringLiteral("delete"), tr("Remove"),
                             tr("Remove this component from the picture with all in it"))),
      keep_(makeIconButton(this, "inspectorKeep", QStringLiteral("keep"), tr("Keep"),
                           tr("Keep this component in the picture, even if it does not meet the criteria"))),
      only_(makeIconButton(this, "inspectorOnly", QStringLiteral("only"), tr("Keep only this"),
                           tr("Remove everything outside this component from the picture"))),
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
    hint_->setText(tr("Point at the picture, or click to pin a pixel."));
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
    // A component other than that under the pointer is held.
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

void InspectorPanel::setLooking(bool looking) {
    chain_.setWatched(this, looking);
    inspector_.setActive(looking);
}

} // namespace pollard::app
