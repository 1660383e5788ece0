#include "gl/tile_textures.hpp"

#include "base/error.hpp"

#include <QElapsedTimer>

#include <algorithm>
#include <string>

namespace pollard::app {
namespace {

std::size_t indexOf(PixelType type) { return type == PixelType::u8 ? 0 : 1; }

} // namespace

std::size_t TileTextures::Hash::operator()(const Key& key) const noexcept {
    std::uint64_t mixed = key.image * 0x9e3779b97f4a7c15ULL;
    for (const std::uint32_t part : {key.level, key.column, key.row}) {
        mixed = (mixed ^ part) * 0x9e3779b97f4a7c15ULL;
        mixed ^= mixed >> 29;
    }
    return static_cast<std::size_t>(mixed);
}

void TileTextures::setSide(int side) {
    const int even = std::clamp(side, 2 * kMargin + 2, kSide) / 2 * 2;
    sideChanged_ = sideChanged_ || even != side_;
    side_ = even;
}

void TileTextures::begin() {
    if (!ready_) {
        initializeOpenGLFunctions();
        ready_ = true;
    }
    if (sideChanged_) {
        destroy();
    }
    ++frame_;
}

const TileTextures::Tile* TileTextures::find(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) {
        return nullptr;
    }
    found->second.used = frame_;
    return &found->second.tile;
}

std::uint64_t TileTextures::textureBytes(PixelType type) const noexcept {
    return static_cast<std::uint64_t>(side_) * static_cast<std::uint64_t>(side_) * bytesOf(type);
}

std::uint64_t TileTextures::cost(const Pyramid& pyramid) const noexcept {
    return textureBytes(pyramid.image()->type()) + (pyramid.coverage() ? textureBytes(PixelType::u8) : 0);
}

const TileTextures::Tile& TileTextures::upload(const Key& key, const Pyramid& pyramid) {
    QElapsedTimer timer;
    timer.start();
    const Image& image = pyramid.level(key.level);
    const auto step = static_cast<qint64>(content());
    const auto span = [step](std::uint32_t index, std::uint32_t side) {
        const qint64 first = std::max<qint64>(0, index * step - kMargin);
        const qint64 last = std::min<qint64>(side, (index + 1) * step + kMargin);
        return std::pair{static_cast<int>(first), static_cast<int>(last - first)};
    };
    const auto [x, width] = span(key.column, image.width());
    const auto [y, height] = span(key.row, image.height());

    Entry entry = filled(QRect(x, y, width, height), image);
    if (const auto& coverage = pyramid.coverage()) {
        entry.tile.coverage = takeTexture(PixelType::u8);
        if (key.level == 0) {
            fill(entry.tile.coverage, entry.tile.area, coverage->mask());
        } else {
            fill(entry.tile.coverage, entry.tile.area, coverage->level(key.level));
        }
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, 0);
    uploads_.milliseconds += static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    return entries_.insert_or_assign(key, entry).first->second.tile;
}

const TileTextures::Tile& TileTextures::upload(const Key& key, const Image& image, const Mask* valid) {
    QElapsedTimer timer;
    timer.start();
    Entry entry = filled(QRect(0, 0, static_cast<int>(image.width()), static_cast<int>(image.height())), image);
    if (valid != nullptr) {
        entry.tile.coverage = takeTexture(PixelType::u8);
        fill(entry.tile.coverage, entry.tile.area, *valid);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, 0);
    uploads_.milliseconds += static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    return entries_.insert_or_assign(key, entry).first->second.tile;
}

TileTextures::Entry TileTextures::filled(const QRect& area, const Image& image) {
    Entry entry;
    entry.type = image.type();
    entry.used = frame_;
    entry.tile.area = area;
    entry.tile.levels = takeTexture(entry.type);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    fill(entry.tile.levels, area, image);
    return entry;
}

