#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/tile_pass.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Pass 2, one thread per pair of pixels that face each other across the tile boundaries of one direction: lists the
/// edges that may matter. A straight edge does not if an adjacent one between the same two tiles is higher: the path
/// over that edge and along both sides is at least as high, and tiles preserve connections between their own pixels. A
/// diagonal does not if one of the other two pixels of its square is not lower than it.
template <class Level, bool kEight> struct ListSeamEdges {
    RotatedLevels<Level> image;
    std::uint32_t width, height;       ///< of the image, px
    std::uint32_t tileSide, tileAlong; ///< of a tile: across the seams and along them
    bool horizontal;                   ///< seams between vertically adjacent tiles
    const std::uint32_t* labels;       ///< BorderLabels: rows if horizontal, else columns
    BranchCounts* counts;
    EdgeList edges;

    /// Number of pairs across all seams.
    [[nodiscard]] static std::size_t count(std::uint32_t width, std::uint32_t height, std::uint32_t tileSide,
                                           bool horizontal) noexcept {
        const std::uint32_t across = horizontal ? height : width;
        return std::size_t{(across - 1) / tileSide} * (horizontal ? width : height);
    }

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t length = horizontal ? width : height;
        const auto seam = static_cast<std::uint32_t>(i / length);
        const auto at = static_cast<std::uint32_t>(i % length);
        const Side near{labels + (2 * std::size_t{seam} + 1) * length,
                        horizontal ? ((seam + 1) * tileSide - 1) * width : (seam + 1) * tileSide - 1};
        const Side far{labels + (2 * std::size_t{seam} + 2) * length, near.first + (horizontal ? width : 1)};
        const std::uint32_t straight = horizontal ? kSouth : kEast;

        const std::uint64_t key = keyOf(near, at, far, at, straight);
        const bool startsTile = at % tileAlong == 0;
        const bool endsTile = at + 1 == length || (at + 1) % tileAlong == 0;
        if ((startsTile || keyOf(near, at - 1, far, at - 1, straight) < key) &&
            (endsTile || keyOf(near, at + 1, far, at + 1, straight) < key)) {
            append(near.labels[at], far.labels[at], key);
        }
        if constexpr (kEight) {
            // Diagonals across a corner of tiles belong to the horizontal seams.
            if (at > 0 && (horizontal || !startsTile)) {
                appendDiagonal(near, far, at, at - 1, horizontal ? kSouthWest : kNorthEast);
            }
            if (at + 1 < length && (horizontal || !endsTile)) {
                appendDiagonal(near, far, at, at + 1, kSouthEast);
            }
        }
    }

private:
    /// The pixels on one side of a seam.
    struct Side {
        const std::uint32_t* labels;
        std::uint32_t first; ///< pixel at position 0
    };

    [[nodiscard]] POLLARD_DEVICE std::uint32_t pixel(const Side& side, std::uint32_t at) const {
        return side.first + at * (horizontal ? 1U : width);
    }
    [[nodiscard]] POLLARD_DEVICE std::uint64_t keyOf(const Side& near, std::uint32_t atNear, const Side& far,
                                                     std::uint32_t atFar, std::uint32_t direction) const {
        const std::uint32_t p = pixel(near, atNear);
        const std::uint32_t q = pixel(far, atFar);
        return EdgeKey::between(image[p], p, image[q], q, direction);
    }
    POLLARD_DEVICE void appendDiagonal(const Side& near, const Side& far, std::uint32_t atNear, std::uint32_t atFar,
                                       std::uint32_t direction) const {
        const std::uint64_t key = keyOf(near, atNear, far, atFar, direction);
        const std::uint32_t besideNear = pixel(near, atFar);
        const std::uint32_t besideFar = pixel(far, atNear);
        if (!EdgeKey::reaches(key, pixelKey(image[besideNear], besideNear)) ||
            !EdgeKey::reaches(key, pixelKey(image[besideFar], besideFar))) {
            return;
        }
        append(near.labels[atNear], far.labels[atFar], key);
    }
    POLLARD_DEVICE void append(std::uint32_t one, std::uint32_t other, std::uint64_t key) const {
        const std::uint32_t place = takePlace(&counts->edges[0]);
        edges.one[place] = one;
        edges.other[place] = other;
        edges.key[place] = key;
    }
};

/// Passes 1 and 2 of a BranchBuild for images: tiles and the seams between them.
template <class Shape_, bool kEight> struct PlaneDomain {
    using Shape = Shape_;

    [[nodiscard]] static BranchCapacity capacity(const Extent& extent) noexcept {
        return BranchCapacity::of<Shape>(extent.width, extent.height, kEight);
    }

    /// @param labelWords memory of BranchCapacity::labels numbers
    template <class Machine, class Level> static void findEdges(Machine& machine, const RotatedLevels<Level>& image,
                                                                const Extent& extent, std::uint32_t* labelWords,
                                                                const BranchOutput& found) {
        const std::uint32_t width = extent.width;
        const std::uint32_t height = extent.height;
        const BranchCapacity grid = capacity(extent);
        const BorderLabels labels{labelWords, labelWords + 2 * std::size_t{grid.tileRows} * width};
        machine.tiles(TilePass<Level, Shape, kEight>{image, width, height, grid.tileColumns, found.counts, found.codes,
                                                     found.closedSaddles, found.edges, labels},
                      grid.tileColumns * grid.tileRows);
        machine.finish("tiles");
        for (const bool horizontal : {true, false}) {
            const std::uint32_t side = horizontal ? Shape::kHeight : Shape::kWidth;
            const std::uint32_t along = horizontal ? Shape::kWidth : Shape::kHeight;
            machine.each(ListSeamEdges<Level, kEight>{image, width, height, side, along, horizontal,
                                                      horizontal ? labels.rows : labels.columns, found.counts,
                                                      found.edges},
                         ListSeamEdges<Level, kEight>::count(width, height, side, horizontal));
        }
        machine.finish("seams");
    }
};

} // namespace pollard::cuda
