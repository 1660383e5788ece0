#include "docks/tree/selection_panel.hpp"

#include "docks/charts/selection_chart.hpp"
#include "docks/fact_list.hpp"
#include "docks/filter/attribute_picker.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "vm/tree/selection_summary.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QMenu>
#include <QVBoxLayout>

namespace pollard::app {

using Selection = vm::NodeSelection;

namespace {

constexpr int kNamesHeight = 90;

QPushButton* makeTextButton(QWidget* parent, const char* objectName, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QLatin1String(objectName));
    explain(button, text, toolTip);
    return button;
}

} // namespace

SelectionPanel::SelectionPanel(Selection& selection, vm::SelectionSummary& summary, vm::ChainViewModel& chain,
                               QWidget* parent)
    : QWidget(parent), selection_(selection), summary_(summary), chain_(chain), text_(new QLabel(this)),
      add_(makeTextButton(this, "selectionAdd", tr("This component"), tr("Add the current component"))),
      kept_(makeTextButton(this, "selectionKept", tr("Kept"), tr("Select the components that the filter keeps"))),
      removed_(
          makeTextButton(this, "selectionRemoved", tr("Removed"), tr("Select the components that the filter removes"))),
      clear_(makeIconButton(this, "selectionClear", QStringLiteral("cancel"), tr("Select nothing"),
                            tr("Empty the selection; named selections stay"))),
      remove_(makeIconButton(this, "selectionRemove", QStringLiteral("delete"), tr("Remove from the picture"),
                             tr("Remove the selected components from the picture with all in them"))),
      save_(makeIconButton(this, "selectionSave", QStringLiteral("save"), tr("Save"),
                           tr("Write the selected components as a mask or as a table"))),
      attribute_(new AttributeButton(this)), facts_(new FactList(this)), name_(new QLineEdit(this)),
      store_(makeIconButton(this, "selectionStore", QStringLiteral("add"), tr("Keep under this name"),
                            tr("Keep the selection under this name, as long as this tree is shown"))),
      names_(new QListView(this)),
      recall_(makeIconButton(
          this, "selectionRecall", QStringLiteral("apply"), tr("Select these"),
          tr("Restore the selection of this name; with Ctrl add it, with Shift keep only the components in both"))),
      forget_(makeIconButton(this, "selectionForget", QStringLiteral("delete"), tr("Forget the name"),
                             tr("Forget the name; the selection stays"))) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(new SectionLabel(tr("Selected"), this));
    text_->setObjectName(QStringLiteral("selectionSummary"));
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    text_->setMinimumHeight(2 * text_->fontMetrics().lineSpacing());
    layout->addWidget(text_);
    layout->addWidget(makeSources());
    layout->addWidget(new Divider(this));
    layout->addWidget(new SectionLabel(tr("Statistics"), this));
    attribute_->setObjectName(QStringLiteral("selectionAttribute"));
    layout->addWidget(attribute_);
    layout->addWidget(new SelectionChart(summary_, this));
    layout->addWidget(facts_);
    layout->addWidget(new Divider(this));
    layout->addWidget(new SectionLabel(tr("Named selections"), this));
    layout->addWidget(makeNames());
    layout->addStretch(1);
    connectModels();
}

QWidget* SelectionPanel::makeSources() {
    auto* sources = new QWidget(this);
    auto* layout = new QVBoxLayout(sources);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing / 2);
    auto* first = new QHBoxLayout;
    first->setSpacing(0);
    first->addWidget(clear_);
    first->addStretch(1);
    for (QToolButton* button : {remove_, save_}) {
        first->addWidget(button);
    }
    auto* menu = new QMenu(save_);
    menu->addAction(tr("&Mask (TIFF)…"), this, [this] { emit saveRequested(vm::NodeFile::mask); });
    menu->addAction(tr("&Table (CSV)…"), this, [this] { emit saveRequested(vm::NodeFile::table); });
    save_->setMenu(menu);
    save_->setPopupMode(QToolButton::InstantPopup);
    auto* caption = new CaptionLabel(tr("Select"), this);
    layout->addLayout(first);
    layout->addWidget(caption);
    for (QPushButton* button : {add_, kept_, removed_}) {
        layout->addWidget(button);
    }
    return sources;
}

