#include "gl/shader.hpp"

#include "base/error.hpp"

#include <QFile>

#include <algorithm>

namespace pollard::app {

std::unique_ptr<QOpenGLShaderProgram> makeProgram(const QString& name, const QStringList& parts, const QString& corners,
                                                  const QByteArray& defines) {
    auto program = std::make_unique<QOpenGLShaderProgram>();
    const QString folder = QStringLiteral(":/pollard/shaders/");
    const auto addFragment = [&](const QString& part) {
        QFile file(folder + part + QStringLiteral(".frag"));
        QByteArray source = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        source.insert(source.indexOf('\n') + 1, defines); // #version is the first line
        return program->addShaderFromSourceCode(QOpenGLShader::Fragment, source);
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
