#include "gl/tone.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/image/look.hpp"

#include <QVector3D>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pollard::app {
namespace {

QVector3D windowUniform(const vm::LevelWindow& window) {
    // An empty window is a step: all levels above it are bright.
    const double width = std::max(window.high - window.low, 1e-3);
    return {static_cast<float>(window.low), static_cast<float>(window.high), static_cast<float>(1.0 / width)};
}

QVector3D colourUniform(const QColor& colour) { return {colour.redF(), colour.greenF(), colour.blueF()}; }

} // namespace

void setToneUniforms(QOpenGLShaderProgram& program, const Tone& tone, int colourMapUnit) {
    program.setUniformValue("uColourMap", colourMapUnit);
    program.setUniformValue("uWindowBefore", windowUniform(tone.before));
    program.setUniformValue("uWindowAfter", windowUniform(tone.after));
    program.setUniformValue("uCurve", static_cast<int>(tone.curve));
    program.setUniformValue("uGamma", static_cast<float>(tone.gamma));
    program.setUniformValue("uInverted", tone.inverted ? 1 : 0);
    const GLint marks[] = {tone.marksBefore ? 1 : 0, tone.marksAfter ? 1 : 0};
    program.setUniformValueArray("uMarks", marks, 2);
    program.setUniformValue("uMarkLow", colourUniform(kMarkLow));
    program.setUniformValue("uMarkHigh", colourUniform(kMarkHigh));
    program.setUniformValue("uDifference", static_cast<int>(tone.difference));
    program.setUniformValue("uDifferenceScale", static_cast<float>(1.0 / std::max(tone.differenceRange, 1e-3)));
    program.setUniformValue("uChecker", static_cast<float>(std::max(tone.checker, 1.0)));
    program.setUniformValue("uCheckerLight", colourUniform(tone.checkerLight));
    program.setUniformValue("uCheckerDark", colourUniform(tone.checkerDark));
}

Tone toneOf(const vm::DisplayViewModel& display, Output output, bool twin) {
    const vm::CompareViewModel& compare = display.compare();
    Tone tone;
    tone.before = display.window();
    tone.after = twin ? display.resultWindow() : display.window();
    tone.evenBefore = display.evenLevels();
    tone.evenAfter = output == Output::filtered ? tone.evenBefore : nullptr;
    tone.curve = display.toneCurve();
    tone.gamma = display.gamma();
    tone.inverted = display.isInverted();
    tone.marksBefore = display.marksSaturation();
    // Residues are black, masks black and white nearly everywhere: their levels are not marked as saturated.
    tone.marksAfter = display.marksSaturation() && (!twin || output == Output::filtered);
    if (twin && compare.shownMode() == vm::CompareViewModel::Mode::difference) {
        tone.difference = compare.isAbsolute() ? Tone::Difference::absolute : Tone::Difference::around;
        tone.differenceRange = compare.differenceRange();
    }
    return tone;
}

QImage greyImage(const Image& image, const vm::DisplayViewModel& display, std::uint16_t highest) {
    constexpr int kWhite = 255;
    const double low = highest != 0 ? 0 : display.windowLow();
    const double high = highest != 0 ? highest : display.windowHigh();
    const vm::EvenLevels even = highest != 0 ? nullptr : display.evenLevels();
    const int width = static_cast<int>(image.width());
    QImage grey(width, static_cast<int>(image.height()), QImage::Format_Grayscale8);
    std::size_t pixel = 0;
    for (int y = 0; y < grey.height(); ++y) {
        uchar* line = grey.scanLine(y);
        for (int x = 0; x < width; ++x) {
            const std::uint16_t level = image.level(pixel++);
            const double displayed = even ? (*even)[level] : level;
            const double t = (displayed - low) / std::max(high - low, 1.0);
            const double tone = vm::applyCurve(display.toneCurve(), display.gamma(), std::clamp(t, 0.0, 1.0));
            line[x] = static_cast<uchar>(std::lround(kWhite * std::clamp(tone, 0.0, 1.0)));
        }
    }
    return grey;
}

namespace {

constexpr int kMapSize = 256; ///< as in tone.frag

} // namespace

void ColourMapTexture::load(const std::vector<QColor>& colours) {
    std::array<std::uint8_t, kMapSize * 4> texels{};
    const double last = static_cast<double>(colours.size()) - 1;
    for (int i = 0; i < kMapSize; ++i) {
        const double position = last * i / (kMapSize - 1);
        const auto low = static_cast<std::size_t>(position);
        const std::size_t high = std::min(low + 1, colours.size() - 1);
        const double t = position - static_cast<double>(low);
        const auto mix = [t](int a, int b) { return static_cast<std::uint8_t>(std::lround(a + (b - a) * t)); };
        std::uint8_t* texel = &texels[static_cast<std::size_t>(i) * 4];
        texel[0] = mix(colours[low].red(), colours[high].red());
        texel[1] = mix(colours[low].green(), colours[high].green());
        texel[2] = mix(colours[low].blue(), colours[high].blue());
        texel[3] = 255;
    }
    if (texture_ == 0) {
        initializeOpenGLFunctions();
        glGenTextures(1, &texture_);
    }
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kMapSize, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
}

void ColourMapTexture::destroy() {
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
}

} // namespace pollard::app
