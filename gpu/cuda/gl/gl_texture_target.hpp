#pragma once

#include "engine/gl_target.hpp"

#include <memory>

namespace pollard::cuda {

/// Writes CudaPixels into OpenGL textures of the context that is current when it is used. Nothing happens on the GPU
/// before attach().
[[nodiscard]] std::unique_ptr<GlTarget> makeGlTextureTarget();

} // namespace pollard::cuda
