#include "docks/filter/filter_panel.hpp"

#include "docks/filter/counter_table.hpp"
#include "docks/filter/criteria_list.hpp"
#include "docks/filter/criterion_controls.hpp"
#include "docks/filter/earlier_note.hpp"
#include "docks/filter/picks_controls.hpp"
#include "docks/filter/prominence_controls.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_texts.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace pollard::app {
FilterPanel::FilterPanel(vm::FilterViewModel& filter, vm::DocumentViewModel& document, vm::EarlierFilters& earlier,
                         QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), earlier_(earlier) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(makeHead()); // at the top, so that its button stays in place when other controls are hidden
    layout->addWidget(new EarlierNote(earlier, this));
    criteria_ = new CriteriaList(filter_, this);
    layout->addWidget(criteria_);
    layout->addWidget(new CriterionControls(filter_, document_, this));
    layout->addWidget(new Divider(this));
    layout->addWidget(new ProminenceControls(filter_, document_, this));
    layout->addWidget(new PicksControls(filter_, document_, this));
    layout->addWidget(new Divider(this));
    layout->addWidget(makeRule());
    layout->addWidget(makeApply());
    layout->addWidget(new Divider(this));
    layout->addWidget(new SectionLabel(tr("Result"), this));
    counters_ = new CounterTable(filter, document, this);
    layout->addWidget(counters_);
    layout->addStretch(1);
    connectModel();
}

QWidget* FilterPanel::makeHead() {
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    enabled_ = new QCheckBox(tr("Keep components that meet"), this);
    enabled_->setObjectName(QStringLiteral("filterEnabled"));
    QFont strong = enabled_->font();
    strong.setWeight(QFont::DemiBold);
    enabled_->setFont(strong);
    explain(enabled_, tr("Filter on"), tr("Off: nothing is removed; the numbers stay"));
    row->addWidget(enabled_, 1);
    clear_ = makeIconButton(head, "clearFilterButton", QStringLiteral("erase"), tr("Clear the filter"),
                            tr("Remove all filters: the result is the picture as it is in the file"));
    row->addWidget(clear_);
    return head;
}

QWidget* FilterPanel::makeRule() {
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);
    rule_ = new QComboBox(box);
    rule_->setObjectName(QStringLiteral("rule"));
    rule_->setAccessibleName(tr("Rule"));
    for (const Rule rule : kAllRules) {
        rule_->addItem(vm::ruleTitle(rule), static_cast<int>(rule));
        rule_->setItemData(rule_->count() - 1, vm::ruleToolTip(rule), Qt::ToolTipRole);
    }
    output_ = new QComboBox(box);
    output_->setObjectName(QStringLiteral("output"));
    output_->setAccessibleName(tr("Output"));
    for (const Output output : kAllOutputs) {
        output_->addItem(vm::outputTitle(output), static_cast<int>(output));
        output_->setItemData(output_->count() - 1, vm::outputToolTip(output), Qt::ToolTipRole);
    }
    shorten(*rule_);
    shorten(*output_);
    layout->addWidget(captioned(tr("&Rule"), rule_), 1);
    layout->addWidget(captioned(tr("&Output"), output_), 1);
    return box;
}

QWidget* FilterPanel::makeApply() {
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    live_ = new QCheckBox(tr("&Live"), box);
    live_->setObjectName(QStringLiteral("live"));
    explain(live_, tr("Live"), tr("Filter at every change. Off: only Apply does"));
    apply_ = new QPushButton(tr("&Apply"), box);
    apply_->setObjectName(QStringLiteral("apply"));
    explain(apply_, tr("Apply"), tr("Filter with the present settings"));
    layout->addWidget(live_);
    layout->addStretch(1);
    layout->addWidget(apply_);
    return box;
}

void FilterPanel::connectModel() {
    using Filter = vm::FilterViewModel;
    couple(enabled_, filter_, &Filter::isEnabled, &Filter::setEnabled, &Filter::enabledChanged);
    couple(rule_, filter_, &Filter::rule, &Filter::setRule, &Filter::ruleChanged);
    couple(output_, filter_, &Filter::output, &Filter::setOutput, &Filter::outputChanged);
    couple(live_, filter_, &Filter::isLive, &Filter::setLive, &Filter::liveChanged);
    connect(apply_, &QPushButton::clicked, &filter_, &Filter::apply);

    const auto showRule = [this] { rule_->setToolTip(vm::ruleToolTip(filter_.rule())); };
    const auto showOutput = [this] { output_->setToolTip(vm::outputToolTip(filter_.output())); };
    follow(this, showRule, filter_, &Filter::ruleChanged);
    follow(this, showOutput, filter_, &Filter::outputChanged);
    connect(&document_, &vm::DocumentViewModel::hasImageChanged, this, &FilterPanel::showAvailability);
    follow(this, &FilterPanel::showAvailability, filter_, &Filter::enabledChanged, &Filter::liveChanged,
           &Filter::pendingChanged, &Filter::domainChanged);
    connect(clear_, &QToolButton::clicked, &earlier_, &vm::EarlierFilters::clearAll);
    follow(
        this, [this] { clear_->setEnabled(earlier_.canClear()); }, earlier_, &vm::EarlierFilters::changed);
}

void FilterPanel::showAvailability() {
    const bool image = document_.hasImage();
    criteria_->setEnabled(filter_.isEnabled());
    rule_->setEnabled(filter_.isEnabled());
    output_->setEnabled(filter_.isEnabled());
    apply_->setEnabled(image && filter_.isPending());
    apply_->setVisible(!filter_.isLive());
}

} // namespace pollard::app
