#pragma once

#include "cpu/tile_grid.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cpu {

/// Directions from a voxel to its 26 neighbours. Their bits in a set fill two words of 16 bits: along the axes and
/// through a cube in the lower one, along the diagonals of faces in the upper one.
namespace brick {

inline constexpr std::size_t kDirections = 28; ///< with two unused ones
inline constexpr std::size_t kFirstThroughCube = 6;
inline constexpr std::size_t kFirstAlongFace = 16;

struct Directions {
    std::array<std::uint8_t, 27> at{};                 ///< by (dz + 1) * 9 + (dy + 1) * 3 + dx + 1
    std::array<std::int16_t, kDirections + 1> steps{}; ///< in a brick; 0 for unused ones and after the last one
    std::array<std::int16_t, kDirections> corners{};   ///< from a voxel to the first one of the box around the edge
};
inline constexpr Directions kAll = [] {
    Directions all;
    std::array<std::size_t, 4> next{0, 0, kFirstAlongFace, kFirstThroughCube}; // by the number of axes
    for (int code = 0; code < 27; ++code) {
        const int dx = code % 3 - 1;
        const int dy = code / 3 % 3 - 1;
        const int dz = code / 9 - 1;
        const int differing = dx * dx + dy * dy + dz * dz;
        if (differing == 0) {
            continue;
        }
        const std::size_t k = next[static_cast<std::size_t>(differing)]++;
        all.at[static_cast<std::size_t>(code)] = static_cast<std::uint8_t>(k);
        all.steps[k] = static_cast<std::int16_t>(dz * 256 + dy * 16 + dx);
        all.corners[k] = static_cast<std::int16_t>(std::min(dz, 0) * 256 + std::min(dy, 0) * 16 + std::min(dx, 0));
    }
    return all;
}();
static_assert(kBrick.rowStart(0, 1) == 256 && kBrick.rowStart(1, 0) == 16);

/// The bit of a direction in a set.
[[nodiscard]] constexpr std::uint32_t bit(int dx, int dy, int dz) noexcept {
    const int code = (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
    return 1U << kAll.at[static_cast<std::size_t>(code)];
}

} // namespace brick

/// The levels of a brick and, for every voxel, the edges to preceding voxels (in descending level, then raster order)
/// that a max-tree needs, see TileEdges.
///
/// The last straight edge of every unit square is dropped, at a tie by a fixed order. With 18 and 26 neighbours, a
/// diagonal is needed only if all other voxels of its bounding box are lower than its ends: else shorter edges connect
/// them. So at most one diagonal a square and one a cube remains.
template <Connectivity kConnectivity> class BrickEdges {
public:
    static constexpr TileShape kShape = kBrick;
    /// A voxel and its edges: voxel, other end of the first edge, set of the other edges.
    using Visit = std::conditional_t<kConnectivity == Connectivity::six, std::uint32_t, std::uint64_t>;

    /// Levels from a voxel on, to be set before choose(). @param voxel index in the brick
    [[nodiscard]] std::uint16_t* levelsFrom(std::uint32_t voxel) noexcept { return level_.data() + voxel; }
    [[nodiscard]] std::uint16_t level(std::uint32_t voxel) const noexcept { return level_[voxel]; }

    /// Finds the edges of a brick after its levels are set.
    void choose(const Tile& tile) noexcept;

    /// Edges of a voxel, one bit each; step() returns their direction.
    [[nodiscard]] std::uint32_t kept(std::uint32_t voxel) const noexcept {
        std::uint32_t edges = kept_[0][voxel];
        if constexpr (kWords == 2) {
            edges |= std::uint32_t{kept_[1][voxel]} << 16;
        }
        return edges;
    }
    /// Offset from a voxel's index to the other end of the first edge in a set; 0 for an empty set.
    [[nodiscard]] static std::uint32_t step(std::uint32_t edges) noexcept {
        return static_cast<std::uint32_t>(
            std::int32_t{brick::kAll.steps[static_cast<unsigned>(std::countr_zero(edges | kNoEdge))]});
    }

private:
    static constexpr std::uint32_t kNoEdge = 1U << brick::kDirections;
    static constexpr std::size_t kWords = kConnectivity == Connectivity::six ? 1 : 2; ///< of a set of directions
    static constexpr std::uint32_t kFrame = 288; ///< padding for neighbours across the border
    template <class T> using PerVoxel = std::array<T, kTilePixels + kFrame>;

    void findLows(const Tile& tile) noexcept;
    template <int kA, int kB> void dropLastOfSquares(const Tile& tile) noexcept;
    void orientEdges(const Tile& tile) noexcept;
    template <std::size_t kWord> void gather() noexcept;

    PerVoxel<std::uint16_t> level_{};
    std::array<PerVoxel<std::int16_t>, 3> low_{}; ///< per axis: level of the edge to the next voxel, less 2^15
    PerVoxel<std::uint16_t> gone_{};              ///< a bit per axis: whether that edge is dropped
    PerVoxel<std::uint16_t> goneBeside_{};        ///< the same, for the edge of a square with the larger x
    /// Per voxel, the edges in whose bounding box it is the first one, as directions from the end that keeps the edge.
    /// The frame is in front.
    std::array<PerVoxel<std::uint16_t>, kWords> oriented_{};
    std::array<std::array<std::uint16_t, kTilePixels>, kWords> kept_{};
};

/// The levels of a tile and, for every pixel, the edges to preceding pixels (in descending level, then raster order)
/// that a max-tree needs.
///
/// An edge connects its ends at the lower of their levels. Order all edges by that level, with a fixed rule for ties:
/// in every cycle, the last edge is redundant, simultaneously for all cycles. The four edges between 2 x 2 pixels are
/// such a cycle; dropping one leaves little more than one edge per pixel instead of two. With 8-connectivity a diagonal
/// is the last edge of a triangle unless both cross pixels are lower than its ends.
template <bool kEight> class TileEdges {
public:
    static constexpr TileShape kShape = kSquare;
    /// A pixel and its edges: pixel, other end of the first edge, set of the other edges.
    using Visit = std::uint32_t;

    /// Levels from a pixel on, to be set before choose(). @param pixel index in the tile
    [[nodiscard]] std::uint16_t* levelsFrom(std::uint32_t pixel) noexcept { return level_.data() + kFrame + pixel; }
    [[nodiscard]] std::uint16_t level(std::uint32_t pixel) const noexcept { return level_[kFrame + pixel]; }

    /// Finds the edges of a tile after its levels are set.
    void choose(const Tile& tile) noexcept;

    /// Edges of @p pixel, one bit each; step() returns their direction.
    [[nodiscard]] std::uint32_t kept(std::uint32_t pixel) const noexcept { return kept_[pixel]; }
    /// Offset from a pixel's index to the other end of the first edge in a set; 0 for an empty set.
    [[nodiscard]] static std::uint32_t step(std::uint32_t edges) noexcept {
        return static_cast<std::uint32_t>(
            std::int32_t{kSteps[static_cast<unsigned>(std::countr_zero(edges | kNoEdge))]});
    }

private:
    static constexpr auto kRow = static_cast<std::int8_t>(kShape.width());
    static constexpr std::array<std::int8_t, 9> kSteps = {-kRow,     -1,       1,        kRow, -kRow - 1,
                                                          -kRow + 1, kRow - 1, kRow + 1, 0};
    static constexpr std::uint32_t kUp = 1;
    static constexpr std::uint32_t kLeft = 2;
    static constexpr std::uint32_t kRight = 4;
    static constexpr std::uint32_t kDown = 8;
    static constexpr std::uint32_t kUpLeft = 16;
    static constexpr std::uint32_t kUpRight = 32;
    static constexpr std::uint32_t kDownLeft = 64;
    static constexpr std::uint32_t kDownRight = 128;
    static constexpr std::uint32_t kNoEdge = 256;
    static constexpr std::uint32_t kFrame = 8; ///< padding around the levels, for neighbours across the border

    std::array<std::uint16_t, kFrame + kTilePixels + kFrame> level_{};
    std::array<std::uint8_t, kTilePixels> kept_{};
};

} // namespace pollard::cpu
