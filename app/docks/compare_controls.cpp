#include "docks/compare_controls.hpp"

#include "vm/display/compare_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Compare = vm::CompareViewModel;

QHBoxLayout* makeRow(QWidget* parent) {
    auto* row = new QHBoxLayout(parent);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    return row;
}

} // namespace

CompareControls::CompareControls(Compare& compare, QWidget* parent) : QWidget(parent), compare_(compare) {
    build();
    connectModel();
    showState();
}

void CompareControls::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);

    mode_ = new QComboBox(this);
    mode_->setObjectName(QStringLiteral("compareMode"));
    mode_->addItem(tr("Off"), QVariant::fromValue(Compare::Mode::off));
    mode_->addItem(tr("Split"), QVariant::fromValue(Compare::Mode::split));
    mode_->addItem(tr("Blink"), QVariant::fromValue(Compare::Mode::blink));
    mode_->addItem(tr("Difference"), QVariant::fromValue(Compare::Mode::difference));
    explain(mode_, tr("Comparison of original and result"),
            tr("Side by side (S), in turn (B), or their difference (D)"));
    auto* label = new CaptionLabel(tr("Co&mpare"), this);
    label->setBuddy(mode_);
    auto* modes = makeRow(nullptr);
    modes->addWidget(label);
    modes->addWidget(mode_, 1);
    layout->addLayout(modes);

    blinking_ = new QWidget(this);
    auto* pace = makeRow(blinking_);
    interval_ = new QDoubleSpinBox(blinking_);
    interval_->setObjectName(QStringLiteral("blinkInterval"));
    interval_->setRange(Compare::kShortestBlink, Compare::kLongestBlink);
    interval_->setSingleStep(0.1);
    interval_->setDecimals(1);
    interval_->setSuffix(tr(" s"));
    explain(interval_, tr("Blink interval"), tr("Time that each of the two pictures is shown"));
    byItself_ = new QCheckBox(tr("By itself"), blinking_);
    byItself_->setObjectName(QStringLiteral("blinkByItself"));
    explain(byItself_, tr("Blink by itself"), tr("Off: only the space bar switches the pictures"));
    pace->addWidget(interval_, 1);
    pace->addWidget(byItself_);
    layout->addWidget(blinking_);

    differing_ = new QWidget(this);
    auto* grid = new QGridLayout(differing_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(kPanelSpacing);
    kind_ = new QComboBox(differing_);
    kind_->setObjectName(QStringLiteral("differenceKind"));
    kind_->addItem(tr("Filtered − original"), false);
    kind_->addItem(tr("|Filtered − original|"), true);
    explain(kind_, tr("Kind of difference"), tr("With its sign around the middle of the colours, or without"));
    range_ = new QDoubleSpinBox(differing_);
    range_->setObjectName(QStringLiteral("differenceRange"));
    range_->setDecimals(0);
    range_->setPrefix(tr("± "));
    range_->setGroupSeparatorShown(true);
    range_->setKeyboardTracking(false);
    range_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(range_, tr("Range of the difference"), tr("Grey levels of difference that reach the end of the colours"));
    automatic_ = new QCheckBox(tr("Automatic"), differing_);
    automatic_->setObjectName(QStringLiteral("differenceAutomatic"));
    explain(automatic_, tr("Automatic range"),
            tr("The 99 % percentile of the changed pixels, rounded up by a third at most so that it stays steady, from "
               "a sample of at most a million pixels"));
    grid->addWidget(kind_, 0, 0, 1, 2);
    grid->addWidget(range_, 1, 0);
    grid->addWidget(automatic_, 1, 1);
    grid->setColumnStretch(0, 1);
    layout->addWidget(differing_);
    layout->addWidget(new Divider(this));
}

void CompareControls::connectModel() {
    connect(mode_, &QComboBox::activated, this,
            [this] { compare_.setMode(mode_->currentData().value<Compare::Mode>()); });
    connect(interval_, &QDoubleSpinBox::valueChanged, &compare_, &Compare::setBlinkInterval);
    connect(byItself_, &QCheckBox::toggled, &compare_, &Compare::setBlinkByItself);
    connect(kind_, &QComboBox::activated, this, [this] { compare_.setAbsolute(kind_->currentData().toBool()); });
    connect(range_, &QDoubleSpinBox::valueChanged, &compare_, &Compare::setDifferenceRange);
    connect(automatic_, &QCheckBox::toggled, &compare_, &Compare::setDifferenceAutomatic);
    for (const auto signal : {&Compare::modeChanged, &Compare::blinkIntervalChanged, &Compare::differenceChanged}) {
        connect(&compare_, signal, this, &CompareControls::showState);
    }
}

void CompareControls::showState() {
    const QSignalBlocker quietInterval(interval_);
    const QSignalBlocker quietItself(byItself_);
    const QSignalBlocker quietRange(range_);
    const QSignalBlocker quietAutomatic(automatic_);
    mode_->setCurrentIndex(mode_->findData(QVariant::fromValue(compare_.mode())));
    interval_->setValue(compare_.blinkInterval());
    byItself_->setChecked(compare_.blinksByItself());
    kind_->setCurrentIndex(kind_->findData(compare_.isAbsolute()));
    range_->setPrefix(compare_.isAbsolute() ? tr("0 to ") : tr("± "));
    range_->setRange(1, compare_.maxLevel());
    range_->setValue(compare_.differenceRange());
    automatic_->setChecked(compare_.isDifferenceAutomatic());
    blinking_->setVisible(compare_.mode() == Compare::Mode::blink);
    differing_->setVisible(compare_.mode() == Compare::Mode::difference);
}

} // namespace pollard::app
