#pragma once

#include "engine/engine.hpp"
#include "engine/gl_target.hpp"

#include <memory>
#include <span>

namespace pollard::app {

/// What the device of an engine writes into these textures with. To be detached before they are deleted.
/// @throws Error(engineUnavailable) saying why it cannot
[[nodiscard]] std::unique_ptr<GlTarget> shareTextures(Engine& engine, TexelType type, std::span<const GlTile> tiles);

} // namespace pollard::app
