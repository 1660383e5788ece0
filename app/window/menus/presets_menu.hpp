#pragma once

class QMainWindow;

namespace pollard::app {

struct Models;

/// Adds the menu "Presets": entries that apply a preset to the open image, a submenu that opens their samples, and
/// loading, saving and copying of the recipe, whose panel must exist. The window owns the PresetViewModel.
/// @param models must outlive the window
void addPresetsMenu(QMainWindow& window, Models& models);

} // namespace pollard::app
