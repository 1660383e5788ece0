#include "docks/display_panel.hpp"

#include "docks/channel_controls.hpp"
#include "docks/charts/level_charts.hpp"
#include "theme/colours.hpp"
#include "vm/display/compare_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/display/look_store.hpp"
#include "vm/document/document_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
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

    auto* mode = makeControl<QComboBox>(this, "compareMode", tr("Comparison of original and result"),
                                        tr("Side by side (S), in turn (B), or their difference (D)"));
    addChoices<Compare::Mode>(mode, {{tr("Off"), Compare::Mode::off},
                                     {tr("Split"), Compare::Mode::split},
                                     {tr("Blink"), Compare::Mode::blink},
                                     {tr("Difference"), Compare::Mode::difference}});
    auto* modes = makeRow(nullptr);
    modes->addWidget(captionFor(mode, tr("Co&mpare")));
    modes->addWidget(mode, 1);
    layout->addLayout(modes);

    auto* blinking = new QWidget(this);
    auto* pace = makeRow(blinking);
    auto* interval = makeControl<NumberBox>(blinking, "blinkInterval", tr("Blink interval"),
                                            tr("Time that each of the two images is shown"));
    interval->setRange(Compare::kShortestBlink, Compare::kLongestBlink);
    interval->setSingleStep(0.1);
    interval->setDecimals(1);
    interval->setSuffix(tr(" s"));
    auto* byItself = makeControl<QCheckBox>(blinking, "blinkByItself", tr("Blink by itself"),
                                            tr("Off: only the space bar switches the images"), tr("By itself"));
    pace->addWidget(interval, 1);
    pace->addWidget(byItself);
    layout->addWidget(blinking);

    auto* differing = new QWidget(this);
    auto* kind = makeControl<QComboBox>(differing, "differenceKind", tr("Kind of difference"),
                                        tr("With its sign around the middle of the colours, or without"));
    kind->addItem(tr("Filtered − original"), false);
    kind->addItem(tr("|Filtered − original|"), true);
    auto* range = makeControl<NumberBox>(differing, "differenceRange", tr("Range of the difference"),
                                         tr("Difference of values that reaches the end of the colours"));
    range->setGroupSeparatorShown(true);
    range->setKeyboardTracking(false);
    range->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    auto* automatic = makeControl<QCheckBox>(
        differing, "differenceAutomatic", tr("Automatic range"),
        tr("The 99 % percentile of the changed pixels, rounded up by a third at most so that it stays steady, from "
           "a sample of at most a million pixels"),
        tr("Automatic"));
    auto* grid = gridOf({{kind, nullptr}, {range, automatic}});
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(0, 1);
    differing->setLayout(grid);
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

namespace {

constexpr int kMostLevelOfBytes = 255;

} // namespace

NamedWindowsMenu::NamedWindowsMenu(const vm::DocumentViewModel& document, vm::DisplayViewModel& display,
                                   QWidget* parent)
    : QMenu(tr("&Named windows"), parent), document_(document), display_(display) {
    setToolTipsVisible(true);
    connect(&display_.composite(), &vm::CompositeViewModel::onChanged, this, &NamedWindowsMenu::fill);
    connect(&display_.composite(), &vm::CompositeViewModel::channelsChanged, this, &NamedWindowsMenu::fill);
    connect(&display_, &vm::DisplayViewModel::levelDomainChanged, this, &NamedWindowsMenu::fill);
    follow(this, &NamedWindowsMenu::fill, document_, &vm::DocumentViewModel::imageChanged);
}

void NamedWindowsMenu::fill() {
    clear();
    const auto info = document_.imageInfo();
    for (const vm::NamedWindow& each : vm::namedWindows(info.get())) {
        QAction* action = addAction(each.name);
        action->setObjectName(QStringLiteral("window_") + each.id);
        action->setToolTip(tr("Black and white at %1").arg(each.valuesText()));
        connect(action, &QAction::triggered, &display_, [this, values = each.values] {
            display_.setWindow(display_.levelOf(values.low), display_.levelOf(values.high));
        });
    }
    if (display_.maxLevel() > kMostLevelOfBytes) {
        QAction* action = addAction(tr("zscale"));
        action->setObjectName(QStringLiteral("window_zscale"));
        action->setToolTip(tr("Black and white around the median, as viewers for astronomy choose them"));
        connect(action, &QAction::triggered, &display_, &vm::DisplayViewModel::zscaleWindow);
    }
    menuAction()->setEnabled(!isEmpty() && !display_.composite().isShown()); // its channels have windows of their own
}

