#include "gl/result_texture.hpp"

#include "base/error.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

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

bool TiledTexture::fits(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide) const noexcept {
    return !tiles_.empty() && type_ == type && width_ == width && height_ == height && side_ == largestSide;
}

void TiledTexture::reserve(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide) {
    if (fits(type, width, height, largestSide)) {
        return;
    }
    if (!ready_) {
        initializeOpenGLFunctions();
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &driverSide_);
        ready_ = true;
    }
    destroy();
    type_ = type;
    width_ = width;
    height_ = height;
    side_ = largestSide;
    allocate();
}

void TiledTexture::allocate() {
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    const int side = std::min(side_, driverSide_);
    const bool wide = type_ == PixelType::u16;
    const int width = static_cast<int>(width_);
    const int height = static_cast<int>(height_);
    for (int y = 0; y < height; y += side) {
        for (int x = 0; x < width; x += side) {
            Tile tile;
            tile.area = QRect(x, y, std::min(side, width - x), std::min(side, height - y));
            glGenTextures(1, &tile.texture);
            tiles_.push_back(tile);
            ++allocations_;
            glBindTexture(GL_TEXTURE_2D, tile.texture);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
            glTexImage2D(GL_TEXTURE_2D, 0, wide ? GL_R16UI : GL_R8UI, tile.area.width(), tile.area.height(), 0,
                         GL_RED_INTEGER, wide ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, nullptr);
            if (glGetError() != GL_NO_ERROR) {
                destroy();
                throw Error(ErrorCode::outOfMemory,
                            "show the image: " + std::to_string(width_) + " x " + std::to_string(height_) +
                                " px need " + std::to_string(std::uint64_t{width_} * height_ * bytesOf(type_) >> 20) +
                                " MiB of graphics memory, and the driver refuses them");
            }
        }
    }
}

void TiledTexture::destroy() {
    for (const Tile& tile : tiles_) {
        glDeleteTextures(1, &tile.texture);
    }
    tiles_.clear();
}

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
        reason_ = device ? resultTextureText("The engine kept no image on its device.")
                  : mode_ == vm::DisplayMode::interop
                      ? resultTextureText("Interop needs an engine whose device keeps the image.")
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
