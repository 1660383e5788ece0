#include "docks/value_range_controls.hpp"

#include "vm/base/value_text.hpp"
#include "vm/display/value_range_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Range = vm::ValueRangeViewModel::Range;

QLabel* makeText(const QString& name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    label->setAccessibleName(name);
    return label;
}

} // namespace

ValueRangeControls::ValueRangeControls(vm::ValueRangeViewModel& range, QWidget* parent)
    : QWidget(parent), range_(range) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(new SectionLabel(tr("Values and levels"), this));
    values_ = makeText(tr("Values of the file"), this);
    values_->setObjectName(QStringLiteral("valueRange"));
    values_->setToolTip(tr("Smallest and largest value of the page"));
    levels_ = makeText(tr("Values of the levels"), this);
    levels_->setObjectName(QStringLiteral("levelValues"));
    levels_->setToolTip(tr("The first and the last level and their values"));
    gaps_ = makeText(tr("Values without a level of their own"), this);
    gaps_->setToolTip(tr("NaN pixels take no part; infinite and clipped ones have the last level"));
    layout->addWidget(values_);
    layout->addWidget(levels_);
    layout->addWidget(gaps_);
    choice_ = makeControl<QComboBox>(this, "valueChoice", tr("Range of values"),
                                     tr("Which values become the first and the last level"));
    addChoices<Range>(choice_, {{tr("Automatic"), Range::automatic},
                                {tr("Smallest to largest"), Range::minMax},
                                {tr("Percentiles"), Range::percentile},
                                {tr("Fixed values"), Range::fixed}});
    layout->addWidget(choice_);
    auto* numbers = new QHBoxLayout;
    numbers->setSpacing(6);
    low_ = makeControl<QLineEdit>(this, "valueLow", tr("Low end"), tr("Becomes the first level"));
    high_ = makeControl<QLineEdit>(this, "valueHigh", tr("High end"), tr("Becomes the last level"));
    unit_ = new CaptionLabel(QString(), this);
    for (QLineEdit* edit : {low_, high_}) {
        edit->setValidator(new NumberValidator(edit));
        connect(edit, &QLineEdit::editingFinished, this, &ValueRangeControls::applyNumbers);
    }
    numbers->addWidget(low_, 1);
    numbers->addWidget(new CaptionLabel(tr("to"), this));
    numbers->addWidget(high_, 1);
    numbers->addWidget(unit_);
    layout->addLayout(numbers);
    fix_ = new QPushButton(tr("Use this range for all pages"), this);
    fix_->setObjectName(QStringLiteral("valueFix"));
    fix_->setToolTip(tr("The same value is the same level on every page then"));
    layout->addWidget(fix_);
    connect(choice_, &QComboBox::activated, this,
            [this] { range_.setRange(static_cast<Range>(choice_->currentData().toInt())); });
    connect(fix_, &QPushButton::clicked, &range_, &vm::ValueRangeViewModel::fixForAllPages);
    connect(&range_, &vm::ValueRangeViewModel::changed, this, [this] { show(range_); });
    show(range_);
}

void ValueRangeControls::applyNumbers() {
    const auto low = vm::typedNumber(low_->text());
    const auto high = vm::typedNumber(high_->text());
    // Displayed values are rounded, so unchanged texts must not set the range.
    const bool untouched = low_->text() == vm::ValueRangeViewModel::numberText(range_.low()) &&
                           high_->text() == vm::ValueRangeViewModel::numberText(range_.high());
    if (low && high && !untouched) {
        range_.setNumbers(*low, *high);
    }
}

void ValueRangeControls::show(const vm::ValueRangeViewModel& range) {
    setVisible(range.isAvailable());
    values_->setText(tr("Values %1").arg(range.valuesText()));
    levels_->setText(tr("Levels %1").arg(range.levelsText()));
    gaps_->setText(range.gapsText());
    gaps_->setVisible(!gaps_->text().isEmpty());
    const QSignalBlocker quiet(choice_);
    choice_->setCurrentIndex(choice_->findData(static_cast<int>(range.range())));
    const bool percent = range.range() == Range::percentile;
    unit_->setText(percent ? QStringLiteral("%") : QString());
    unit_->setVisible(percent);
    low_->setText(vm::ValueRangeViewModel::numberText(range.low()));
    high_->setText(vm::ValueRangeViewModel::numberText(range.high()));
    low_->setEnabled(range.isEditable());
    high_->setEnabled(range.isEditable());
    fix_->setVisible(range.canFix());
}

QPushButton* evenRangeButton(vm::DocumentViewModel& document, QWidget* parent) {
    auto* button = new QPushButton(ValueRangeControls::tr("Map from smallest to largest"), parent);
    button->setObjectName(QStringLiteral("evenRange"));
    button->setToolTip(ValueRangeControls::tr(
        "Reads the image with levels at equal distances of values; the Image panel has this and other ranges"));
    button->hide();
    QObject::connect(button, &QPushButton::clicked, &document,
                     [&document] { document.reading().setMapping({Range::minMax}); });
    return button;
}

} // namespace pollard::app
