#pragma once

#include "gl/tone.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/image/look.hpp"

#include <QRgb>

#include <array>
#include <vector>

namespace pollard::app {

/// Colours of levels as on the canvas, for overlays that paint pixels themselves; the counterpart of
/// resources/shaders/tone.frag.
class LevelColours {
public:
    LevelColours(const Tone& tone, vm::ColourMap map);
    /// Colours of one channel of a composite, to be added to the colours of the other channels.
    explicit LevelColours(const vm::CompositeViewModel::Layer& layer);

    /// Like shade() of the shader for a pixel with data.
    /// @param before,after levels of both images @param showAfter selects one, unless the tone is a difference
    [[nodiscard]] QRgb shade(double before, double after, bool showAfter) const noexcept;
    /// Colour of the checkerboard at a point without data.
    [[nodiscard]] QRgb nothing(int x, int y) const noexcept;

private:
    void setMap(const std::vector<QColor>& stops);
    [[nodiscard]] QRgb toned(double level, const vm::LevelWindow& window, bool marks) const noexcept;
    [[nodiscard]] QRgb mapped(double value) const noexcept;

    Tone tone_;
    std::array<QRgb, 256> map_{};
};

} // namespace pollard::app