namespace {

using Display = vm::DisplayViewModel;
using Histogram = vm::HistogramViewModel;

constexpr QSize kSwatch(40, 14);
constexpr int kNumberWidth = 64;   ///< px, minimum
constexpr int kButtonPadding = 22; ///< px around the text of a small button
constexpr int kChartHeight = 112;  ///< px, minimum

NumberBox* makePercent(QWidget* parent, const char* objectName, const QString& name, const QString& toolTip,
                       double least, double most) {
    auto* box = makeControl<NumberBox>(parent, objectName, name, toolTip);
    setFormat(box, {.least = least, .most = most, .step = 0.1, .decimals = 2, .suffix = DisplayPanel::tr(" %")});
    return box;
}

} // namespace

DisplayPanel::DisplayPanel(vm::DocumentViewModel& document, vm::DisplayViewModel& display,
                           vm::HistogramViewModel& histogram, QWidget* parent)
    : QWidget(parent), document_(document), display_(display), histogram_(histogram) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin - 4, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(new CompareControls(display_.compare(), this)); // at the top, visible without scrolling
    addComposite(*layout);
    grey_ = new QWidget(this);
    auto* grey = new QVBoxLayout(grey_);
    grey->setContentsMargins(0, 0, 0, 0);
    grey->setSpacing(kPanelSpacing);
    layout->addWidget(grey_, 1);
    addHistogram(*grey);
    addWindow(*grey);
    addTone(*grey);
    addMarks(*grey);
    connect(&display_, &Display::windowChanged, this, &DisplayPanel::showClipped);
    follow(this, &DisplayPanel::showAvailability, document_, &vm::DocumentViewModel::imageChanged);
}

void DisplayPanel::addComposite(QBoxLayout& layout) {
    using Composite = vm::CompositeViewModel;
    Composite& composite = display_.composite();
    composite_ = makeControl<QCheckBox>(
        this, "composite", tr("Composite of all channels"),
        tr("Adds the channels in their colours; the channel that the filter works on is shown filtered. Off: that "
           "channel alone, in grey or a colour map"),
        tr("Composite of all channels"));
    channels_ = new ChannelControls(composite, this);
    layout.addWidget(composite_);
    layout.addWidget(channels_, 1);
    couple(composite_, composite, &Composite::isOn, &Composite::setOn, &Composite::onChanged);
    connect(&composite, &Composite::onChanged, this, &DisplayPanel::showComposite);
    connect(&composite, &Composite::channelsChanged, this, &DisplayPanel::showComposite);
}

void DisplayPanel::addHistogram(QBoxLayout& layout) {
    auto* source = makeControl<QComboBox>(
        this, "histogramSource", tr("Pixels of the histogram"),
        tr("Counted pixels: all, the visible ones, or the pixels of the analysed region (all if there is none)"));
    addChoices<Histogram::Source>(source, {{tr("Image"), Histogram::Source::image},
                                           {tr("Visible part"), Histogram::Source::view},
                                           {tr("Region"), Histogram::Source::region}});
    logarithmic_ =
        makeControl<QCheckBox>(this, "logarithmic", tr("Logarithmic histogram"),
                               tr("Bars grow with the logarithm of the number of pixels"), tr("Log heights"));
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelSpacing);
    row->addWidget(captionFor(source, tr("&Histogram")));
    row->addWidget(source, 1);
    row->addWidget(logarithmic_);
    layout.addLayout(row);
    chart_ = new HistogramView(histogram_, display_, this);
    chart_->setMinimumHeight(kChartHeight);
    layout.addWidget(chart_, 1);
    couple(source, histogram_, &Histogram::source, &Histogram::setSource, &Histogram::changed);
    couple(logarithmic_, histogram_, &Histogram::isLogarithmic, &Histogram::setLogarithmic, &Histogram::changed);
}

