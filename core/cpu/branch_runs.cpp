#include "cpu/branch_runs.hpp"

#include "base/parallel.hpp"
#include "cpu/brick_faces.hpp"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace pollard::cpu {

namespace {

/// Visits the edges between tile @p index and its right and lower neighbours that may affect the tree, as `visit(p, q,
/// level)` with pixel indices and the lower of both levels. Skips edges whose connection other edges provide at the
/// same or a higher level:
/// - a straight edge next to a straight edge of the same seam with a higher minimum (at a tie the last stays),
/// - a diagonal edge with a cross pixel that reaches its minimum: the straight edge there connects the same.
/// Both rely on edges inside the two tiles, so nothing is compared across a tile corner.
/// @param level callable: pixel index -> level in the order of the tree
template <bool kEight, class Level, class Visit>
void forEachSeamEdge(const TileGrid& grid, std::size_t index, Level&& level, Visit&& visit) {
    const Tile tile = grid.tile(index);
    const std::size_t width = grid.extent.width;
    const auto seam = [&](std::size_t p0, std::size_t q0, std::size_t step, std::uint32_t length) {
        std::uint32_t before = 0;
        bool hasBefore = false;
        std::uint32_t here = std::min<std::uint32_t>(level(p0), level(q0));
        for (std::uint32_t k = 0; k < length; ++k) {
            const std::size_t p = p0 + k * step;
            const std::size_t q = q0 + k * step;
            const bool hasNext = k + 1 < length;
            const std::uint32_t next = hasNext ? std::min<std::uint32_t>(level(p + step), level(q + step)) : 0;
            if (!(hasBefore && before > here) && !(hasNext && next >= here)) {
                visit(p, q, here);
            }
            if constexpr (kEight) {
                if (hasNext) {
                    const auto diagonal = [&](std::size_t a, std::size_t b, std::size_t crossA, std::size_t crossB) {
                        const std::uint32_t m = std::min<std::uint32_t>(level(a), level(b));
                        if (level(crossA) < m && level(crossB) < m) {
                            visit(a, b, m);
                        }
                    };
                    diagonal(p, q + step, p + step, q);
                    diagonal(p + step, q, p, q + step);
                }
            }
            before = here;
            hasBefore = true;
            here = next;
        }
    };

    const bool hasRight = tile.x0 + tile.width < grid.extent.width;
    const bool hasBelow = tile.y0 + tile.height < grid.extent.height;
    const std::size_t right = std::size_t{tile.y0} * width + tile.x0 + tile.width - 1;
    const std::size_t below = std::size_t{tile.y0 + tile.height - 1} * width + tile.x0;
    if (hasRight) {
        seam(right, right + 1, width, tile.height);
    }
    if (hasBelow) {
        seam(below, below + width, 1, tile.width);
    }
    if constexpr (kEight) {
        if (hasRight && hasBelow) {
            const std::size_t corner = below + tile.width - 1;
            visit(corner, corner + width + 1, std::min<std::uint32_t>(level(corner), level(corner + width + 1)));
            visit(corner + 1, corner + width, std::min<std::uint32_t>(level(corner + 1), level(corner + width)));
        }
    }
}

/// Two pixels, then their branches, and the lower of their levels.
struct SeamEdge {
    std::uint32_t one;
    std::uint32_t other;
    std::uint32_t level;
};

template <class Pixel> Pixel flipOf(TreeKind kind) noexcept {
    return kind == TreeKind::min ? static_cast<Pixel>(~Pixel{0}) : Pixel{0};
}

template <Connectivity kConnectivity> using EdgesOf = std::conditional_t<
    kConnectivity == Connectivity::four, TileEdges<false>,
    std::conditional_t<kConnectivity == Connectivity::eight, TileEdges<true>, BrickEdges<kConnectivity>>>;

/// Calls a function template with the connectivity.
template <class Function> void withConnectivity(Connectivity connectivity, Function&& function) {
    switch (connectivity) {
    case Connectivity::four:
        return function.template operator()<Connectivity::four>();
    case Connectivity::eight:
        return function.template operator()<Connectivity::eight>();
    case Connectivity::six:
        return function.template operator()<Connectivity::six>();
    case Connectivity::eighteen:
        return function.template operator()<Connectivity::eighteen>();
    case Connectivity::twentySix:
        return function.template operator()<Connectivity::twentySix>();
    }
}

template <class Pixel, class Edges> void floodTiles(const Image& image, TreeKind kind, TileParts parts,
                                                    const TileGrid& grid, std::vector<TileTree>& trees,
                                                    Buffer<std::uint32_t>& placeOfPixel, const JobControl& control) {
    using Builder = TileTreeBuilder<Edges>;
    // Builders are too large for a stack.
    tbb::enumerable_thread_specific<std::unique_ptr<Builder>> builders([] { return std::make_unique<Builder>(); });
    std::atomic<std::size_t> done{0};
    const std::size_t reportEvery = grid.count() / 64 + 1;
    forEachRange(
        grid.count(), control,
        [&](std::size_t begin, std::size_t end) {
            Builder& builder = *builders.local();
            for (std::size_t t = begin; t != end; ++t) {
                const auto build = parts == TileParts::islands ? &Builder::template build<Pixel>
                                                               : &Builder::template buildLinks<Pixel>;
                (builder.*build)(image.pixels<Pixel>(), grid, grid.tile(t), flipOf<Pixel>(kind), trees[t],
                                 placeOfPixel.span());
                if (++done % reportEvery == 0) {
                    control.report(0.45 * static_cast<double>(done) / static_cast<double>(grid.count()), "tiles");
                }
            }
        },
        4);
}

/// Numbers the branches, runs and islands of all tiles, and moves them into a structure of arrays.
void concatenate(std::vector<TileTree>& trees, const TileGrid& grid, BranchRuns& out, const JobControl& control) {
    const auto basesOf = [&trees](auto TileTree::*part) {
        std::vector<std::uint32_t> bases(trees.size() + 1);
        for (std::size_t t = 0; t < trees.size(); ++t) {
            bases[t + 1] = bases[t] + static_cast<std::uint32_t>((trees[t].*part).size());
        }
        return bases;
    };
    out.branchBase = basesOf(&TileTree::branches);
    out.runBase = basesOf(&TileTree::runs);
    out.nodeCount = basesOf(&TileTree::nodes).back();
    out.runs.resize(trees.size());
    out.nodes.resize(trees.size());
    out.links.resize(trees.size());
    out.islandBase = basesOf(&TileTree::islands);
    out.forest = BranchForest(out.branchBase.back());
    out.islands = Buffer<TileIsland>(out.islandBase.back());
    forEachRange(
        trees.size(), control,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t != end; ++t) {
                const Tile tile = grid.tile(t);
                std::uint32_t branch = out.branchBase[t];
                for (const TileBranch& b : trees[t].branches) {
                    out.forest.set(branch++, branchPriority(grid.pixelOf(b.seed, tile)), b.saddlePlusOne,
                                   out.branchBase[t] + b.into);
                }
                out.runs[t] = std::move(trees[t].runs);
                out.nodes[t] = std::move(trees[t].nodes);
                out.links[t] = std::move(trees[t].links);
                std::copy(trees[t].islands.begin(), trees[t].islands.end(), out.islands.data() + out.islandBase[t]);
                trees[t] = TileTree{};
            }
        },
        16);
}

} // namespace

