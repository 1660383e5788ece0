#include "gl/device_textures.hpp"

#include "base/error.hpp"

namespace pollard::app {

std::unique_ptr<GlTarget> shareTextures(Engine& engine, TexelType type, std::span<const GlTile> tiles) {
    auto target = engine.makeGlTarget();
    if (!target) {
        throw Error(ErrorCode::engineUnavailable,
                    "share the window's textures: the engine '" + engine.name() + "' cannot write into them");
    }
    target->attach(type, tiles);
    return target;
}

} // namespace pollard::app
