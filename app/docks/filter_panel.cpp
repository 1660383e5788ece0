#include "docks/filter_panel.hpp"

#include "docks/counter_table.hpp"
#include "document_view_model.hpp"
#include "theme/icons.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/range_slider.hpp"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>

namespace pollard::app {
namespace {

constexpr double kKeyStep = 0.01; ///< of the slider's length

/// The value one key press further; never stuck between two whole numbers of a logarithmic domain.
double stepped(const vm::ValueDomain& domain, double value, int steps) {
    const double wanted = domain.valueAt(domain.positionOf(value) + steps * kKeyStep);
    const bool stuck = steps > 0 ? wanted <= value : wanted >= value;
    return stuck ? domain.snap(value + steps * domain.step()) : wanted;
}

QString valueText(const vm::ValueDomain& domain, double value) {
    return QLocale().toString(value, 'f', domain.integral ? 0 : domain.decimals);
}

QWidget* captioned(const QString& caption, QWidget* control) {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    auto* label = new CaptionLabel(caption, box);
    label->setBuddy(control);
    layout->addWidget(label);
    layout->addWidget(control);
    return box;
}

} // namespace

FilterPanel::FilterPanel(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing + 4);
    layout->addWidget(makeCriterion());
    layout->addWidget(new Divider(this));
    layout->addWidget(makeRule());
    layout->addWidget(makeApply());
    layout->addWidget(new Divider(this));
    layout->addWidget(new SectionLabel(tr("Result"), this));
    counters_ = new CounterTable(filter, document, this);
    layout->addWidget(counters_);
    layout->addStretch(1);
    connectModel();
    showAttribute();
    showDomain();
    showRule();
    showOutput();
    showAvailability();
}

QDoubleSpinBox* FilterPanel::makeBound(const QString& name, const QString& objectName) {
    auto* box = new QDoubleSpinBox;
    box->setObjectName(objectName);
    box->setAccessibleName(name);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false); // a half-typed number is no threshold
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setMinimumWidth(80);
    return box;
}

QWidget* FilterPanel::makeCriterion() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);

    auto* head = new QHBoxLayout;
    enabled_ = new QCheckBox(tr("Keep components by"), box);
    enabled_->setObjectName(QStringLiteral("filterEnabled"));
    QFont strong = enabled_->font();
    strong.setWeight(QFont::DemiBold);
    enabled_->setFont(strong);
    explain(enabled_, tr("Filter on"), tr("Off: nothing is removed; the numbers stay"));
    head->addWidget(enabled_);
    head->addStretch(1);
    reset_ = new QToolButton(box);
    reset_->setIcon(themedIcon(QStringLiteral("reset")));
    reset_->setAutoRaise(true);
    reset_->setObjectName(QStringLiteral("resetRange"));
    explain(reset_, tr("Reset the range"), tr("Reset the range: keep every component"));
    head->addWidget(reset_);
    layout->addLayout(head);

    attribute_ = new QComboBox(box);
    attribute_->setObjectName(QStringLiteral("attribute"));
    attribute_->setAccessibleName(tr("Attribute"));
    for (const AttributeInfo& info : allAttributes()) {
        attribute_->addItem(vm::FilterViewModel::attributeTitle(info.id), static_cast<int>(info.id));
        attribute_->setItemData(attribute_->count() - 1, vm::FilterViewModel::attributeToolTip(info.id),
                                Qt::ToolTipRole);
    }
    layout->addWidget(attribute_);

    range_ = new RangeSlider(box);
    range_->setObjectName(QStringLiteral("range"));
    range_->setToolTip(tr("Components inside the range are kept. Drag a handle, or the bar between both."));
    layout->addWidget(range_);
    auto* ends = new QHBoxLayout;
    domainStart_ = new CaptionLabel(QString(), box);
    domainEnd_ = new CaptionLabel(QString(), box);
    ends->addWidget(domainStart_);
    ends->addStretch(1);
    ends->addWidget(domainEnd_);
    layout->addLayout(ends);

    minimum_ = makeBound(tr("Smallest value that is kept"), QStringLiteral("minimum"));
    maximum_ = makeBound(tr("Largest value that is kept"), QStringLiteral("maximum"));
    minimum_->setToolTip(tr("Components with a smaller value are removed; equal ones are kept"));
    maximum_->setToolTip(tr("Components with a larger value are removed; equal ones are kept"));
    auto* bounds = new QHBoxLayout;
    bounds->setSpacing(kPanelSpacing);
    bounds->addWidget(captioned(tr("&From"), minimum_), 1);
    bounds->addWidget(captioned(tr("&To"), maximum_), 1);
    layout->addLayout(bounds);
    return box;
}

QWidget* FilterPanel::makeRule() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);
    rule_ = new QComboBox(box);
    rule_->setObjectName(QStringLiteral("rule"));
    rule_->setAccessibleName(tr("Rule"));
    for (const Rule rule : kAllRules) {
        rule_->addItem(vm::FilterViewModel::ruleTitle(rule), static_cast<int>(rule));
        rule_->setItemData(rule_->count() - 1, vm::FilterViewModel::ruleToolTip(rule), Qt::ToolTipRole);
    }
    output_ = new QComboBox(box);
    output_->setObjectName(QStringLiteral("output"));
    output_->setAccessibleName(tr("Output"));
    for (const Output output : kAllOutputs) {
        output_->addItem(vm::FilterViewModel::outputTitle(output), static_cast<int>(output));
        output_->setItemData(output_->count() - 1, vm::FilterViewModel::outputToolTip(output), Qt::ToolTipRole);
    }
    layout->addWidget(captioned(tr("&Rule"), rule_));
    layout->addWidget(captioned(tr("&Output"), output_));
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
    explain(apply_, tr("Apply"), tr("Filter with what is set now"));
    layout->addWidget(live_);
    layout->addStretch(1);
    layout->addWidget(apply_);
    return box;
}

