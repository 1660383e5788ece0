#pragma once

class QMainWindow;

namespace pollard::app {

struct Models;

/// Adds the menu "Presets": one entry that applies each to the open picture, a submenu that opens its sample, and
/// loading, saving and copying of the recipe, whose panel must be there. The window owns the PresetViewModel behind it.
/// @param models must outlive the window
void addPresetsMenu(QMainWindow& window, Models& models);

} // namespace pollard::app
