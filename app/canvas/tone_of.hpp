#pragma once

#include "gl/tone_uniforms.hpp"

#include "filter/filter_spec.hpp"
#include "image/image.hpp"

#include <QImage>

#include <cstdint>

namespace pollard::vm {
class DisplayViewModel;
}

namespace pollard::app {

/// Tone from the settings of the display.
/// @param output of the filtered image
/// @param twin whether there is a filtered image to show; else its part shows the image
[[nodiscard]] Tone toneOf(const vm::DisplayViewModel& display, Output output, bool twin);

/// A small image in grey, in the window and tone of the display.
/// @param highest level that is white if 0 is black; 0: the window
[[nodiscard]] QImage greyImage(const Image& picture, const vm::DisplayViewModel& display, std::uint16_t highest = 0);

} // namespace pollard::app
