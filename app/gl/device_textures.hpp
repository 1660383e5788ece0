#pragma once

#include "engine/engine.hpp"
#include "engine/gl_target.hpp"

#include <memory>
#include <span>

namespace pollard::app {

/// Target through which the engine's device writes into these textures. Detach before deleting them.
/// @throws Error(engineUnavailable) with the reason
[[nodiscard]] std::unique_ptr<GlTarget> shareTextures(Engine& engine, TexelType type, std::span<const GlTile> tiles);

} // namespace pollard::app