void TileTextures::fill(GLuint texture, const QRect& area, const Image& image) {
    const bool wide = image.type() == PixelType::u16;
    const std::size_t first = static_cast<std::size_t>(area.y()) * image.width() + static_cast<std::size_t>(area.x());
    glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(image.width()));
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, area.width(), area.height(), GL_RED_INTEGER,
                    wide ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, image.data() + first * bytesOf(image.type()));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    uploads_.bytes +=
        static_cast<std::uint64_t>(area.width()) * static_cast<std::uint64_t>(area.height()) * bytesOf(image.type());
}

void TileTextures::fill(GLuint texture, const QRect& area, const Mask& mask) {
    scratch_.resize(static_cast<std::size_t>(area.width()) * static_cast<std::size_t>(area.height()));
    std::size_t next = 0;
    for (int y = area.y(); y < area.y() + area.height(); ++y) {
        for (int x = area.x(); x < area.x() + area.width(); ++x) {
            const bool in = mask.test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            scratch_[next++] = in ? 255 : 0;
        }
    }
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, area.width(), area.height(), GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                    scratch_.data());
    uploads_.bytes += scratch_.size();
}

GLuint TileTextures::takeTexture(PixelType type) {
    std::vector<GLuint>& spare = spare_[indexOf(type)];
    if (!spare.empty()) {
        const GLuint texture = spare.back();
        spare.pop_back();
        return texture;
    }
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    const bool wide = type == PixelType::u16;
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, wide ? GL_R16UI : GL_R8UI, side_, side_, 0, GL_RED_INTEGER,
                 wide ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, nullptr);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteTextures(1, &texture);
        throw Error(ErrorCode::outOfMemory, "show the image: the driver refuses a texture of " +
                                                std::to_string(textureBytes(type) >> 10) + " KiB beside " +
                                                std::to_string(bytes_ >> 20) + " MiB of them");
    }
    ++allocations_;
    bytes_ += textureBytes(type);
    return texture;
}

void TileTextures::deleteTexture(GLuint texture, PixelType type) {
    glDeleteTextures(1, &texture);
    bytes_ -= textureBytes(type);
}

void TileTextures::release(const Entry& entry) {
    spare_[indexOf(entry.type)].push_back(entry.tile.levels);
    if (entry.tile.coverage != 0) {
        spare_[indexOf(PixelType::u8)].push_back(entry.tile.coverage);
    }
}

void TileTextures::end() {
    if (bytes_ <= budget_) {
        return;
    }
    std::vector<std::pair<std::uint64_t, Key>> old;
    for (const auto& [key, entry] : entries_) {
        if (entry.used != frame_) {
            old.emplace_back(entry.used, key);
        }
    }
    std::sort(old.begin(), old.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    while (bytes_ > budget_) {
        bool deleted = false;
        for (const PixelType type : {PixelType::u8, PixelType::u16}) {
            std::vector<GLuint>& spare = spare_[indexOf(type)];
            if (!spare.empty()) {
                deleteTexture(spare.back(), type);
                spare.pop_back();
                deleted = true;
            }
        }
        if (deleted) {
            continue;
        }
        if (old.empty()) {
            return; // all remaining tiles are visible
        }
        const auto oldest = entries_.find(old.back().second);
        release(oldest->second);
        entries_.erase(oldest);
        old.pop_back();
    }
}

void TileTextures::forget(std::uint64_t image) {
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        if (entry->first.image == image) {
            release(entry->second);
            entry = entries_.erase(entry);
        } else {
            ++entry;
        }
    }
}

void TileTextures::destroy() {
    for (const auto& [key, entry] : entries_) {
        release(entry);
    }
    entries_.clear();
    for (std::vector<GLuint>& spare : spare_) {
        if (!spare.empty()) {
            glDeleteTextures(static_cast<GLsizei>(spare.size()), spare.data());
        }
        spare.clear();
    }
    bytes_ = 0;
    sideChanged_ = false;
}

} // namespace pollard::app
