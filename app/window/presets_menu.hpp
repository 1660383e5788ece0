#pragma once

class QMainWindow;

namespace pollard::app {

struct Models;

/// Adds the menu "Presets": entries that apply a preset to the open picture, and a submenu that opens their samples.
/// The window owns the PresetViewModel.
/// @param models must outlive the window
void addPresetsMenu(QMainWindow& window, Models& models);

} // namespace pollard::app
