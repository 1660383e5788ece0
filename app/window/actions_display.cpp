// The actions of the display: tone and comparison of two pictures.
#include "theme/colour_stops.hpp"
#include "widgets/couple.hpp"
#include "window/actions.hpp"

namespace pollard::app {
namespace {

using Compare = vm::CompareViewModel;
using Display = vm::DisplayViewModel;

constexpr QSize kSwatch(32, 14);

} // namespace

void Actions::makeDisplayActions() {
    split = makeToggle(QStringLiteral("split"), tr("&Before and after"),
                       tr("Original left of the line, result right of it"), QStringLiteral("split"),
                       {QKeySequence(Qt::Key_S)});
    blink = makeToggle(QStringLiteral("blink"), tr("Blin&k"), tr("Original and result in turn"),
                       QStringLiteral("blink"), {QKeySequence(Qt::Key_B)});
    flip = make(QStringLiteral("flip"), tr("Show the &other"), tr("While blinking: show the other picture"), {},
                {QKeySequence(Qt::Key_Space)});
    // Only with the focus in the picture: elsewhere the space bar presses buttons.
    flip->setShortcutContext(Qt::WidgetShortcut);
    difference = makeToggle(QStringLiteral("difference"), tr("&Difference"), tr("Changes made by the filter"),
                            QStringLiteral("difference"), {QKeySequence(Qt::Key_D)});
    marks = makeToggle(QStringLiteral("marks"), tr("Mark s&aturation"),
                       tr("Levels at or beyond the window: blue below, red above"), {}, {QKeySequence(Qt::Key_H)});
    inverted = makeToggle(QStringLiteral("inverted"), tr("&Inverted"), tr("The colour map backwards"), {},
                          {QKeySequence(Qt::Key_I)});
    sameForAll = makeToggle(QStringLiteral("sameForAll"), tr("Same for all i&mages"),
                            tr("One window, tone curve and colour map for every file instead of one for each"));
    autoWindow = make(QStringLiteral("autoWindowAction"), tr("&Automatic window"),
                      tr("Black and white at percentiles of the grey levels"), QStringLiteral("auto"),
                      {QKeySequence(Qt::Key_A)});
    fullWindow =
        make(QStringLiteral("fullWindowAction"), tr("F&ull range window"),
             tr("Black at 0, white at the largest level of the pixel type"), {}, {QKeySequence(Qt::SHIFT | Qt::Key_A)});
}

void Actions::makeDisplayChoices() {
    colourMaps = new QActionGroup(this);
    for (const vm::ColourMap map : vm::kColourMaps) {
        auto* action = new QAction(vm::titleOf(map), colourMaps);
        action->setCheckable(true);
        action->setData(static_cast<int>(map));
    }
    toneCurves = new QActionGroup(this);
    for (const vm::ToneCurve curve : vm::kToneCurves) {
        auto* action = new QAction(vm::titleOf(curve), toneCurves);
        action->setCheckable(true);
        action->setData(static_cast<int>(curve));
    }
}

void Actions::connectDisplay() {
    Display& display = models_.display;
    Compare& compare = display.compare();
    const auto choose = [&compare](QAction* action, Compare::Mode mode) {
        couple(
            action, compare, [mode](const Compare& present) { return present.mode() == mode; },
            [mode](Compare& present, bool on) { present.setMode(on ? mode : Compare::Mode::off); },
            &Compare::modeChanged);
    };
    choose(split, Compare::Mode::split);
    choose(blink, Compare::Mode::blink);
    choose(difference, Compare::Mode::difference);
    connect(flip, &QAction::triggered, &compare, &Compare::flip);
    couple(marks, display, &Display::marksSaturation, &Display::setMarksSaturation, &Display::marksChanged);
    couple(inverted, display, &Display::isInverted, &Display::setInverted, &Display::colourMapChanged);
    couple(sameForAll, display, &Display::isSameForAll, &Display::setSameForAll, &Display::sameForAllChanged);
    couple(colourMaps, display, &Display::colourMap, &Display::setColourMap, &Display::colourMapChanged);
    couple(toneCurves, display, &Display::toneCurve, &Display::setToneCurve, &Display::toneCurveChanged);
    connect(autoWindow, &QAction::triggered, &display, &Display::autoWindow);
    connect(fullWindow, &QAction::triggered, &display, &Display::fullWindow);
    connect(&models_.document, &vm::DocumentViewModel::hasImageChanged, this, &Actions::showDisplayState);
    follow(this, &Actions::showDisplayState, compare, &Compare::modeChanged);
    follow(this, &Actions::showSwatches, display, &Display::colourMapChanged);
}

void Actions::showSwatches() {
    for (QAction* action : colourMaps->actions()) {
        const auto map = static_cast<vm::ColourMap>(action->data().toInt());
        action->setIcon(colourMapIcon(map, kSwatch, models_.display.isInverted()));
    }
}

void Actions::showDisplayState() {
    const bool image = models_.document.hasImage();
    const Compare::Mode mode = models_.display.compare().mode();
    for (QAction* action : {split, blink, difference, autoWindow, fullWindow}) {
        action->setEnabled(image);
    }
    flip->setEnabled(image && mode == Compare::Mode::blink);
    showOriginal->setEnabled(image && mode == Compare::Mode::off);
}

} // namespace pollard::app