BranchRuns buildTileTrees(const Image& image, const TreeSpec& spec, TileParts parts, const JobControl& control) {
    const TileGrid grid = TileGrid::of(image.extent());
    BranchRuns out;
    out.grid = grid;
    out.placeOfPixel = Buffer<std::uint32_t>(image.pixelCount());
    std::vector<TileTree> trees(grid.count());
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        withConnectivity(spec.connectivity, [&]<Connectivity kConnectivity>() {
            floodTiles<Pixel, EdgesOf<kConnectivity>>(image, spec.kind, parts, grid, trees, out.placeOfPixel, control);
        });
    });
    concatenate(trees, grid, out, control);
    return out;
}

void joinSeams(BranchRuns& runs, const Image& image, const TreeSpec& spec, const JobControl& control) {
    const TileGrid& grid = runs.grid;
    const auto branchAt = [&](std::uint32_t pixel) {
        const std::size_t tile = grid.tileAt(voxelAt(pixel, grid.extent));
        return runs.branchBase[tile] + runs.runs[tile][runs.placeOfPixel[pixel]].branch;
    };
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const std::span<const Pixel> pixels = image.pixels<Pixel>();
        const Pixel flip = flipOf<Pixel>(spec.kind);
        const auto level = [&](std::size_t pixel) -> std::uint32_t { return static_cast<Pixel>(pixels[pixel] ^ flip); };
        withConnectivity(spec.connectivity, [&]<Connectivity kConnectivity>() {
            forEachRange(
                grid.count(), control,
                [&](std::size_t begin, std::size_t end) {
                    std::vector<SeamEdge> edges;
                    const auto add = [&](std::size_t p, std::size_t q, std::uint32_t lower) {
                        edges.push_back({static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(q), lower});
                    };
                    for (std::size_t t = begin; t != end; ++t) {
                        edges.clear();
                        if constexpr (kConnectivity == Connectivity::four || kConnectivity == Connectivity::eight) {
                            forEachSeamEdge<kConnectivity == Connectivity::eight>(grid, t, level, add);
                        } else {
                            forEachFaceEdge<kConnectivity>(grid, t, level, add);
                        }
                        // All branches first: their memory accesses, which miss the cache, overlap.
                        for (SeamEdge& edge : edges) {
                            edge.one = branchAt(edge.one);
                            edge.other = branchAt(edge.other);
                        }
                        for (const SeamEdge& edge : edges) {
                            runs.forest.connect(edge.one, edge.other, edge.level);
                        }
                    }
                },
                4);
        });
    });
}

} // namespace pollard::cpu
