#pragma once

#include <QString>

namespace pollard::app {

/// User-readable reason why the canvas cannot be shown; empty if it can. Requires a QGuiApplication.
[[nodiscard]] QString openGlProblem();

/// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5"; empty without OpenGL.
[[nodiscard]] QString openGlDescription();

} // namespace pollard::app
