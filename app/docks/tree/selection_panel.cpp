#include "docks/tree/selection_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "theme/theme.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineSeries>
#include <QMenu>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kCountHeadroom = 1.05; ///< factor above the highest bar
constexpr int kMostTicks = 4;
constexpr float kFillAlpha = 0.5F;

/// Position of a value between the first and the last edge, 0..1.
double placeInBins(const Bins& bins, double value) {
    const double low = bins.edges.front();
    const double high = bins.edges.back();
    return bins.scale == BinScale::log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

} // namespace

SelectionChart::SelectionChart(vm::SelectionSummary& summary, QWidget* parent)
    : Chart("selectionChart", {2, 4, 8, 0}, {120, 90}, parent), summary_(summary),
      bars_(new QAreaSeries(new QLineSeries(this))), values_(new QCategoryAxis), counts_(new QValueAxis) {
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Distribution of the attribute over the selection"));
    setToolTip(tr("Number of selected components by value"));
    addAxis(values_, Qt::AlignBottom);
    addAxis(counts_, Qt::AlignLeft);
    addSeries(bars_, values_, counts_);
    connect(&summary_, &vm::SelectionSummary::changed, this, &SelectionChart::showBars);
    applyStyle();
    showBars();
}

void SelectionChart::styleSeries(const QPalette& palette) {
    QColor colour = palette.color(QPalette::Highlight);
    bars_->setPen(QPen(colour, 1));
    colour.setAlphaF(kFillAlpha);
    bars_->setBrush(colour);
}

void SelectionChart::showBars() {
    const auto values = summary_.values();
    QList<QPointF> outline;
    if (values) {
        const Bins& bins = values->histogram.bins;
        std::uint64_t highest = 1;
        for (std::size_t bin = 0; bin < bins.count(); ++bin) {
            const auto count = static_cast<double>(values->histogram.counts[bin]);
            outline << QPointF(placeInBins(bins, bins.edges[bin]), count)
                    << QPointF(placeInBins(bins, bins.edges[bin + 1]), count);
            highest = std::max(highest, values->histogram.counts[bin]);
        }
        setTicks(*values_, 0, 1,
                 ticksBetween(summary_.valueAt(bins.edges.front()), summary_.valueAt(bins.edges.back()),
                              bins.scale == BinScale::log && summary_.valueAt(bins.edges.front()) > 0, kMostTicks),
                 [&](double value) { return placeInBins(bins, summary_.ofColumn(value)); });
        counts_->setRange(0, static_cast<double>(highest) * kCountHeadroom);
    }
    bars_->upperSeries()->replace(outline);
    showAxes(values != nullptr, counts_);
}

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
      remove_(makeIconButton(this, "selectionRemove", QStringLiteral("delete"), tr("Remove from the image"),
                             tr("Remove the selected components from the image with all in them"))),
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
    name_->setPlaceholderText(tr("Name of the selection"));
    explain(name_, "selectionName", tr("Name of the selection"), tr("Return keeps the selection under this name"));
    line->addWidget(name_, 1);
    line->addWidget(store_);
    line->addWidget(recall_);
    line->addWidget(forget_);
    explain(names_, "selectionNames", tr("Named selections"), tr("Named selections; a click restores one"));
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

void SelectionPanel::setFollowing(bool following) {
    chain_.setWatched(this, following);
    summary_.setActive(following);
}

} // namespace pollard::app
