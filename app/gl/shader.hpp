#pragma once

#include <QOpenGLShaderProgram>
#include <QString>
#include <QStringList>

#include <memory>

namespace pollard::app {

/// Compiles and links resources/shaders/<name>.vert and .frag in the current context.
/// @param parts names of further .frag files with functions that the main one calls
/// @param corners name of the .vert file where it is another one
/// @throws Error(deviceFailed) with the driver's words
[[nodiscard]] std::unique_ptr<QOpenGLShaderProgram> makeProgram(const QString& name, const QStringList& parts = {},
                                                                const QString& corners = {});

} // namespace pollard::app
