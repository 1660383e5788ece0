#include "cpu/branch_runs.hpp"

#include "cpu/tile_grid.hpp"
#include "cpu/tile_seams.hpp"
#include "cpu/tile_tree.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <memory>

namespace pollard::cpu {

namespace {

template <class Pixel> Pixel flipOf(bool minTree) noexcept {
    return minTree ? static_cast<Pixel>(~Pixel{0}) : Pixel{0};
}

std::uint32_t pixelOf(std::uint16_t inTile, const Tile& tile, std::uint32_t width) noexcept {
    return (tile.y0 + inTile / kTileSide) * width + tile.x0 + inTile % kTileSide;
}

template <class Pixel, bool kEight> void floodTiles(const Image& image, bool minTree, const TileGrid& grid,
                                                    std::vector<TileTree>& trees, Buffer<std::uint32_t>& runOfPixel,
                                                    const JobControl& control) {
    // Builders are 60 KB and more: on the heap, one a thread.
    tbb::enumerable_thread_specific<std::unique_ptr<TileTreeBuilder>> builders(
        [] { return std::make_unique<TileTreeBuilder>(); });
    std::atomic<std::size_t> done{0};
    const std::size_t reportEvery = grid.count() / 64 + 1;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, grid.count(), 4), [&](const auto& range) {
        control.throwIfStopped();
        TileTreeBuilder& builder = *builders.local();
        for (std::size_t t = range.begin(); t != range.end(); ++t) {
            builder.build<Pixel, kEight>(image.pixels<Pixel>(), grid.width, grid.tile(t), flipOf<Pixel>(minTree),
                                         trees[t], runOfPixel.span());
            if (++done % reportEvery == 0) {
                control.report(0.45 * static_cast<double>(done) / static_cast<double>(grid.count()), "tiles");
            }
        }
    });
}

/// Strings the trees of the tiles together: global numbers, structure of arrays. Frees them on the way.
void concatenate(std::vector<TileTree>& trees, const TileGrid& grid, BranchRuns& out, const JobControl& control) {
    std::vector<std::uint32_t> branchBase(trees.size() + 1);
    out.runBase.resize(trees.size() + 1);
    for (std::size_t t = 0; t < trees.size(); ++t) {
        out.runBase[t + 1] = out.runBase[t] + static_cast<std::uint32_t>(trees[t].runs.size());
        branchBase[t + 1] = branchBase[t] + static_cast<std::uint32_t>(trees[t].branches.size());
    }
    out.forest = BranchForest(branchBase.back());
    out.runLevel = Buffer<std::uint16_t>(out.runBase.back());
    out.runBranch = Buffer<std::uint32_t>(out.runBase.back());
    out.runCanonical = Buffer<std::uint32_t>(out.runBase.back());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, trees.size(), 16), [&](const auto& range) {
        control.throwIfStopped();
        for (std::size_t t = range.begin(); t != range.end(); ++t) {
            const Tile tile = grid.tile(t);
            std::uint32_t branch = branchBase[t];
            for (const TileBranch& b : trees[t].branches) {
                out.forest.set(branch++, branchPriority(pixelOf(b.seed, tile, grid.width)), b.saddlePlusOne,
                               branchBase[t] + b.into);
            }
            std::uint32_t run = out.runBase[t];
            for (const TileRun& r : trees[t].runs) {
                out.runLevel[run] = r.level;
                out.runBranch[run] = branchBase[t] + r.branch;
                out.runCanonical[run] = pixelOf(r.canonical, tile, grid.width);
                ++run;
            }
            trees[t] = TileTree{};
        }
    });
}

} // namespace

BranchRuns buildTileTrees(const Image& image, bool minTree, bool eight, const JobControl& control) {
    const TileGrid grid{image.width(), image.height()};
    BranchRuns out;
    out.runOfPixel = Buffer<std::uint32_t>(image.pixelCount());
    std::vector<TileTree> trees(grid.count());
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        if (eight) {
            floodTiles<Pixel, true>(image, minTree, grid, trees, out.runOfPixel, control);
        } else {
            floodTiles<Pixel, false>(image, minTree, grid, trees, out.runOfPixel, control);
        }
    });
    concatenate(trees, grid, out, control);
    return out;
}

void joinSeams(BranchRuns& runs, const Image& image, bool minTree, bool eight, const JobControl& control) {
    const TileGrid grid{image.width(), image.height()};
    const auto branchAt = [&](std::size_t pixel) {
        const std::size_t x = pixel % grid.width;
        const std::size_t y = pixel / grid.width;
        const std::size_t tile = y / kTileSide * grid.columns() + x / kTileSide;
        return runs.runBranch[runs.runBase[tile] + runs.runOfPixel[pixel]];
    };
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const std::span<const Pixel> pixels = image.pixels<Pixel>();
        const Pixel flip = flipOf<Pixel>(minTree);
        const auto level = [&](std::size_t pixel) -> std::uint32_t { return static_cast<Pixel>(pixels[pixel] ^ flip); };
        const auto join = [&](std::size_t p, std::size_t q, std::uint32_t lower) {
            runs.forest.connect(branchAt(p), branchAt(q), lower);
        };
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, grid.count(), 4), [&](const auto& range) {
            control.throwIfStopped();
            for (std::size_t t = range.begin(); t != range.end(); ++t) {
                if (eight) {
                    forEachSeamEdge<true>(grid, t, level, join);
                } else {
                    forEachSeamEdge<false>(grid, t, level, join);
                }
            }
        });
    });
}

} // namespace pollard::cpu
