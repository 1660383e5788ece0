#include "gl/result_texture.hpp"

#include "gl/device_textures.hpp"

#include <QCoreApplication>

#include <exception>
#include <vector>

namespace pollard::app {
namespace {

QString resultTextureText(const char* source) { return QCoreApplication::translate("ResultTexture", source); }

std::vector<GlTile> tilesOf(const TiledTexture& texture) {
    std::vector<GlTile> tiles;
    for (const TiledTexture::Tile& tile : texture.tiles()) {
        tiles.push_back({tile.texture, static_cast<std::uint32_t>(tile.area.x()),
                         static_cast<std::uint32_t>(tile.area.y()), static_cast<std::uint32_t>(tile.area.width()),
                         static_cast<std::uint32_t>(tile.area.height())});
    }
    return tiles;
}

} // namespace

std::vector<TextureTile> ResultTexture::tiles() const {
    std::vector<TextureTile> all;
    for (const TiledTexture::Tile& tile : sets_[shown_].texture.tiles()) {
        TextureTile shown;
        shown.area = tile.area;
        shown.levels = tile.texture;
        shown.size = tile.area.size();
        all.push_back(shown);
    }
    return all;
}

void ResultTexture::show(const Source& source, int largestSide) {
    if (source.frame != nullptr && mode_ != vm::DisplayMode::copy && tryInterop(source, largestSide)) {
        path_ = vm::DisplayPath::interop;
        reason_.clear();
        return;
    }
    detach();
    sets_[shown_].texture.destroy();
    if (source.frame == nullptr) {
        const bool device = source.engine != nullptr && source.engine->name() != "cpu";
        path_ = device ? vm::DisplayPath::copy : vm::DisplayPath::upload;
        reason_ = device ? resultTextureText("The engine kept no picture on its device.")
                  : mode_ == vm::DisplayMode::interop
                      ? resultTextureText("Interop needs an engine whose device keeps the picture.")
                      : QString();
        return;
    }
    path_ = vm::DisplayPath::copy;
    reason_ =
        mode_ == vm::DisplayMode::copy ? resultTextureText("The command line demands it (--transfer copy).") : refusal_;
}

bool ResultTexture::tryInterop(const Source& source, int largestSide) {
    if (refusedBy_ == source.engine) {
        return false;
    }
    try {
        attach(source, largestSide);
        const std::size_t hidden = 1 - shown_;
        sets_[hidden].target->write(*source.frame, source.slice);
        shown_ = hidden;
        return true;
    } catch (const std::exception& error) {
        refusedBy_ = source.engine;
        refusal_ = QString::fromUtf8(error.what());
        return false;
    }
}

void ResultTexture::attach(const Source& source, int largestSide) {
    const DeviceFrame& frame = *source.frame;
    bool known = attachedTo_ == source.engine;
    for (const TextureSet& set : sets_) {
        known = known && set.texture.fits(frame.type(), frame.width(), frame.height(), largestSide);
    }
    if (known) {
        return;
    }
    detach();
    for (TextureSet& set : sets_) {
        set.texture.reserve(frame.type(), frame.width(), frame.height(), largestSide);
        set.target = shareTextures(*source.engine, frame.texels(), tilesOf(set.texture));
    }
    attachedTo_ = source.engine;
}

void ResultTexture::detach() noexcept {
    for (TextureSet& set : sets_) {
        if (set.target) {
            set.target->detach();
            set.target.reset();
        }
    }
    sets_[1 - shown_].texture.destroy();
    attachedTo_ = nullptr;
}

void ResultTexture::destroy() {
    detach();
    sets_[shown_].texture.destroy();
    refusedBy_ = nullptr;
    refusal_.clear();
    path_ = vm::DisplayPath::none;
    reason_.clear();
}

int ResultTexture::allocations() const noexcept {
    return sets_[0].texture.allocations() + sets_[1].texture.allocations();
}

} // namespace pollard::app