QWidget* SelectionPanel::makeNames() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing / 2);
    auto* line = new QHBoxLayout;
    line->setSpacing(kPanelSpacing / 2);
    name_->setObjectName(QStringLiteral("selectionName"));
    name_->setPlaceholderText(tr("Name of the selection"));
    explain(name_, tr("Name of the selection"), tr("Return keeps the selection under this name"));
    line->addWidget(name_, 1);
    line->addWidget(store_);
    line->addWidget(recall_);
    line->addWidget(forget_);
    names_->setObjectName(QStringLiteral("selectionNames"));
    explain(names_, tr("Named selections"), tr("Named selections; a click restores one"));
    names_->setModel(&selection_);
    names_->setUniformItemSizes(true);
    names_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    names_->setFixedHeight(kNamesHeight);
    layout->addLayout(line);
    layout->addWidget(names_);
    return part;
}

void SelectionPanel::connectModels() {
    connect(add_, &QPushButton::clicked, this, [this] {
        if (const auto node = chain_.node()) {
            selection_.select({*node}, SetChange::add);
        }
    });
    connect(kept_, &QPushButton::clicked, &selection_, [this] { selection_.selectFiltered(true); });
    connect(removed_, &QPushButton::clicked, &selection_, [this] { selection_.selectFiltered(false); });
    connect(clear_, &QToolButton::clicked, &selection_, &Selection::clear);
    connect(remove_, &QToolButton::clicked, this, &SelectionPanel::removeRequested);
    connect(attribute_, &AttributeButton::chosen, &summary_, &vm::SelectionSummary::setAttribute);
    connect(name_, &QLineEdit::returnPressed, this, &SelectionPanel::storeNamed);
    connect(store_, &QToolButton::clicked, this, &SelectionPanel::storeNamed);
    connect(name_, &QLineEdit::textChanged, this, &SelectionPanel::showSelection);
    const auto recall = [this](SetChange change) { selection_.recall(names_->currentIndex().row(), change); };
    connect(recall_, &QToolButton::clicked, this, [recall] {
        const auto keys = QGuiApplication::keyboardModifiers();
        recall(keys.testFlag(Qt::ControlModifier) ? SetChange::add
               : keys.testFlag(Qt::ShiftModifier) ? SetChange::intersect
                                                  : SetChange::replace);
    });
    connect(names_, &QListView::activated, this, [recall] { recall(SetChange::replace); });
    connect(forget_, &QToolButton::clicked, this, [this] { selection_.forget(names_->currentIndex().row()); });
    connect(names_->selectionModel(), &QItemSelectionModel::currentChanged, this, &SelectionPanel::showSelection);
    connect(&chain_, &vm::ChainViewModel::currentChanged, this, &SelectionPanel::showSelection);
    follow(this, &SelectionPanel::showSelection, selection_, &Selection::changed, &Selection::extentChanged);
    follow(this, &SelectionPanel::showSummary, summary_, &vm::SelectionSummary::changed,
           &vm::SelectionSummary::attributeChanged);
}

void SelectionPanel::storeNamed() {
    selection_.store(name_->text());
    name_->clear();
}

void SelectionPanel::showSelection() {
    const bool any = selection_.count() > 0;
    text_->setText(any ? selection_.summary()
                       : tr("Nothing. Add the current component, select kept or removed components, or draw a lasso in "
                            "the attribute plane."));
    add_->setEnabled(chain_.node().has_value());
    clear_->setEnabled(any);
    remove_->setEnabled(any);
    save_->setEnabled(any);
    store_->setEnabled(any && !name_->text().trimmed().isEmpty());
    recall_->setEnabled(names_->currentIndex().isValid());
    forget_->setEnabled(names_->currentIndex().isValid());
}

void SelectionPanel::showSummary() {
    attribute_->setAttributeId(summary_.attribute());
    facts_->setFacts(summary_.facts());
}

void SelectionPanel::setLooking(bool looking) {
    chain_.setWatched(this, looking);
    summary_.setActive(looking);
}

} // namespace pollard::app
