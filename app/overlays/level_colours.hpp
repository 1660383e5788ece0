#pragma once

#include "gl/tone_uniforms.hpp"
#include "vm/picture/colour_map.hpp"

#include <QRgb>

#include <array>

namespace pollard::app {

/// The colours that the canvas shows levels in, for overlays that show pixels themselves; the counterpart of
/// resources/shaders/tone.frag.
class LevelColours {
public:
    LevelColours(const Tone& tone, vm::ColourMap map);

    /// As shade() of the shader for a pixel with data.
    /// @param before,after levels of both pictures @param showAfter which of them, unless the tone is a difference
    [[nodiscard]] QRgb shade(double before, double after, bool showAfter) const noexcept;
    /// Where there is no data: the square of the checkerboard around a point.
    [[nodiscard]] QRgb nothing(int x, int y) const noexcept;

private:
    [[nodiscard]] QRgb toned(double level, const vm::LevelWindow& window, bool marks) const noexcept;
    [[nodiscard]] QRgb mapped(double value) const noexcept;

    Tone tone_;
    std::array<QRgb, 256> map_{};
};

} // namespace pollard::app
