#include "docks/tree/chain_panel.hpp"

#include "docks/charts/chain_chart.hpp"
#include "docks/filter/attribute_picker.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/empty_state.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QVBoxLayout>

namespace pollard::app {

using Chain = vm::ChainViewModel;

namespace {

constexpr int kTableWidth = 300; ///< three columns with their titles

} // namespace

ChainPanel::ChainPanel(Chain& chain, QWidget* parent)
    : QWidget(parent), chain_(chain), summary_(new ElidedLabel(this)), verdict_(new ElidedLabel(this)),
      attribute_(new AttributeButton(this)), keepFromHere_(new QToolButton(this)),
      remove_(makeIconButton(this, "chainRemove", QStringLiteral("delete"), tr("Remove"),
                             tr("Remove this component from the picture with all in it"))),
      keep_(makeIconButton(this, "chainKeep", QStringLiteral("keep"), tr("Keep"),
                           tr("Keep this component in the picture, even if it does not meet the criteria"))),
      refine_(makeIconButton(this, "chainRefine", QStringLiteral("contour"), tr("Refine with a contour"),
                             tr("Let a contour (region snake) start at the outline of this component"))),
      letGo_(makeIconButton(this, "chainLetGo", QStringLiteral("cancel"), tr("Let go"),
                            tr("Follow the pointer again (Esc in the picture)"))),
      table_(new QTableView(this)), chart_(new ChainChart(chain, this)), parts_(new QSplitter(this)),
      pages_(new QStackedWidget(this)), hint_(new EmptyState(QStringLiteral("chainHint"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new WrappingRow(kPanelSpacing);
    attribute_->setObjectName(QStringLiteral("chainAttribute"));
    attribute_->setAccessibleName(tr("Attribute beside level and area"));
    keepFromHere_->setObjectName(QStringLiteral("chainThreshold"));
    keepFromHere_->setText(tr("Keep from here on"));
    keepFromHere_->setAutoRaise(true);
    explain(keepFromHere_, tr("Keep from here on"),
            tr("Make attribute ≥ this component's value the criterion that is edited"));
    summary_->setObjectName(QStringLiteral("chainSummary"));
    summary_->setMinimumHeight(summary_->fontMetrics().height());
    head->addWidget(captionFor(attribute_, tr("&Attribute")));
    head->addWidget(attribute_);
    head->addStretch();
    for (QToolButton* button : {keepFromHere_, remove_, keep_, refine_, letGo_}) {
        head->addWidget(button);
    }
    layout->addLayout(head);
    layout->addWidget(summary_);
    layout->addWidget(verdict_);
    verdict_->setObjectName(QStringLiteral("chainVerdict"));
    verdict_->setMinimumHeight(verdict_->fontMetrics().height());
    hint_->setText(tr("Point at the picture: the components around that pixel appear here, from the smallest to the "
                      "whole picture. A click holds them."));
    connect(hint_->addButton(QStringLiteral("chainStart"), tr("Start in the middle"),
                             tr("Hold the components around the pixel in the middle of the view")),
            &QPushButton::clicked, this, &ChainPanel::middleRequested);
    makeTable();
    parts_->setChildrenCollapsible(false);
    parts_->addWidget(table_);
    parts_->addWidget(chart_);
    parts_->setSizes({kTableWidth, kTableWidth});
    parts_->setObjectName(QStringLiteral("chainParts"));
    // Both have the same size, so that the image stays in place when a chain appears.
    pages_->addWidget(parts_);
    pages_->addWidget(hint_);
    layout->addWidget(pages_, 1);
    connectModel();
}

void ChainPanel::makeTable() {
    table_->setObjectName(QStringLiteral("chainTable"));
    table_->setModel(&chain_);
    table_->setAccessibleName(tr("Components around the pixel"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    // A fixed height avoids measuring 65,536 rows.
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->setMinimumWidth(kTableWidth);
}

void ChainPanel::connectModel() {
    connect(attribute_, &AttributeButton::chosen, &chain_, &Chain::setAttribute);
    connect(letGo_, &QToolButton::clicked, &chain_, &Chain::letGo);
    connect(keepFromHere_, &QToolButton::clicked, &chain_, &Chain::keepFromCurrentOn);
    connect(remove_, &QToolButton::clicked, &chain_, &Chain::removeCurrent);
    connect(keep_, &QToolButton::clicked, &chain_, &Chain::keepCurrent);
    connect(refine_, &QToolButton::clicked, this, [this] {
        if (const auto canonical = chain_.canonical()) {
            emit refineRequested(*canonical);
        }
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, &chain_,
            [this](const QModelIndex& current) {
                if (current.isValid()) {
                    chain_.setCurrent(current.row());
                }
            });
    follow(this, &ChainPanel::showState, chain_, &Chain::chainChanged, &Chain::heldChanged, &Chain::attributeChanged);
    follow(this, &ChainPanel::showCurrent, chain_, &Chain::valuesChanged, &Chain::verdictChanged,
           &Chain::currentChanged);
}

void ChainPanel::setTall(bool tall) { parts_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal); }

void ChainPanel::showState() {
    const bool there = chain_.rowCount() > 0;
    attribute_->setAttributeId(chain_.attribute());
    pages_->setCurrentWidget(there ? static_cast<QWidget*>(parts_) : hint_);
    letGo_->setEnabled(chain_.isHeld());
    showCurrent();
}

void ChainPanel::showCurrent() {
    const auto node = chain_.node();
    summary_->setFullText(chain_.summary());
    verdict_->setFullText(chain_.verdict());
    remove_->setEnabled(node && *node != 0);
    keep_->setEnabled(node && *node != 0);
    refine_->setEnabled(node && *node != 0);
    keepFromHere_->setEnabled(chain_.value(chain_.current(), Chain::attributeColumn).has_value());
    if (chain_.current() >= 0 && table_->currentIndex().row() != chain_.current()) {
        table_->setCurrentIndex(chain_.index(chain_.current(), 0));
    }
}

} // namespace pollard::app