void DisplayPanel::addWindow(QBoxLayout& layout) {
    low_ = makeControl<ValueBox>(this, "windowLow", tr("Black level"), tr("Grey level of the first colour"));
    high_ = makeControl<ValueBox>(this, "windowHigh", tr("White level"), tr("Grey level of the last colour"));
    levels_ = new CaptionLabel({}, this);
    levels_->setObjectName(QStringLiteral("windowLevels"));
    auto* autoLow =
        makePercent(this, "autoLow", tr("Share of black pixels"),
                    tr("Percent of the pixels that the automatic window makes black"), 0, Display::kLargestAutoLow);
    auto* autoHigh = makePercent(this, "autoHigh", tr("Share of pixels below white"),
                                 tr("Percent of the pixels that the automatic window leaves darker than white"),
                                 Display::kSmallestAutoHigh, 100);
    full_ = makeControl<QPushButton>(this, "fullWindow", tr("Full range"),
                                     tr("Window from 0 to the largest level that the pixel type holds (Shift+A)"),
                                     tr("Full"));
    auto_ = makeControl<QPushButton>(this, "autoWindow", tr("Automatic window"),
                                     tr("Window from the one percentile of the pixels to the other (A)"), tr("Auto"));
    auto* fits = makeControl<QCheckBox>(
        this, "fitsResults", tr("Automatic window of the result"),
        tr("Gives filtered images an automatic window of their own levels; otherwise they have the window of the "
           "original, so that both can be compared. A window with set numbers turns this off."),
        tr("Fit the result"));
    named_ = makeControl<QToolButton>(
        this, "namedWindows", tr("Named windows"),
        tr("The window that the file states, those for brain, bone, lung and soft tissue in Hounsfield units, and "
           "zscale of astronomers for 16-bit images"));
    named_->setText(tr("Named"));
    named_->setPopupMode(QToolButton::InstantPopup);
    named_->setFocusPolicy(Qt::StrongFocus);
    named_->setMenu(new NamedWindowsMenu(document_, display_, named_));
    auto* grid = gridOf({{captionFor(low_, tr("&Black")), captionFor(high_, tr("&White"))},
                         {low_, high_, full_},
                         {autoLow, autoHigh, auto_},
                         {fits, nullptr, named_},
                         {levels_, nullptr, nullptr}},
                        4);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{low_, high_, autoLow, autoHigh}) {
        widget->setMinimumWidth(kNumberWidth);
    }
    for (QPushButton* button : {full_, auto_}) {
        button->setMinimumWidth(0);
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        button->setFixedWidth(button->fontMetrics().horizontalAdvance(tr("Auto")) + kButtonPadding);
    }
    layout.addLayout(grid);
    // The scale is set before the numbers.
    follow(this, &DisplayPanel::showScale, display_, &Display::levelDomainChanged);
    connect(&display_, &Display::windowChanged, this, &DisplayPanel::showLevels);
    const auto coupleEdge = [this](ValueBox* box, auto level, auto setLevel) {
        couple(
            box, display_, [level](const Display& display) { return display.valueOf((display.*level)()); },
            [setLevel](Display& display, double value) { (display.*setLevel)(display.levelOf(value)); },
            &Display::windowChanged, &Display::levelDomainChanged);
    };
    coupleEdge(low_, &Display::windowLow, &Display::setWindowLow);
    coupleEdge(high_, &Display::windowHigh, &Display::setWindowHigh);
    couple(autoLow, display_, &Display::autoLow, &Display::setAutoLow, &Display::autoRangeChanged);
    couple(autoHigh, display_, &Display::autoHigh, &Display::setAutoHigh, &Display::autoRangeChanged);
    couple(fits, display_, &Display::fitsResults, &Display::setFitsResults, &Display::fitsResultsChanged);
    connect(auto_, &QPushButton::clicked, &display_, &Display::autoWindow);
    connect(full_, &QPushButton::clicked, &display_, &Display::fullWindow);
}

void DisplayPanel::addTone(QBoxLayout& layout) {
    auto* tone = makeControl<QComboBox>(
        this, "toneCurve", tr("Tone curve"),
        tr("Spread of the window over the colours: logarithm, asinh and square root brighten dark parts, gamma is a "
           "power of your choice"));
    addChoices(tone, vm::kToneCurves);
    auto* gamma = makeControl<NumberBox>(this, "gamma", tr("Gamma"),
                                         tr("Power of the tone curve: below 1 the dark parts become brighter"));
    setFormat(gamma, {.least = vm::kSmallestGamma, .most = vm::kLargestGamma, .step = 0.1, .decimals = 2});
    colourMap_ = makeControl<QComboBox>(
        this, "colourMap", tr("Colour map"),
        tr("Colours of the grey levels. All but turbo are perceptually uniform and legible with colour-vision "
           "deficiency."));
    colourMap_->setIconSize(kSwatch);
    addChoices(colourMap_, vm::kColourMaps);
    auto* inverted = makeControl<QCheckBox>(this, "invertedMap", tr("Colour map inverted"),
                                            tr("The colour map backwards (I)"), tr("Inverted"));
    auto* grid = gridOf(
        {{captionFor(tone, tr("&Tone")), tone, gamma}, {captionFor(colourMap_, tr("&Colours")), colourMap_, inverted}});
    grid->setColumnStretch(1, 1);
    layout.addLayout(grid);
    couple(tone, display_, &Display::toneCurve, &Display::setToneCurve, &Display::toneCurveChanged);
    couple(gamma, display_, &Display::gamma, &Display::setGamma, &Display::toneCurveChanged);
    couple(colourMap_, display_, &Display::colourMap, &Display::setColourMap, &Display::colourMapChanged);
    couple(inverted, display_, &Display::isInverted, &Display::setInverted, &Display::colourMapChanged);
    const auto enableGamma = [this, gamma] { gamma->setEnabled(display_.toneCurve() == vm::ToneCurve::gamma); };
    follow(gamma, enableGamma, display_, &Display::toneCurveChanged);
    follow(this, &DisplayPanel::showSwatches, display_, &Display::colourMapChanged);
}

