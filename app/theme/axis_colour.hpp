#pragma once

#include "image/volume_plane.hpp"

#include <QColor>

namespace pollard::app {

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
