#pragma once

#include <QString>
#include <QSurfaceFormat>

namespace pollard::app {

/// User-readable reason why the canvas cannot be shown; empty if it can. Requires a QGuiApplication.
[[nodiscard]] QString openGlProblem();

/// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5"; empty without OpenGL.
[[nodiscard]] QString openGlDescription();

/// OpenGL 3.3 without depth and stencil.
[[nodiscard]] QSurfaceFormat surfaceFormat();

/// @param renderer GL_RENDERER @returns whether the processor draws
[[nodiscard]] bool drawsInSoftware(const QString& renderer);

} // namespace pollard::app
