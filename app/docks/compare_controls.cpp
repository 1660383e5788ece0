#include "docks/compare_controls.hpp"

#include "vm/display/compare_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

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

CompareControls::CompareControls(Compare& compare, QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);

    auto* mode = new QComboBox(this);
    mode->setObjectName(QStringLiteral("compareMode"));
    mode->addItem(tr("Off"), static_cast<int>(Compare::Mode::off));
    mode->addItem(tr("Split"), static_cast<int>(Compare::Mode::split));
    mode->addItem(tr("Blink"), static_cast<int>(Compare::Mode::blink));
    mode->addItem(tr("Difference"), static_cast<int>(Compare::Mode::difference));
    explain(mode, tr("Comparison of original and result"),
            tr("Side by side (S), in turn (B), or their difference (D)"));
    auto* modes = makeRow(nullptr);
    modes->addWidget(captionFor(mode, tr("Co&mpare")));
    modes->addWidget(mode, 1);
    layout->addLayout(modes);

    auto* blinking = new QWidget(this);
    auto* pace = makeRow(blinking);
    auto* interval = new NumberBox(blinking);
    interval->setObjectName(QStringLiteral("blinkInterval"));
    interval->setRange(Compare::kShortestBlink, Compare::kLongestBlink);
    interval->setSingleStep(0.1);
    interval->setDecimals(1);
    interval->setSuffix(tr(" s"));
    explain(interval, tr("Blink interval"), tr("Time that each of the two pictures is shown"));
    auto* byItself = new QCheckBox(tr("By itself"), blinking);
    byItself->setObjectName(QStringLiteral("blinkByItself"));
    explain(byItself, tr("Blink by itself"), tr("Off: only the space bar switches the pictures"));
    pace->addWidget(interval, 1);
    pace->addWidget(byItself);
    layout->addWidget(blinking);

    auto* differing = new QWidget(this);
    auto* grid = new QGridLayout(differing);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(kPanelSpacing);
    auto* kind = new QComboBox(differing);
    kind->setObjectName(QStringLiteral("differenceKind"));
    kind->addItem(tr("Filtered − original"), false);
    kind->addItem(tr("|Filtered − original|"), true);
    explain(kind, tr("Kind of difference"), tr("With its sign around the middle of the colours, or without"));
    auto* range = new NumberBox(differing);
    range->setObjectName(QStringLiteral("differenceRange"));
    range->setGroupSeparatorShown(true);
    range->setKeyboardTracking(false);
    range->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(range, tr("Range of the difference"), tr("Difference of values that reaches the end of the colours"));
    auto* automatic = new QCheckBox(tr("Automatic"), differing);
    automatic->setObjectName(QStringLiteral("differenceAutomatic"));
    explain(automatic, tr("Automatic range"),
            tr("The 99 % percentile of the changed pixels, rounded up by a third at most so that it stays steady, from "
               "a sample of at most a million pixels"));
    grid->addWidget(kind, 0, 0, 1, 2);
    grid->addWidget(range, 1, 0);
    grid->addWidget(automatic, 1, 1);
    grid->setColumnStretch(0, 1);
    layout->addWidget(differing);
    layout->addWidget(new Divider(this));

    couple(mode, compare, &Compare::mode, &Compare::setMode, &Compare::modeChanged);
    const auto showParts = [&compare, blinking, differing] {
        blinking->setVisible(compare.mode() == Compare::Mode::blink);
        differing->setVisible(compare.mode() == Compare::Mode::difference);
    };
    follow(this, showParts, compare, &Compare::modeChanged);
    couple(interval, compare, &Compare::blinkInterval, &Compare::setBlinkInterval, &Compare::blinkIntervalChanged);
    couple(byItself, compare, &Compare::blinksByItself, &Compare::setBlinkByItself, &Compare::blinkIntervalChanged);
    couple(kind, compare, &Compare::isAbsolute, &Compare::setAbsolute, &Compare::differenceChanged);
    const auto showLimits = [&compare, range] {
        const QSignalBlocker quiet(range);
        range->setPrefix(compare.isAbsolute() ? tr("0 to ") : tr("± "));
        const double step = compare.levelStep();
        const bool isWhole = step == std::round(step);
        range->setDecimals(isWhole ? 0 : std::max(0, 2 - static_cast<int>(std::floor(std::log10(step)))));
        range->setRange(step, compare.maxLevel() * step);
        range->setSuffix(compare.unit().isEmpty() ? QString() : u' ' + compare.unit());
    };
    follow(this, showLimits, compare, &Compare::modeChanged, &Compare::differenceChanged);
    couple(range, compare, &Compare::rangeOfValues, &Compare::setRangeOfValues, &Compare::modeChanged,
           &Compare::differenceChanged);
    couple(automatic, compare, &Compare::isDifferenceAutomatic, &Compare::setDifferenceAutomatic,
           &Compare::differenceChanged);
}

} // namespace pollard::app
