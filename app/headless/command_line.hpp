#pragma once

#include "filter/filter_spec.hpp"
#include "vm/display/presentation_view_model.hpp"
#include "vm/settings/settings_view_model.hpp"

#include <QRect>
#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace pollard::app {

/// What the person asked for on the command line.
struct CommandLine {
    QString image;    ///< empty: start without one
    QString engine;   ///< empty: as in the settings
    QString language; ///< code; empty: as in the preferences
    std::optional<vm::SettingsViewModel::Theme> theme;
    std::vector<Criterion> keep;
    std::optional<Match> match;
    std::optional<Rule> rule;
    std::optional<Output> output;
    QString preset;               ///< to apply; without an image its sample is opened
    QStringList panels;           ///< to show, as showPanel() knows them
    std::optional<QRect> contour; ///< where a contour starts and evolves to its end, px of the picture
    std::optional<QSize> size;    ///< of the window, in logical px
    QString where;                ///< condition that listed objects meet; empty: none
    bool split = false;
    vm::DisplayMode transfer = vm::DisplayMode::automatic;
    int measureDrag = 0;        ///< frames of a drag to measure and print; 0: none
    int measureBrush = 0;       ///< frames of a drag on the attribute plane to measure and print; 0: none
    int measureHover = 0;       ///< places to point at, with times to print; 0: none
    int pointerRate = 0;        ///< of these places a second; 0: the next when the last is on the screen
    int measureFocus = 0;       ///< steps into components of the icicle and back, with times to print; 0: none
    int measureContour = 0;     ///< states of a contour to show, with times to print; 0: none
    int measureLiveContour = 0; ///< runs of a contour to time, drawn and not; 0: none
    int measureView = 0;        ///< frames of zooming and panning to measure and print; 0: none
    QString screenshot;         ///< where to save the picture of the window; empty: a person uses the window

    bool help = false;
    bool version = false;
    QString error; ///< what is wrong with the arguments, one line; empty if nothing
};

/// @param arguments all of them, the program's name first
[[nodiscard]] CommandLine parseCommandLine(const QStringList& arguments);

/// What --help prints.
[[nodiscard]] QString helpText();

} // namespace pollard::app
