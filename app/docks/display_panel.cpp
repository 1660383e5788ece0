#include "docks/display_panel.hpp"

#include "docks/channel_controls.hpp"
#include "docks/charts/histogram_view.hpp"
#include "docks/compare_controls.hpp"
#include "docks/named_windows_menu.hpp"
#include "theme/colour_stops.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/fixed_height_text.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Display = vm::DisplayViewModel;
using Histogram = vm::HistogramViewModel;

constexpr QSize kSwatch(40, 14);
constexpr int kNumberWidth = 64;   ///< px, minimum
constexpr int kButtonPadding = 22; ///< px around the text of a small button
constexpr int kChartHeight = 112;  ///< px, minimum

ValueBox* makeEdge(QWidget* parent, const QString& name, const QString& toolTip, const QString& objectName) {
    auto* box = new ValueBox(parent);
    box->setObjectName(objectName);
    explain(box, name, toolTip);
    return box;
}

QDoubleSpinBox* makePercent(QWidget* parent, double minimum, double maximum, const QString& name,
                            const QString& toolTip, const QString& objectName) {
    auto* box = new NumberBox(parent);
    box->setObjectName(objectName);
    box->setDecimals(2);
    box->setRange(minimum, maximum);
    box->setSingleStep(0.1);
    box->setSuffix(DisplayPanel::tr(" %"));
    box->setKeyboardTracking(false);
    explain(box, name, toolTip);
    return box;
}

} // namespace

DisplayPanel::DisplayPanel(vm::DocumentViewModel& document, vm::DisplayViewModel& display,
                           vm::HistogramViewModel& histogram, QWidget* parent)
    : QWidget(parent), document_(document), display_(display), histogram_(histogram) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin - 4, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(new CompareControls(display_.compare(), this)); // first, so that its rows need no scrolling
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
    composite_ = new QCheckBox(tr("Composite of all channels"), this);
    composite_->setObjectName(QStringLiteral("composite"));
    explain(composite_, tr("Composite of all channels"),
            tr("Adds the channels in their colours; the channel that the filter works on is shown filtered. Off: that "
               "channel alone, in grey or a colour map"));
    channels_ = new ChannelControls(composite, this);
    layout.addWidget(composite_);
    layout.addWidget(channels_, 1);
    couple(composite_, composite, &Composite::isOn, &Composite::setOn, &Composite::onChanged);
    connect(&composite, &Composite::onChanged, this, &DisplayPanel::showComposite);
    connect(&composite, &Composite::channelsChanged, this, &DisplayPanel::showComposite);
}

