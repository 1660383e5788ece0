#pragma once

#include "vm/image/look.hpp"

#include <QColor>
#include <QIcon>
#include <QSize>

#include <vector>

namespace pollard::app {

/// Colours of a map from the lowest to the highest level, evenly spaced, from resources/colormaps.
/// Black to white if the file cannot be read.
[[nodiscard]] std::vector<QColor> colourStops(vm::ColourMap map);

/// A strip of the map's colours, for menus.
/// @param inverted the highest level first
[[nodiscard]] QIcon colourMapIcon(vm::ColourMap map, QSize size, bool inverted = false);

} // namespace pollard::app
