#pragma once

#include "gl/tone_uniforms.hpp"
#include "vm/picture/colour_map.hpp"

#include <QRgb>

#include <array>

namespace pollard::app {

/// Colours of levels as on the canvas, for overlays that paint pixels themselves; the counterpart of
/// resources/shaders/tone.frag.
class LevelColours {
public:
    LevelColours(const Tone& tone, vm::ColourMap map);

    /// Like shade() of the shader for a pixel with data.
    /// @param before,after levels of both pictures @param showAfter selects one, unless the tone is a difference
    [[nodiscard]] QRgb shade(double before, double after, bool showAfter) const noexcept;
    /// Colour of the checkerboard at a point without data.
    [[nodiscard]] QRgb nothing(int x, int y) const noexcept;

private:
    [[nodiscard]] QRgb toned(double level, const vm::LevelWindow& window, bool marks) const noexcept;
    [[nodiscard]] QRgb mapped(double value) const noexcept;

    Tone tone_;
    std::array<QRgb, 256> map_{};
};

} // namespace pollard::app
