#pragma once

#include <QString>

namespace pollard::app {

/// Why this computer cannot show the canvas, for a person; empty if it can. Needs a QGuiApplication.
[[nodiscard]] QString openGlProblem();

/// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5" or empty if there is no OpenGL.
[[nodiscard]] QString openGlDescription();

} // namespace pollard::app
