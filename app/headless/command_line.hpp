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

/// Options of the command line.
struct CommandLine {
    QString image;    ///< empty: start without an image
    QString engine;   ///< empty: from the settings
    QString language; ///< code; empty: from the preferences
    std::optional<vm::SettingsViewModel::Theme> theme;
    std::vector<Criterion> keep;
    std::optional<Match> match;
    std::optional<Rule> rule;
    std::optional<Output> output;
    QString preset;               ///< to apply; without an image its sample is opened
    QStringList panels;           ///< to show; names as in showPanel()
    std::optional<QRect> contour; ///< start of a contour that evolves to its end, px of the picture
    std::optional<QSize> size;    ///< of the window, in logical px
    QString where;                ///< condition for listed objects; empty: none
    bool split = false;
    vm::DisplayMode transfer = vm::DisplayMode::automatic;
    int measureDrag = 0;        ///< frames of a drag to measure and print; 0: none
    int measureBrush = 0;       ///< frames of a drag on the attribute plane to measure and print; 0: none
    int measureHover = 0;       ///< positions of the pointer to measure and print; 0: none
    int pointerRate = 0;        ///< positions per second; 0: the next when the last is on the screen
    int measureFocus = 0;       ///< zooms into components of the icicle and back to measure and print; 0: none
    int measureContour = 0;     ///< states of a contour to measure and print; 0: none
    int measureLiveContour = 0; ///< runs of a contour to time, with and without drawing; 0: none
    int measureView = 0;        ///< frames of zooming and panning to measure and print; 0: none
    QString screenshot;         ///< file for a picture of the window; empty: interactive

    bool help = false;
    bool version = false;
    QString error; ///< error in the arguments, one line; empty if there is none
};

/// @param arguments all, starting with the program's name
[[nodiscard]] CommandLine parseCommandLine(const QStringList& arguments);

/// Output of --help.
[[nodiscard]] QString helpText();

} // namespace pollard::app
