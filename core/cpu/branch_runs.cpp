#include "cpu/branch_runs.hpp"

#include "base/parallel.hpp"
#include "cpu/tile_grid.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tbb/enumerable_thread_specific.h>
#include <type_traits>
#include <utility>

namespace pollard::cpu {

namespace {

constexpr std::uint32_t kNever = 0xffff'ffff;

/// The straight edges from a brick to the next one along an axis.
template <bool kSixOnly, class Level, class Visit>
void forEachStraightEdge(const TileGrid& grid, const Tile& tile, int axis, Level&& level, Visit&& visit) {
    const std::array<std::size_t, 3> steps{1, grid.extent.width, grid.extent.slicePixels()};
    const std::array<std::uint32_t, 3> sides{tile.width, tile.height, tile.slices};
    const std::array<std::uint32_t, 3> start{tile.x0, tile.y0, tile.z0};
    const std::array<std::uint32_t, 3> image{grid.extent.width, grid.extent.height, grid.extent.slices};
    if (start[axis] + sides[axis] == image[axis]) {
        return;
    }
    const int u = axis == 0 ? 1 : 0;
    const int w = axis == 2 ? 1 : 2;
    const std::size_t corner = tile.z0 * steps[2] + tile.y0 * steps[1] + tile.x0 + (sides[axis] - 1) * steps[axis];
    // With a frame of zeros; no level is lower.
    constexpr std::size_t kPitch = 18;
    std::array<std::uint32_t, kPitch * kPitch> low{};
    for (std::uint32_t j = 0; j < sides[w]; ++j) {
        for (std::uint32_t i = 0; i < sides[u]; ++i) {
            const std::size_t p = corner + i * steps[u] + j * steps[w];
            low[(j + 1) * kPitch + i + 1] = 1 + std::min<std::uint32_t>(level(p), level(p + steps[axis]));
        }
    }
    for (std::uint32_t j = 0; j < sides[w]; ++j) {
        for (std::uint32_t i = 0; i < sides[u]; ++i) {
            const std::uint32_t* const here = &low[(j + 1) * kPitch + i + 1];
            const std::uint32_t m = *here;
            bool isNeeded = here[-1] <= m && here[1] < m && *(here - kPitch) <= m && here[kPitch] < m;
            if constexpr (!kSixOnly) {
                isNeeded = isNeeded && *(here - kPitch - 1) <= m && *(here - kPitch + 1) <= m && here[kPitch - 1] < m &&
                           here[kPitch + 1] < m;
            }
            if (isNeeded) {
                const std::size_t p = corner + i * steps[u] + j * steps[w];
                visit(p, p + steps[axis], m - 1);
            }
        }
    }
}

/// Calls `visit(first voxel)` for the boxes of unit sides along some axes that have their first voxel in a brick, reach
/// beyond it and are in the image.
template <class Visit>
void forEachBoxAcross(const TileGrid& grid, const Tile& tile, const std::array<bool, 3>& axes, Visit&& visit) {
    const std::array<std::uint32_t, 3> start{tile.x0, tile.y0, tile.z0};
    const std::array<std::uint32_t, 3> sides{tile.width, tile.height, tile.slices};
    const std::array<std::uint32_t, 3> image{grid.extent.width, grid.extent.height, grid.extent.slices};
    std::array<std::uint32_t, 3> end{};                        // of the first voxels, in the brick
    std::array<std::uint32_t, 3> last{kNever, kNever, kNever}; // from which a box reaches beyond the brick
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool isLast = start[axis] + sides[axis] == image[axis];
        end[axis] = sides[axis] - (axes[axis] && isLast ? 1 : 0);
        last[axis] = axes[axis] && !isLast ? sides[axis] - 1 : kNever;
    }
    for (std::uint32_t z = 0; z < end[2]; ++z) {
        for (std::uint32_t y = 0; y < end[1]; ++y) {
            const std::size_t row =
                (std::size_t{tile.z0 + z} * grid.extent.height + tile.y0 + y) * grid.extent.width + tile.x0;
            const std::uint32_t from = z == last[2] || y == last[1] ? 0 : std::min(last[0], end[0]);
            for (std::uint32_t x = from; x < end[0]; ++x) {
                visit(row + x);
            }
        }
    }
}

/// Visits the diagonal of a square that shorter edges do not replace, if there is one.
template <class Level, class Visit>
void visitDiagonalOfSquare(std::size_t p, std::size_t a, std::size_t b, Level&& level, Visit&& visit) {
    const std::uint32_t rising = std::min<std::uint32_t>(level(p), level(p + a + b));
    const std::uint32_t falling = std::min<std::uint32_t>(level(p + a), level(p + b));
    if (std::max<std::uint32_t>(level(p + a), level(p + b)) < rising) {
        visit(p, p + a + b, rising);
    } else if (std::max<std::uint32_t>(level(p), level(p + a + b)) < falling) {
        visit(p + a, p + b, falling);
    }
}

/// Visits the diagonal of a cube that shorter edges do not replace, if there is one. @param steps to the next voxel
/// along each axis
template <class Level, class Visit>
void visitDiagonalOfCube(std::size_t p, const std::array<std::size_t, 3>& steps, Level&& level, Visit&& visit) {
    const std::array<std::size_t, 4> from{p, p + steps[0], p + steps[1], p + steps[0] + steps[1]};
    std::array<std::uint32_t, 4> low;
    std::array<std::uint32_t, 4> high;
    for (std::size_t k = 0; k < 4; ++k) {
        const std::uint32_t a = level(from[k]);
        const std::uint32_t b = level(from[3 - k] + steps[2]);
        low[k] = std::min(a, b);
        high[k] = std::max(a, b);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        if (std::max({high[k ^ 1], high[k ^ 2], high[k ^ 3]}) < low[k]) {
            visit(from[k], from[3 - k] + steps[2], low[k]);
        }
    }
}

/// Visits the edges between a brick and others that may affect the tree, each once, as `visit(p, q, level)` with pixel
/// indices and the lower of both levels. Skips edges whose connection other edges provide at the same or a higher
/// level:
/// - a straight edge beside one between the same two bricks with a higher minimum (at a tie the last stays),
/// - a diagonal with another voxel of its bounding box that reaches its minimum.
/// @param level callable: pixel index -> level in the order of the tree
template <Connectivity kConnectivity, class Level, class Visit>
void forEachFaceEdge(const TileGrid& grid, std::size_t index, Level&& level, Visit&& visit) {
    const Tile tile = grid.tile(index);
    for (int axis = 0; axis < 3; ++axis) {
        forEachStraightEdge<kConnectivity == Connectivity::six>(grid, tile, axis, level, visit);
    }
    const std::array<std::size_t, 3> steps{1, grid.extent.width, grid.extent.slicePixels()};
    if constexpr (kConnectivity != Connectivity::six) {
        for (std::size_t flat = 0; flat < 3; ++flat) {
            const std::size_t a = steps[flat == 0 ? 1 : 0];
            const std::size_t b = steps[flat == 2 ? 1 : 2];
            forEachBoxAcross(grid, tile, {flat != 0, flat != 1, flat != 2},
                             [&](std::size_t p) { visitDiagonalOfSquare(p, a, b, level, visit); });
        }
    }
    if constexpr (kConnectivity == Connectivity::twentySix) {
        forEachBoxAcross(grid, tile, {true, true, true},
                         [&](std::size_t p) { visitDiagonalOfCube(p, steps, level, visit); });
    }
}

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
