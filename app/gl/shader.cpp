#include "gl/shader.hpp"

#include "base/error.hpp"

namespace pollard::app {

std::unique_ptr<QOpenGLShaderProgram> makeProgram(const QString& name) {
    auto program = std::make_unique<QOpenGLShaderProgram>();
    const QString base = QStringLiteral(":/pollard/shaders/") + name;
    const bool good = program->addShaderFromSourceFile(QOpenGLShader::Vertex, base + QStringLiteral(".vert")) &&
                      program->addShaderFromSourceFile(QOpenGLShader::Fragment, base + QStringLiteral(".frag")) &&
                      program->link();
    if (!good) {
        throw Error(ErrorCode::deviceFailed, "start the canvas: the graphics driver refuses the shader '" +
                                                 name.toStdString() +
                                                 "': " + program->log().simplified().toStdString());
    }
    return program;
}

} // namespace pollard::app
