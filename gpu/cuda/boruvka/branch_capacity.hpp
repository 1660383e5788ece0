#pragma once

#include <algorithm>
#include <cstdint>

namespace pollard::cuda {

/// Upper bounds of an image's counts, known before the build.
struct BranchCapacity {
    std::uint32_t tileColumns, tileRows; ///< of an image
    std::uint64_t maxima;                ///< in all tiles or bricks
    std::uint64_t frozen;                ///< components
    std::uint64_t edges;                 ///< between them
    std::uint64_t labels;                ///< numbers in all BorderLabels or FaceLabels

    template <class Shape>
    [[nodiscard]] static BranchCapacity of(std::uint32_t width, std::uint32_t height, bool eight) noexcept {
        BranchCapacity all{};
        all.tileColumns = (width + Shape::kWidth - 1) / Shape::kWidth;
        all.tileRows = (height + Shape::kHeight - 1) / Shape::kHeight;
        const std::uint64_t tiles = std::uint64_t{all.tileColumns} * all.tileRows;
        // Two adjacent pixels are never both maxima, so at most every other pixel of a tile is one.
        all.maxima = (std::uint64_t{width} * height + tiles) / 2;
        // Each frozen component contains a maximum, and a pixel at the border of its tile.
        all.frozen = std::min(all.maxima, tiles * Shape::kBorder);
        // A forest within each tile. Across a seam, one straight edge per pair of pixels, and at most one of the two
        // diagonals that cross there.
        const std::uint64_t pairs =
            std::uint64_t{all.tileColumns - 1} * height + std::uint64_t{all.tileRows - 1} * width;
        all.edges = all.frozen + pairs * (eight ? 2 : 1);
        all.labels = 2 * (std::uint64_t{all.tileRows} * width + std::uint64_t{all.tileColumns} * height);
        return all;
    }
};

} // namespace pollard::cuda
