#include "gl/tone_uniforms.hpp"

#include <QVector3D>

#include <algorithm>

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

} // namespace pollard::app