void DisplayPanel::addHistogram(QBoxLayout& layout) {
    auto* source = new QComboBox(this);
    source->setObjectName(QStringLiteral("histogramSource"));
    source->addItem(tr("Image"), static_cast<int>(Histogram::Source::image));
    source->addItem(tr("Visible part"), static_cast<int>(Histogram::Source::view));
    source->addItem(tr("Region"), static_cast<int>(Histogram::Source::region));
    explain(source, tr("Pixels of the histogram"),
            tr("Counted pixels: all, the visible ones, or those of the analysed region (all where there is none)"));
    logarithmic_ = new QCheckBox(tr("Log heights"), this);
    logarithmic_->setObjectName(QStringLiteral("logarithmic"));
    explain(logarithmic_, tr("Logarithmic histogram"), tr("Bars grow with the logarithm of the number of pixels"));
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
    low_ = makeEdge(this, tr("Black level"), tr("Grey level of the first colour"), QStringLiteral("windowLow"));
    high_ = makeEdge(this, tr("White level"), tr("Grey level of the last colour"), QStringLiteral("windowHigh"));
    levels_ = new CaptionLabel({}, this);
    levels_->setObjectName(QStringLiteral("windowLevels"));
    auto* autoLow =
        makePercent(this, 0, Display::kLargestAutoLow, tr("Share of black pixels"),
                    tr("Percent of the pixels that the automatic window makes black"), QStringLiteral("autoLow"));
    auto* autoHigh = makePercent(this, Display::kSmallestAutoHigh, 100, tr("Share of pixels below white"),
                                 tr("Percent of the pixels that the automatic window leaves darker than white"),
                                 QStringLiteral("autoHigh"));
    full_ = new QPushButton(tr("Full"), this);
    full_->setObjectName(QStringLiteral("fullWindow"));
    explain(full_, tr("Full range"), tr("Window from 0 to the largest level that the pixel type holds (Shift+A)"));
    auto_ = new QPushButton(tr("Auto"), this);
    auto_->setObjectName(QStringLiteral("autoWindow"));
    explain(auto_, tr("Automatic window"), tr("Window from the one percentile of the pixels to the other (A)"));
    auto* fits = new QCheckBox(tr("Fit the result"), this);
    fits->setObjectName(QStringLiteral("fitsResults"));
    explain(fits, tr("Automatic window of the result"),
            tr("Gives filtered pictures an automatic window of their own levels; else they have that of the original, "
               "so that both can be compared. A window of set numbers ends it."));
    named_ = new QToolButton(this);
    named_->setObjectName(QStringLiteral("namedWindows"));
    named_->setText(tr("Named"));
    named_->setPopupMode(QToolButton::InstantPopup);
    named_->setFocusPolicy(Qt::StrongFocus);
    named_->setMenu(new NamedWindowsMenu(document_, display_, named_));
    explain(named_, tr("Named windows"),
            tr("The window that the file states, those for brain, bone, lung and soft tissue in Hounsfield units, and "
               "zscale "
               "of astronomers for 16-bit pictures"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kPanelSpacing);
    grid->setVerticalSpacing(4);
    grid->addWidget(captionFor(low_, tr("&Black")), 0, 0);
    grid->addWidget(captionFor(high_, tr("&White")), 0, 1);
    grid->addWidget(low_, 1, 0);
    grid->addWidget(high_, 1, 1);
    grid->addWidget(full_, 1, 2);
    grid->addWidget(autoLow, 2, 0);
    grid->addWidget(autoHigh, 2, 1);
    grid->addWidget(auto_, 2, 2);
    grid->addWidget(fits, 3, 0, 1, 2);
    grid->addWidget(named_, 3, 2);
    grid->addWidget(levels_, 4, 0, 1, 3);
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
    // The numbers follow the scale that they are shown in.
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
    auto* tone = new QComboBox(this);
    tone->setObjectName(QStringLiteral("toneCurve"));
    for (const vm::ToneCurve curve : vm::kToneCurves) {
        tone->addItem(vm::titleOf(curve), static_cast<int>(curve));
    }
    explain(
        tone, tr("Tone curve"),
        tr("Spread of the window over the colours: logarithm, asinh and square root brighten dark parts, gamma is a "
           "power of your choice"));
    auto* gamma = new NumberBox(this);
    gamma->setObjectName(QStringLiteral("gamma"));
    gamma->setRange(vm::kSmallestGamma, vm::kLargestGamma);
    gamma->setSingleStep(0.1);
    gamma->setDecimals(2);
    gamma->setKeyboardTracking(false);
    explain(gamma, tr("Gamma"), tr("Power of the tone curve: below 1 the dark parts become brighter"));
    colourMap_ = new QComboBox(this);
    colourMap_->setObjectName(QStringLiteral("colourMap"));
    colourMap_->setIconSize(kSwatch);
    explain(colourMap_, tr("Colour map"),
            tr("Colours of the grey levels. All but turbo are perceptually uniform and legible with colour-vision "
               "deficiency."));
    for (const vm::ColourMap map : vm::kColourMaps) {
        colourMap_->addItem(vm::titleOf(map), static_cast<int>(map));
    }
    auto* inverted = new QCheckBox(tr("Inverted"), this);
    inverted->setObjectName(QStringLiteral("invertedMap"));
    explain(inverted, tr("Colour map inverted"), tr("The colour map backwards (I)"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kPanelSpacing);
    grid->setVerticalSpacing(kPanelSpacing);
    grid->addWidget(captionFor(tone, tr("&Tone")), 0, 0);
    grid->addWidget(tone, 0, 1);
    grid->addWidget(gamma, 0, 2);
    grid->addWidget(captionFor(colourMap_, tr("&Colours")), 1, 0);
    grid->addWidget(colourMap_, 1, 1);
    grid->addWidget(inverted, 1, 2);
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
    auto* marks = new QCheckBox(tr("Mark saturation"), this);
    marks->setObjectName(QStringLiteral("marksSaturation"));
    explain(marks, tr("Mark saturation"), tr("Levels at or below the window in blue, at or above it in red (H)"));
    clipped_ = new FixedHeightLabel(1, this); // its text changes while the window is dragged
    clipped_->label().setObjectName(QStringLiteral("clipped"));
    clipped_->setToolTip(tr("Pixels of the whole original at or beyond the window: the marked ones"));
    saturation_ = new CaptionLabel({}, this);
    saturation_->setObjectName(QStringLiteral("saturation"));
    saturation_->setWordWrap(true);
    saturation_->setToolTip(tr("Pixels of the whole picture at the ends of the file's range of values"));
    auto* same = new QCheckBox(tr("Use this display for every picture"), this);
    same->setObjectName(QStringLiteral("sameForAll"));
    explain(same, tr("Use this display for every picture"),
            tr("One window, tone curve and colour map for every file; else each file keeps its own, also for the next "
               "time it is opened"));
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
