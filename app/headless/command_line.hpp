#pragma once

#include "filter/filter_spec.hpp"
#include "vm/display/presentation_view_model.hpp"
#include "vm/settings/settings_view_model.hpp"

#include <QCommandLineOption>
#include <QHash>
#include <QList>
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
    QString workspace;            ///< to show; empty: the workspace of the first panel
    std::optional<QRect> contour; ///< start of a contour that evolves to its end, px of the image
    std::optional<QSize> size;    ///< of the window, in logical px
    QString where;                ///< condition for listed objects; empty: none
    bool split = false;
    std::optional<bool> composite; ///< unset: as the window remembers
    vm::DisplayMode transfer = vm::DisplayMode::automatic;
    QString screenshot;          ///< file for an image of the window; empty: interactive
    QHash<QString, QString> own; ///< values of the given options of this program alone

    QString help; ///< answer to --help; empty without it
    bool version = false;
    QString error; ///< error in the arguments, one line; empty if there is none
};

/// @param arguments all, starting with the program's name
/// @param own options of the program in addition to the options of the window
[[nodiscard]] CommandLine parseCommandLine(const QStringList& arguments, const QList<QCommandLineOption>& own = {});

} // namespace pollard::app
