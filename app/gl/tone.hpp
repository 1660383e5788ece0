#pragma once

#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "vm/image/level_histogram.hpp"
#include "vm/image/look.hpp"

#include <QColor>
#include <QImage>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>

#include <cstdint>
#include <vector>

namespace pollard::vm {
class DisplayViewModel;
}

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

/// Tone from the settings of the display.
/// @param output of the filtered image
/// @param twin whether there is a filtered image to show; else its part shows the image
[[nodiscard]] Tone toneOf(const vm::DisplayViewModel& display, Output output, bool twin);

/// A small image in grey, in the window and tone of the display.
/// @param highest level that is white if 0 is black; 0: the window
[[nodiscard]] QImage greyImage(const Image& image, const vm::DisplayViewModel& display, std::uint16_t highest = 0);

/// The colour map, from the lowest level to the highest, as a texture for tone.frag. All calls require the context of
/// the first call to be current.
class ColourMapTexture : protected QOpenGLExtraFunctions {
public:
    ColourMapTexture() = default;
    ColourMapTexture(const ColourMapTexture&) = delete;
    ColourMapTexture& operator=(const ColourMapTexture&) = delete;

    /// @param colours evenly spaced; at least one
    void load(const std::vector<QColor>& colours);
    [[nodiscard]] GLuint texture() const noexcept { return texture_; }
    void destroy();

private:
    GLuint texture_ = 0;
};

} // namespace pollard::app