void FilterPanel::connectModel() {
    using Filter = vm::FilterViewModel;
    connect(enabled_, &QCheckBox::toggled, &filter_, &Filter::setEnabled);
    connect(attribute_, &QComboBox::activated, this,
            [this] { filter_.setAttribute(static_cast<AttributeId>(attribute_->currentData().toInt())); });
    connect(range_, &RangeSlider::lowerMoved, &filter_, &Filter::setMinimumPosition);
    connect(range_, &RangeSlider::upperMoved, &filter_, &Filter::setMaximumPosition);
    connect(range_, &RangeSlider::lowerStepped, this, &FilterPanel::stepMinimum);
    connect(range_, &RangeSlider::upperStepped, this, &FilterPanel::stepMaximum);
    connect(minimum_, &QDoubleSpinBox::valueChanged, &filter_, &Filter::setMinimum);
    connect(maximum_, &QDoubleSpinBox::valueChanged, &filter_, &Filter::setMaximum);
    connect(reset_, &QToolButton::clicked, &filter_, &Filter::reset);
    connect(rule_, &QComboBox::activated, this,
            [this] { filter_.setRule(static_cast<Rule>(rule_->currentData().toInt())); });
    connect(output_, &QComboBox::activated, this,
            [this] { filter_.setOutput(static_cast<Output>(output_->currentData().toInt())); });
    connect(live_, &QCheckBox::toggled, &filter_, &Filter::setLive);
    connect(apply_, &QPushButton::clicked, &filter_, &Filter::apply);

    connect(&filter_, &Filter::attributeChanged, this, &FilterPanel::showAttribute);
    connect(&filter_, &Filter::domainChanged, this, &FilterPanel::showDomain);
    connect(&filter_, &Filter::rangeChanged, this, &FilterPanel::showRange);
    connect(&filter_, &Filter::ruleChanged, this, &FilterPanel::showRule);
    connect(&filter_, &Filter::outputChanged, this, &FilterPanel::showOutput);
    for (const auto signal :
         {&Filter::enabledChanged, &Filter::liveChanged, &Filter::pendingChanged, &Filter::domainChanged}) {
        connect(&filter_, signal, this, &FilterPanel::showAvailability);
    }
    connect(&document_, &vm::DocumentViewModel::documentChanged, this, &FilterPanel::showAvailability);
}

void FilterPanel::stepMinimum(int steps) { filter_.setMinimum(stepped(filter_.domain(), filter_.minimum(), steps)); }
void FilterPanel::stepMaximum(int steps) { filter_.setMaximum(stepped(filter_.domain(), filter_.maximum(), steps)); }

void FilterPanel::showAttribute() {
    attribute_->setCurrentIndex(attribute_->findData(static_cast<int>(filter_.attribute())));
    attribute_->setToolTip(vm::FilterViewModel::attributeToolTip(filter_.attribute()));
    showDomain();
}

void FilterPanel::showDomain() {
    const vm::ValueDomain& domain = filter_.domain();
    const QString unit = filter_.unit().isEmpty() ? QString() : QStringLiteral(" ") + filter_.unit();
    for (QDoubleSpinBox* box : {minimum_, maximum_}) {
        const QSignalBlocker quiet(box);
        box->setDecimals(domain.integral ? 0 : domain.decimals);
        box->setRange(domain.minimum, domain.maximum);
        box->setSuffix(unit);
    }
    domainStart_->setText(filter_.isAvailable() ? valueText(domain, domain.minimum) : QString());
    domainEnd_->setText(filter_.isAvailable() ? valueText(domain, domain.maximum) + unit : QString());
    showRange();
}

void FilterPanel::showRange() {
    const QSignalBlocker quietMinimum(minimum_);
    const QSignalBlocker quietMaximum(maximum_);
    minimum_->setValue(filter_.minimum());
    maximum_->setValue(filter_.maximum());
    range_->setPositions(filter_.minimumPosition(), filter_.isAvailable() ? filter_.maximumPosition() : 1.0);
    const QString title = vm::FilterViewModel::attributeTitle(filter_.attribute());
    range_->describe(tr("Smallest %1 that is kept").arg(title), minimum_->text(),
                     tr("Largest %1 that is kept").arg(title), maximum_->text());
}

void FilterPanel::showRule() {
    rule_->setCurrentIndex(rule_->findData(static_cast<int>(filter_.rule())));
    rule_->setToolTip(vm::FilterViewModel::ruleToolTip(filter_.rule()));
}

void FilterPanel::showOutput() {
    output_->setCurrentIndex(output_->findData(static_cast<int>(filter_.output())));
    output_->setToolTip(vm::FilterViewModel::outputToolTip(filter_.output()));
}

void FilterPanel::showAvailability() {
    const bool image = document_.hasImage();
    const bool usable = image && filter_.isAvailable() && filter_.isEnabled();
    enabled_->setChecked(filter_.isEnabled());
    live_->setChecked(filter_.isLive());
    const bool single = filter_.domain().isSinglePoint();
    range_->setEnabled(usable && !single);
    minimum_->setEnabled(usable && !single);
    maximum_->setEnabled(usable && !single);
    reset_->setEnabled(usable);
    attribute_->setEnabled(filter_.isEnabled());
    rule_->setEnabled(filter_.isEnabled());
    output_->setEnabled(filter_.isEnabled());
    apply_->setEnabled(image && filter_.isPending());
    apply_->setVisible(!filter_.isLive());
}

} // namespace pollard::app
