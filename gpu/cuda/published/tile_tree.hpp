#pragma once

#include "cuda/device/device_image.hpp"
#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"

#include <cstdint>

namespace pollard::cuda {

/// The max-tree of one tile in the shared memory of a block. Each function is one thread's share; a barrier of the
/// block must separate them. Pixel (x, y) of the tile has index y * Width + x.
/// @tparam Links TileLinks, or links with observers
template <class Level, int Width, int Height, class Links = TileLinks> struct TileTree {
    static_assert(Width * Height < static_cast<int>(TileRecord::kIndexMask));
    static_assert(Height <= 32, "the edges between two columns are a 32-bit mask");
    static constexpr int kPixels = Width * Height;
    using Word = TileRecord::Word;

    Level* levels;       ///< [kPixels]
    Links links;         ///< [kPixels]
    std::uint32_t width; ///< of this tile: less than Width at the right edge of the image
    std::uint32_t height;

    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t indexOf(std::uint32_t x, std::uint32_t y) noexcept {
        return y * Width + x;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE Word recordOf(std::uint32_t index) const noexcept {
        return TileRecord::make(levels[index], index);
    }

    /// Index in the image of a pixel of the tile whose top left pixel is @p corner; rows of the image have @p stride
    /// px.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t imageIndex(std::uint32_t index, std::size_t corner,
                                                                      std::uint32_t stride) noexcept {
        return static_cast<std::uint32_t>(corner) + index / Width * stride + index % Width;
    }
    /// A link of the tile as a link of the image.
    [[nodiscard]] POLLARD_HOST_DEVICE static PixelRecord::Word imageRecord(Word word, std::size_t corner,
                                                                           std::uint32_t stride) noexcept {
        return word == TileRecord::kNone
                   ? PixelRecord::kNone
                   : PixelRecord::make(TileRecord::level(word), imageIndex(TileRecord::index(word), corner, stride));
    }

    /// Loads one column.
    template <class Source> POLLARD_HOST_DEVICE void loadColumn(const Source& image, std::size_t corner,
                                                                std::size_t stride, std::uint32_t x) const noexcept {
        for (std::uint32_t y = 0; y < height; ++y) {
            levels[indexOf(x, y)] = image[corner + y * stride + x];
        }
    }

    /// Builds the tree of one column (the one-dimensional algorithm of Menotti et al. 2007; Blin et al. 2022, algorithm
    /// 2) from the bottom up, so that the last pixel of a level is its root. The links of the last pixel's ancestors
    /// are the stack.
    POLLARD_HOST_DEVICE void buildColumn(std::uint32_t x) const noexcept {
        std::uint32_t index = indexOf(x, height - 1);
        Word last = recordOf(index);
        Word lastParent = TileRecord::kNone;
        links.set(index, TileRecord::kNone);
        const std::uint32_t top = x;
        while (index != top) {
            const std::uint32_t above = index - Width;
            const std::uint32_t level = levels[above];
            if (TileRecord::level(last) > level && lastParent != TileRecord::kNone &&
                TileRecord::level(lastParent) >= level) {
                last = lastParent; // pop the stack; index stays
                lastParent = links[TileRecord::index(last)];
                continue;
            }
            const Word record = TileRecord::make(level, above);
            if (TileRecord::level(last) < level) {
                links.set(above, last);
                lastParent = last;
                last = record;
            } else if (TileRecord::level(last) == level) {
                links.set(above, last);
            } else {
                links.set(above, lastParent);
                links.set(TileRecord::index(last), record);
                last = record;
            }
            index = above;
        }
    }

    /// Joins column x with column x + 1.
    POLLARD_HOST_DEVICE void joinColumns(std::uint32_t x, BoundaryRule rule) const noexcept {
        std::uint32_t straight = 0;
        std::uint32_t forward = 0;
        std::uint32_t backward = 0;
        BoundaryWindow window{};
        window.uAfter = levels[indexOf(x, 0)];
        window.vAfter = levels[indexOf(x + 1, 0)];
        for (std::uint32_t y = 0; y < height; ++y) {
            window.uBefore = window.u;
            window.vBefore = window.v;
            window.u = window.uAfter;
            window.v = window.vAfter;
            window.hasBefore = y > 0;
            window.hasAfter = y + 1 < height;
            if (window.hasAfter) {
                window.uAfter = levels[indexOf(x, y + 1)];
                window.vAfter = levels[indexOf(x + 1, y + 1)];
            }
            const std::uint32_t kept = keptEdges(window, rule);
            straight |= (kept & kStraight ? 1U : 0U) << y;
            forward |= (kept & kForward ? 1U : 0U) << y;
            backward |= (kept & kBackward ? 1U : 0U) << y;
        }
        Connection<Links> connection;
        while (true) {
            if (!connection.active()) {
                std::uint32_t u;
                std::uint32_t v;
                if (straight != 0) {
                    u = indexOf(x, takeLowestBit(straight));
                    v = u + 1;
                } else if (forward != 0) {
                    v = indexOf(x + 1, takeLowestBit(forward));
                    u = v - 1 - Width;
                } else if (backward != 0) {
                    u = indexOf(x, takeLowestBit(backward));
                    v = u + 1 - Width;
                } else {
                    return;
                }
                connection.start(links, recordOf(u), recordOf(v));
            }
            connection.step(links);
        }
    }

    /// Makes a pixel a tree of its own (the base algorithm has no column trees).
    POLLARD_HOST_DEVICE void isolate(std::uint32_t index) const noexcept { links.set(index, TileRecord::kNone); }

    /// Joins a pixel with its right and lower neighbours (Blin et al. 2022, s. 4.3).
    POLLARD_HOST_DEVICE void joinPixel(std::uint32_t x, std::uint32_t y, BoundaryRule rule) const noexcept {
        const std::uint32_t index = indexOf(x, y);
        if (y + 1 < height) {
            connect(recordOf(index), recordOf(index + Width));
        }
        if (x + 1 >= width) {
            return;
        }
        BoundaryWindow window{};
        window.u = levels[index];
        window.v = levels[index + 1];
        window.hasBefore = y > 0;
        window.hasAfter = y + 1 < height;
        if (window.hasBefore) {
            window.uBefore = levels[index - Width];
            window.vBefore = levels[index + 1 - Width];
        }
        if (window.hasAfter) {
            window.uAfter = levels[index + Width];
            window.vAfter = levels[index + 1 + Width];
        }
        const std::uint32_t kept = keptEdges(window, rule);
        if (kept & kStraight) {
            connect(recordOf(index), recordOf(index + 1));
        }
        if (kept & kForward) {
            connect(recordOf(index - Width), recordOf(index + 1));
        }
        if (kept & kBackward) {
            connect(recordOf(index), recordOf(index + 1 - Width));
        }
    }

    /// The parent of a pixel after the tile is joined: a root of its level, or kNone. Read-only.
    [[nodiscard]] POLLARD_HOST_DEVICE Word flatParent(std::uint32_t index) const noexcept {
        const Word parent = links.load(index);
        return parent == TileRecord::kNone ? parent : links.levelRoot(parent);
    }

private:
    POLLARD_HOST_DEVICE void connect(Word one, Word other) const noexcept {
        Connection<Links> connection;
        connection.start(links, one, other);
        while (connection.active()) {
            connection.step(links);
        }
    }

    /// Clears the lowest set bit and returns its position.
    POLLARD_HOST_DEVICE static std::uint32_t takeLowestBit(std::uint32_t& bits) noexcept {
#ifdef __CUDA_ARCH__
        const auto position = static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
        const auto position = static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
        bits &= bits - 1;
        return position;
    }
};

} // namespace pollard::cuda