void DisplayPanel::addMarks(QBoxLayout& layout) {
    auto* marks = makeControl<QCheckBox>(this, "marksSaturation", tr("Mark saturation"),
                                         tr("Levels at or below the window in blue, at or above it in red (H)"),
                                         tr("Mark saturation"));
    clipped_ = new FixedHeightLabel(1, this); // its text changes while the window is dragged
    clipped_->label().setObjectName(QStringLiteral("clipped"));
    clipped_->setToolTip(tr("Pixels of the whole original at or beyond the window: the marked ones"));
    saturation_ = new CaptionLabel({}, this);
    saturation_->setObjectName(QStringLiteral("saturation"));
    saturation_->setWordWrap(true);
    saturation_->setToolTip(tr("Pixels of the whole image at the ends of the file's range of values"));
    auto* same = makeControl<QCheckBox>(
        this, "sameForAll", tr("Use this display for every image"),
        tr("One window, tone curve and colour map for every file; else each file keeps its own, also for the next "
           "time it is opened"),
        tr("Use this display for every image"));
    layout.addWidget(marks);
    layout.addWidget(clipped_);
    layout.addWidget(saturation_);
    layout.addWidget(same);
    couple(marks, display_, &Display::marksSaturation, &Display::setMarksSaturation, &Display::marksChanged);
    couple(same, display_, &Display::isSameForAll, &Display::setSameForAll, &Display::sameForAllChanged);
}

void DisplayPanel::showScale() {
    for (ValueBox* box : {low_, high_}) {
        const QSignalBlocker quiet(box);
        box->setScale(display_.valueOf(0), display_.valueOf(display_.maxLevel()), display_.valueStep());
        const QString unit = display_.valueUnit();
        box->setSuffix(unit.isEmpty() ? QString() : u' ' + unit);
    }
    levels_->setVisible(display_.hasValues());
    showLevels();
}

void DisplayPanel::showLevels() {
    const QLocale locale;
    levels_->setText(display_.valueUnit().isEmpty() ? tr("Values of the file")
                                                    : tr("Values of the file in %1").arg(display_.valueUnit()));
    levels_->setToolTip(display_.evenLevels() ? QString()
                                              : tr("Levels %1 to %2")
                                                    .arg(locale.toString(display_.windowLow(), 'f', 0),
                                                         locale.toString(display_.windowHigh(), 'f', 0)));
}

void DisplayPanel::showSwatches() {
    for (int i = 0; i < colourMap_->count(); ++i) {
        const auto map = static_cast<vm::ColourMap>(colourMap_->itemData(i).toInt());
        colourMap_->setItemIcon(i, colourMapIcon(map, kSwatch, display_.isInverted()));
    }
}

void DisplayPanel::showClipped() {
    const QString text = display_.clippedText();
    clipped_->showText(text);
    clipped_->setVisible(!text.isEmpty());
}

void DisplayPanel::showSaturation() {
    saturation_->setText(display_.saturationText());
    saturation_->setVisible(!saturation_->text().isEmpty());
}

void DisplayPanel::showComposite() {
    const vm::CompositeViewModel& composite = display_.composite();
    const bool isShown = composite.isPossible() && composite.isOn();
    composite_->setVisible(composite.isPossible());
    channels_->setVisible(isShown);
    grey_->setVisible(!isShown);
}

void DisplayPanel::showAvailability() {
    const bool image = document_.hasImage();
    for (QWidget* widget : std::initializer_list<QWidget*>{chart_, low_, high_, auto_, full_, logarithmic_}) {
        widget->setEnabled(image);
    }
    named_->setVisible(!named_->menu()->isEmpty());
    showClipped();
    showSaturation();
    showComposite();
}

} // namespace pollard::app
