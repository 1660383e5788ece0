#pragma once

#include <QByteArray>
#include <QOpenGLShaderProgram>
#include <QString>
#include <QStringList>

#include <memory>

namespace pollard::app {

/// Compiles and links resources/shaders/<name>.vert and .frag in the current context.
/// @param parts names of further .frag files with functions for the main one
/// @param corners name of the .vert file if it differs
/// @param defines lines for the preprocessor, in all .frag files
/// @throws Error(deviceFailed) with the message of the driver
[[nodiscard]] std::unique_ptr<QOpenGLShaderProgram> makeProgram(const QString& name, const QStringList& parts = {},
                                                                const QString& corners = {},
                                                                const QByteArray& defines = {});

} // namespace pollard::app
