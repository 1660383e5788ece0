#pragma once

#include <QOpenGLShaderProgram>
#include <QString>

#include <memory>

namespace pollard::app {

/// Compiles and links resources/shaders/<name>.vert and .frag in the current context.
/// @throws Error(deviceFailed) with the driver's words
[[nodiscard]] std::unique_ptr<QOpenGLShaderProgram> makeProgram(const QString& name);

} // namespace pollard::app
