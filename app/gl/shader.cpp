#include "gl/shader.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace pollard::app {

std::unique_ptr<QOpenGLShaderProgram> makeProgram(const QString& name, const QStringList& parts,
                                                  const QString& corners) {
    auto program = std::make_unique<QOpenGLShaderProgram>();
    const QString folder = QStringLiteral(":/pollard/shaders/");
    const auto addFragment = [&](const QString& part) {
        return program->addShaderFromSourceFile(QOpenGLShader::Fragment, folder + part + QStringLiteral(".frag"));
    };
    const bool good =
        program->addShaderFromSourceFile(QOpenGLShader::Vertex,
                                         folder + (corners.isEmpty() ? name : corners) + QStringLiteral(".vert")) &&
        addFragment(name) && std::all_of(parts.begin(), parts.end(), addFragment) && program->link();
    if (!good) {
        throw Error(ErrorCode::deviceFailed, "start the canvas: the graphics driver refuses the shader '" +
                                                 name.toStdString() +
                                                 "': " + program->log().simplified().toStdString());
    }
    return program;
}

} // namespace pollard::app
