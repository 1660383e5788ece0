#pragma once

#include "image/volume_plane.hpp"
#include "vm/image/look.hpp"

#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QRgb>
#include <QSize>

#include <array>
#include <cstdint>
#include <vector>

namespace pollard::app {

/// Colours of a map from the lowest to the highest level, evenly spaced, from resources/colormaps.
/// Black to white if the file cannot be read.
[[nodiscard]] std::vector<QColor> colourStops(vm::ColourMap map);

/// A strip of the map's colours, for menus.
/// @param inverted the highest level first
[[nodiscard]] QIcon colourMapIcon(vm::ColourMap map, QSize size, bool inverted = false);

/// Colours of counts per cell, premultiplied: the first is transparent, then from a faint accent over the accent to the
/// colour of text, so that contrast grows with the count on light and dark backgrounds.
using DensityRamp = std::array<QRgb, 256>;
[[nodiscard]] DensityRamp densityRamp(const QPalette& palette);

/// Index into the ramp for a count, logarithmic: 0 for none, 255 for the largest.
[[nodiscard]] std::uint8_t densityStep(std::uint32_t count, std::uint32_t largest) noexcept;

/// Colour of the plane across an axis of a volume, in all views.
[[nodiscard]] inline QColor axisColour(VolumeAxis axis) {
    switch (axis) {
    case VolumeAxis::x:
        return {255, 90, 90};
    case VolumeAxis::y:
        return {90, 200, 90};
    case VolumeAxis::z:
        break;
    }
    return {110, 150, 255};
}

} // namespace pollard::app
