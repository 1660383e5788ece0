#include "cpu/branch_runs.hpp"

#include "cpu/tile_seams.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace pollard::cpu {

namespace {

template <class Pixel> Pixel flipOf(bool minTree) noexcept {
    return minTree ? static_cast<Pixel>(~Pixel{0}) : Pixel{0};
}

template <class Pixel, bool kEight> void floodTiles(const Image& image, bool minTree, TileParts parts,
                                                    const TileGrid& grid, std::vector<TileTree>& trees,
                                                    Buffer<std::uint32_t>& placeOfPixel, const JobControl& control) {
    // Builders are too large for a stack.
    tbb::enumerable_thread_specific<std::unique_ptr<TileTreeBuilder>> builders(
        [] { return std::make_unique<TileTreeBuilder>(); });
    std::atomic<std::size_t> done{0};
    const std::size_t reportEvery = grid.count() / 64 + 1;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, grid.count(), 4), [&](const auto& range) {
        control.throwIfStopped();
        TileTreeBuilder& builder = *builders.local();
        for (std::size_t t = range.begin(); t != range.end(); ++t) {
            const auto build = parts == TileParts::islands ? &TileTreeBuilder::build<Pixel, kEight>
                                                           : &TileTreeBuilder::buildLinks<Pixel, kEight>;
            (builder.*build)(image.pixels<Pixel>(), grid.width, grid.tile(t), flipOf<Pixel>(minTree), trees[t],
                             placeOfPixel.span());
            if (++done % reportEvery == 0) {
                control.report(0.45 * static_cast<double>(done) / static_cast<double>(grid.count()), "tiles");
            }
        }
    });
}

/// Concatenates the trees of the tiles, with global numbers, into a structure of arrays. Frees them on the way.
void concatenate(std::vector<TileTree>& trees, const TileGrid& grid, BranchRuns& out, const JobControl& control) {
    const auto basesOf = [&trees](auto TileTree::*part) {
        std::vector<std::uint32_t> bases(trees.size() + 1);
        for (std::size_t t = 0; t < trees.size(); ++t) {
            bases[t + 1] = bases[t] + static_cast<std::uint32_t>((trees[t].*part).size());
        }
        return bases;
    };
    const std::vector<std::uint32_t> branchBase = basesOf(&TileTree::branches);
    out.runBase = basesOf(&TileTree::runs);
    out.nodeCount = basesOf(&TileTree::nodes).back();
    out.nodes.resize(trees.size());
    out.links.resize(trees.size());
    out.islandBase = basesOf(&TileTree::islands);
    out.forest = BranchForest(branchBase.back());
    out.runLevel = Buffer<std::uint16_t>(out.runBase.back());
    out.runBranch = Buffer<std::uint32_t>(out.runBase.back());
    out.runCanonical = Buffer<std::uint32_t>(out.runBase.back());
    out.islands = Buffer<TileIsland>(out.islandBase.back());
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
            out.nodes[t] = std::move(trees[t].nodes);
            out.links[t] = std::move(trees[t].links);
            std::copy(trees[t].islands.begin(), trees[t].islands.end(), out.islands.data() + out.islandBase[t]);
            trees[t] = TileTree{};
        }
    });
}

} // namespace

BranchRuns buildTileTrees(const Image& image, bool minTree, bool eight, TileParts parts, const JobControl& control) {
    const TileGrid grid{image.width(), image.height()};
    BranchRuns out;
    out.grid = grid;
    out.placeOfPixel = Buffer<std::uint32_t>(image.pixelCount());
    std::vector<TileTree> trees(grid.count());
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        if (eight) {
            floodTiles<Pixel, true>(image, minTree, parts, grid, trees, out.placeOfPixel, control);
        } else {
            floodTiles<Pixel, false>(image, minTree, parts, grid, trees, out.placeOfPixel, control);
        }
    });
    concatenate(trees, grid, out, control);
    return out;
}

void joinSeams(BranchRuns& runs, const Image& image, bool minTree, bool eight, const JobControl& control) {
    const TileGrid& grid = runs.grid;
    const auto branchAt = [&](std::size_t pixel) {
        const std::size_t x = pixel % grid.width;
        const std::size_t y = pixel / grid.width;
        const std::size_t tile = y / kTileSide * grid.columns() + x / kTileSide;
        return runs.runBranch[runs.runBase[tile] + runs.placeOfPixel[pixel]];
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
