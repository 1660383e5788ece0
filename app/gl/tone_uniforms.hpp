#pragma once

#include "vm/image/even_levels.hpp"
#include "vm/image/level_histogram.hpp"
#include "vm/image/tone_curve.hpp"

#include <QColor>
#include <QOpenGLShaderProgram>

namespace pollard::app {

/// Mapping of grey levels to colours: the uniforms of resources/shaders/tone.frag.
struct Tone {
    enum class Difference {
        none,
        around,   ///< after - before; no change is the middle of the colour map
        absolute, ///< |after - before|; no change is the start of the colour map
        rise      ///< after - before where it is positive; the start of the colour map elsewhere and for "before"
    };

    vm::LevelWindow before;
    vm::LevelWindow after;
    vm::ToneCurve curve = vm::ToneCurve::linear;
    double gamma = 1;
    bool inverted = false;    ///< the colour map is reversed
    bool marksBefore = false; ///< levels at or beyond the window are marked in special colours
    bool marksAfter = false;
    Difference difference = Difference::none;
    double differenceRange = 255; ///< levels that map to the end of the colour map
    double checker = 8;           ///< side of a square of the checkerboard in areas without data, device px
    QColor checkerLight = QColor(0x8a, 0x8d, 0x92);
    QColor checkerDark = QColor(0x6c, 0x6f, 0x74);
    vm::EvenLevels evenBefore = nullptr; ///< for levels of the image; textures have displayed levels
    vm::EvenLevels evenAfter = nullptr;
};

/// Colours of levels at or below the window, and at or above it.
inline const QColor kMarkLow(0x1f, 0x6f, 0xff);
inline const QColor kMarkHigh(0xff, 0x2d, 0x2d);

/// Sets the uniforms of shade(). @p program is bound and linked with tone.frag.
/// @param colourMapUnit texture unit of the colour map
void setToneUniforms(QOpenGLShaderProgram& program, const Tone& tone, int colourMapUnit);

} // namespace pollard::app
