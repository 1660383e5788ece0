#pragma once

#include "gl/tone_uniforms.hpp"

#include "filter/filter_spec.hpp"

namespace pollard::vm {
class DisplayViewModel;
}

namespace pollard::app {

/// Tone from the settings of the display.
/// @param output of the filtered picture
/// @param twin whether there is a filtered picture to show; else its part shows the image
[[nodiscard]] Tone toneOf(const vm::DisplayViewModel& display, Output output, bool twin);

} // namespace pollard::app
