#pragma once

#include "engine/device_pixels.hpp"

#include <memory>

namespace pollard::cuda {

/// Writes CudaPixels to OpenGL textures of the context that is current at each call. No GPU work before attach().
[[nodiscard]] std::unique_ptr<GlTarget> makeGlTextureTarget();

} // namespace pollard::cuda
