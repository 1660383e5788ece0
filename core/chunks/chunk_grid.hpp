#pragma once

#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// One of the 26 neighbours of a chunk or pixel, or itself: (dz + 1) * 9 + (dy + 1) * 3 + dx + 1 for steps of -1, 0, 1.
struct Direction {
    std::uint8_t index = kNone;

    static constexpr std::uint8_t kCount = 27;
    static constexpr std::uint8_t kNone = 13; ///< no step

    [[nodiscard]] static constexpr Direction of(int x, int y, int z) noexcept {
        return {static_cast<std::uint8_t>((z + 1) * 9 + (y + 1) * 3 + x + 1)};
    }
    [[nodiscard]] constexpr int x() const noexcept { return index % 3 - 1; }
    [[nodiscard]] constexpr int y() const noexcept { return index / 3 % 3 - 1; }
    [[nodiscard]] constexpr int z() const noexcept { return index / 9 - 1; }
    [[nodiscard]] constexpr Direction opposite() const noexcept {
        return {static_cast<std::uint8_t>(kCount - 1 - index)};
    }
    /// Whether pixels this far apart are neighbours.
    [[nodiscard]] bool joins(Connectivity connectivity) const noexcept;

    auto operator<=>(const Direction&) const = default; // NOLINT(modernize-use-nullptr): of the generated code
};

/// Box of pixels of an image or volume. Its first pixel is (x, y, z).
struct ChunkBox {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
    Extent extent;

    bool operator==(const ChunkBox&) const = default;
};

/// An image or volume in equal chunks, smaller at the right, lower and last sides. They are numbered in raster order.
class ChunkGrid {
public:
    ChunkGrid() = default;
    /// @throws Error(invalidArgument) if a side is 0; Error(limitExceeded) for a chunk of more than Image::kMaxPixels
    ChunkGrid(const Extent& whole, const Extent& chunk);

    [[nodiscard]] const Extent& whole() const noexcept { return whole_; }
    [[nodiscard]] const Extent& chunkExtent() const noexcept { return chunk_; }
    [[nodiscard]] std::uint64_t across() const noexcept { return across_; }
    [[nodiscard]] std::uint64_t down() const noexcept { return down_; }
    [[nodiscard]] std::uint64_t deep() const noexcept { return deep_; }
    [[nodiscard]] std::uint64_t count() const noexcept { return across_ * down_ * deep_; }

    [[nodiscard]] ChunkBox boxOf(std::uint64_t number) const noexcept;
    [[nodiscard]] std::optional<std::uint64_t> neighbour(std::uint64_t number, Direction direction) const noexcept;
    /// Directions in which the chunk has a neighbour with adjacent pixels.
    [[nodiscard]] std::vector<Direction> seamsOf(std::uint64_t number, Connectivity connectivity) const;
    /// Index of a pixel in the whole image.
    [[nodiscard]] std::uint64_t pixel(std::uint64_t x, std::uint64_t y, std::uint64_t z) const noexcept {
        return (z * whole_.height + y) * whole_.width + x;
    }

    bool operator==(const ChunkGrid&) const = default;

private:
    Extent whole_;
    Extent chunk_;
    std::uint64_t across_ = 0;
    std::uint64_t down_ = 0;
    std::uint64_t deep_ = 0;
};

/// The pixels of a chunk that are adjacent to its neighbour in a direction: a face, an edge or a corner of the box.
/// They are in raster order.
struct SeamLayer {
    std::uint32_t x = 0; ///< of the first pixel in the chunk
    std::uint32_t y = 0;
    std::uint32_t z = 0;
    Extent extent;

    [[nodiscard]] static SeamLayer of(const Extent& chunk, Direction direction) noexcept;
    /// Calls visit(index in the layer, pixel index in the chunk).
    template <class Visit> void forEachPixel(const Extent& chunk, Visit&& visit) const {
        std::size_t i = 0;
        for (std::uint32_t dz = 0; dz < extent.slices; ++dz) {
            for (std::uint32_t dy = 0; dy < extent.height; ++dy) {
                const std::size_t row = (std::size_t{z + dz} * chunk.height + y + dy) * chunk.width + x;
                for (std::uint32_t dx = 0; dx < extent.width; ++dx) {
                    visit(i++, row + dx);
                }
            }
        }
    }
};

/// Chunks in the order in which a task works on them, in rows: chunks of a row become one part at a time.
class ChunkRows {
public:
    /// @param count more than 0
    void addRow(std::uint64_t first, std::uint64_t count);

    [[nodiscard]] std::size_t rows() const noexcept { return ends_.size(); }
    [[nodiscard]] std::size_t count() const noexcept { return chunks_.size(); }
    /// A row has the places begin(row) to begin(row + 1) - 1.
    [[nodiscard]] std::size_t begin(std::size_t row) const noexcept { return row == 0 ? 0 : ends_[row - 1]; }
    [[nodiscard]] std::size_t size(std::size_t row) const noexcept { return ends_[row] - begin(row); }
    [[nodiscard]] std::uint64_t chunk(std::size_t place) const noexcept { return chunks_[place]; }
    [[nodiscard]] const std::vector<std::uint64_t>& chunks() const noexcept { return chunks_; }

    bool operator==(const ChunkRows&) const = default;

private:
    std::vector<std::uint64_t> chunks_;
    std::vector<std::size_t> ends_; ///< of the rows
};

/// Chunks @p first to @p end - 1 in the rows of the grid.
/// @throws Error(invalidArgument) unless first < end <= grid.count()
[[nodiscard]] ChunkRows chunksBetween(const ChunkGrid& grid, std::uint64_t first, std::uint64_t end);

/// All chunks.
[[nodiscard]] inline ChunkRows allChunks(const ChunkGrid& grid) { return chunksBetween(grid, 0, grid.count()); }

/// One of @p count boxes with about the same number of chunks; together they contain every chunk once. For all k and s,
/// the boxes k * 2^s to (k + 1) * 2^s - 1 form a box. A box is empty if there are not enough chunks.
[[nodiscard]] ChunkRows chunksOfBlock(const ChunkGrid& grid, std::uint64_t block, std::uint64_t count);

} // namespace pollard
