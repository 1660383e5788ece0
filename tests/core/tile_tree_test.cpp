// The tree of one tile: its edges, and the parts that other tiles cannot change.

#include "cpu/tile_edges.hpp"
#include "cpu/tile_tree.hpp"
#include "cpu/tree_builder.hpp"
#include "support/affordable.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <vector>

namespace pollard::cpu {
namespace {

using pollard::testing::makeImage;
using pollard::testing::Random;
using pollard::testing::randomImage;

class UnionFind {
public:
    explicit UnionFind(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
    std::uint32_t find(std::uint32_t x) {
        while (parent_[x] != x) {
            x = parent_[x] = parent_[parent_[x]];
        }
        return x;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

private:
    std::vector<std::uint32_t> parent_;
};

struct Edge {
    std::uint32_t a;
    std::uint32_t b;
};

/// A square tile of an image or a brick of a volume with the edges under test.
template <class Tested, Connectivity kNeighbours> struct Case {
    using Edges = Tested;
    static constexpr TileShape kShape = Tested::kShape;
    static constexpr Connectivity kConnectivity = kNeighbours;
    /// Coordinates in which neighbours may differ.
    static constexpr int kReach = kNeighbours == Connectivity::four || kNeighbours == Connectivity::six ? 1
                                  : kNeighbours == Connectivity::twentySix                              ? 3
                                                                                                        : 2;
};
using Cases = ::testing::Types<Case<TileEdges<false>, Connectivity::four>, Case<TileEdges<true>, Connectivity::eight>,
                               Case<BrickEdges<Connectivity::six>, Connectivity::six>,
                               Case<BrickEdges<Connectivity::eighteen>, Connectivity::eighteen>,
                               Case<BrickEdges<Connectivity::twentySix>, Connectivity::twentySix>>;

/// Edges of a tile in indices of the tile.
template <class C> std::vector<Edge> allEdges(const Tile& tile) {
    std::vector<Edge> edges;
    eachRow(C::kShape, tile, [&](std::uint32_t first) {
        for (std::uint32_t p = first; p < first + tile.width; ++p) {
            const Voxel at = C::kShape.voxelAt(p);
            for (int code = 14; code < 27; ++code) { // neighbours after p in raster order
                const std::array step{code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
                const auto x = static_cast<std::int64_t>(at.x) + step[0];
                const auto y = static_cast<std::int64_t>(at.y) + step[1];
                const auto z = static_cast<std::int64_t>(at.z) + step[2];
                if (std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]) <= C::kReach && x >= 0 &&
                    x < tile.width && y >= 0 && y < tile.height && z < tile.slices) {
                    edges.push_back(
                        {p, C::kShape.rowStart(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)) +
                                static_cast<std::uint32_t>(x)});
                }
            }
        }
    });
    return edges;
}

/// The pixels of a random image as an image of this size.
std::shared_ptr<Image> randomImageOf(Random& random, const Extent& extent) {
    const auto tall = randomImage(random, extent.width, static_cast<std::uint32_t>(extent.rows()));
    auto image = std::make_shared<Image>(tall->type(), extent);
    std::memcpy(image->data(), tall->data(), tall->bytes());
    return image;
}

template <class C> void expectSameComponents(const Image& image) {
    const TileGrid grid{image.extent(), C::kShape};
    const Tile tile = grid.tile(0);
    const auto edges = std::make_unique<typename C::Edges>();
    std::vector<std::uint32_t> levels;
    grid.eachRow(tile, [&](std::uint32_t inTile, std::size_t pixel) {
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            edges->levelsFrom(inTile)[x] = image.level(pixel + x);
            levels.push_back(image.level(pixel + x));
        }
    });
    edges->choose(tile);
    const std::vector<Edge> all = allEdges<C>(tile);
    std::vector<Edge> kept;
    eachRow(C::kShape, tile, [&](std::uint32_t first) {
        for (std::uint32_t p = first; p < first + tile.width; ++p) {
            for (std::uint32_t bits = edges->kept(p); bits != 0; bits &= bits - 1) {
                const std::uint32_t q = p + C::Edges::step(bits);
                // An edge of the tile, stored at the later of its ends.
                ASSERT_TRUE(std::any_of(all.begin(), all.end(), [&](const Edge& e) {
                    return (e.a == p && e.b == q) || (e.a == q && e.b == p);
                }));
                ASSERT_TRUE(edges->level(q) > edges->level(p) || (edges->level(q) == edges->level(p) && q < p));
                kept.push_back({p, q});
            }
        }
    });
    if (C::kReach == 1 && tile.width > 1 && tile.height > 1) {
        EXPECT_LE(kept.size(), all.size() - tile.pixelCount() / 4);
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    const std::size_t step = levels.size() / 16 + 1;
    for (std::size_t k = 0; k < levels.size(); k += step) {
        UnionFind expected(kTilePixels);
        UnionFind got(kTilePixels);
        const auto isAbove = [&](const Edge& e) { return std::min(edges->level(e.a), edges->level(e.b)) >= levels[k]; };
        for (const Edge& e : all) {
            if (isAbove(e)) {
                expected.join(e.a, e.b);
            }
        }
        for (const Edge& e : kept) {
            if (isAbove(e)) {
                got.join(e.a, e.b);
                ASSERT_EQ(expected.find(e.a), expected.find(e.b));
            }
        }
        for (const Edge& e : all) {
            if (isAbove(e)) {
                ASSERT_EQ(got.find(e.a), got.find(e.b)) << "at level " << levels[k];
            }
        }
    }
}

template <class C> class TileParts : public ::testing::Test {};
TYPED_TEST_SUITE(TileParts, Cases);

TYPED_TEST(TileParts, EdgesKeepTheComponentsOfEveryLevel) {
    Random random(31);
    constexpr TileShape kShape = TypeParam::kShape;
    const bool isBrick = kShape.zBits != 0;
    for (int repeat = 0; repeat < testing::repeats(300); ++repeat) {
        const bool isLarge = repeat % 4 == 0;
        const auto side = [&](std::uint32_t most, std::uint32_t small) {
            return 1 + random() % (isLarge ? most : std::min(most, small));
        };
        const Extent extent{side(kShape.width(), isBrick ? 5 : 9), side(kShape.height(), isBrick ? 5 : 9),
                            side(kShape.slices(), 4)};
        SCOPED_TRACE(text(extent) + ", repeat " + std::to_string(repeat));
        ASSERT_NO_FATAL_FAILURE(expectSameComponents<TypeParam>(*randomImageOf(random, extent)));
    }
}

/// Checks the result of build() for the middle tile of an image of three tiles along each axis.
template <class C> void expectIslandsAreFinal(const Image& image) {
    constexpr TileShape kShape = C::kShape;
    const TileGrid grid{image.extent(), kShape};
    const Tile tile = grid.tile(grid.count() / 2);
    const std::span<const std::uint16_t> pixels = image.pixels<std::uint16_t>();
    std::vector<std::uint32_t> place(image.pixelCount());
    TileTree tree;
    std::make_unique<TileTreeBuilder<typename C::Edges>>()->template build<std::uint16_t>(pixels, grid, tile, 0, tree,
                                                                                          place);
    const auto at = [&](std::uint32_t inTile) { return grid.pixelOf(inTile, tile); };
    const auto runs = static_cast<std::uint32_t>(tree.runs.size());

    // Islands by definition, from the tile's components at the level of each pixel.
    UnionFind joined(kTilePixels);
    std::vector<std::uint32_t> order(kTilePixels);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return pixels[at(a)] > pixels[at(b)]; });
    const std::vector<Edge> all = allEdges<C>(tile);
    std::vector<std::vector<std::uint32_t>> beside(order.size());
    for (const Edge& e : all) {
        beside[e.a].push_back(e.b);
        beside[e.b].push_back(e.a);
    }
    std::vector<char> reaches(order.size(), 0);
    for (std::uint32_t p = 0; p < order.size(); ++p) {
        const Voxel v = kShape.voxelAt(p);
        reaches[p] = v.x == 0 || v.y == 0 || v.x + 1 == kShape.width() || v.y + 1 == kShape.height() ||
                             (kShape.zBits != 0 && (v.z == 0 || v.z + 1 == kShape.slices()))
                         ? 1
                         : 0;
    }
    std::size_t islandPixels = 0;
    for (std::size_t k = 0; k < order.size();) {
        std::size_t end = k;
        for (; end < order.size() && pixels[at(order[end])] == pixels[at(order[k])]; ++end) {
            for (const std::uint32_t q : beside[order[end]]) {
                if (pixels[at(q)] >= pixels[at(order[end])]) {
                    const bool open = reaches[joined.find(q)] != 0 || reaches[joined.find(order[end])] != 0;
                    joined.join(q, order[end]);
                    reaches[joined.find(q)] = open ? 1 : 0;
                }
            }
        }
        for (; k < end; ++k) {
            const bool isOpen = reaches[joined.find(order[k])] != 0;
            const std::uint32_t where = place[at(order[k])];
            ASSERT_EQ(where < runs, isOpen) << "pixel " << order[k];
            ASSERT_EQ(where < runs ? tree.runs[where].level : tree.nodes[where - runs].level, pixels[at(order[k])]);
            islandPixels += isOpen ? 0 : 1;
        }
    }
    ASSERT_GT(islandPixels, 0U);

    // Islands are preorder intervals that fill the nodes; parents come first, siblings by canonical pixel.
    std::uint32_t next = 0;
    std::uint32_t lastTop = 0;
    for (const TileIsland& island : tree.islands) {
        ASSERT_EQ(island.node, next);
        next += island.size;
        ASSERT_LT(island.run, runs);
        ASSERT_EQ(tree.nodes[island.node].parent, island.run);
        ASSERT_GT(tree.nodes[island.node].level, tree.runs[island.run].level);
        ASSERT_TRUE(island.node == 0 || tree.nodes[island.node].canonical > lastTop);
        lastTop = tree.nodes[island.node].canonical;
        std::vector<std::uint32_t> depth(island.size, 0);
        std::vector<std::uint32_t> size(island.size, 1);
        std::vector<std::uint32_t> lastChild(island.size, 0);
        for (std::uint32_t n = 1; n < island.size; ++n) {
            const TileNode& node = tree.nodes[island.node + n];
            const std::uint32_t parent = std::uint32_t{node.parent} - island.node;
            ASSERT_LT(parent, n);
            ASSERT_GT(node.level, tree.nodes[node.parent].level);
            ASSERT_TRUE(lastChild[parent] == 0 ||
                        tree.nodes[island.node + lastChild[parent]].canonical < node.canonical);
            lastChild[parent] = n;
            depth[n] = depth[parent] + 1;
        }
        for (std::uint32_t n = island.size; n-- > 1;) {
            size[tree.nodes[island.node + n].parent - island.node] += size[n];
        }
        for (std::uint32_t n = 0; n < island.size; ++n) {
            ASSERT_EQ(tree.nodes[island.node + n].size, size[n]);
        }
        ASSERT_EQ(island.depth, *std::max_element(depth.begin(), depth.end()));
    }
    ASSERT_EQ(next, tree.nodes.size());
    for (const TileBranch& branch : tree.branches) {
        ASSERT_TRUE(branch.saddlePlusOne == 0 || branch.into < tree.branches.size());
    }
}

TYPED_TEST(TileParts, IslandsAreWhatTouchesNoSeam) {
    Random random(32);
    constexpr TileShape kShape = TypeParam::kShape;
    const Extent extent{3 * kShape.width(), 3 * kShape.height(), kShape.zBits == 0 ? 1 : 3 * kShape.slices()};
    constexpr std::uint32_t kRanges[] = {2, 5, 40, 700, 65536};
    for (int repeat = 0; repeat < testing::repeats(40); ++repeat) {
        const std::uint32_t range = kRanges[repeat % 5];
        if (range < 40 && TypeParam::kReach > 1) {
            continue; // few islands
        }
        Image image(PixelType::u16, extent);
        for (std::uint16_t& pixel : image.pixels<std::uint16_t>()) {
            pixel = static_cast<std::uint16_t>(random() % range);
        }
        SCOPED_TRACE(::testing::Message() << "range " << range << ", repeat " << repeat);
        ASSERT_NO_FATAL_FAILURE(expectIslandsAreFinal<TypeParam>(image));
    }
}

ComponentTree buildWith(int threads, const Image& image, const TreeSpec& spec) {
    const tbb::global_control more(tbb::global_control::max_allowed_parallelism, 8);
    StageTimer timer;
    return tbb::task_arena(threads).execute([&] { return buildComponentTree(image, spec, JobControl{}, timer); });
}

TEST(TreeOfIslands, IsTheSameFor1And2And8Threads) {
    Random random(33);
    const auto image = makeImage(PixelType::u16, 900, 700, [&](auto x, auto y) {
        return static_cast<std::uint32_t>((x * 5 + y * 3) % 1500 * 20 + random() % 3000);
    });
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            const TreeSpec spec{kind, connectivity, {}};
            const ComponentTree one = buildWith(1, *image, spec);
            for (const int threads : {2, 8}) {
                const ComponentTree other = buildWith(threads, *image, spec);
                const auto equal = [](const auto& a, const auto& b) {
                    return std::equal(a.begin(), a.end(), b.begin(), b.end());
                };
                EXPECT_TRUE(equal(one.pixelNode, other.pixelNode));
                EXPECT_TRUE(equal(one.parent, other.parent));
                EXPECT_TRUE(equal(one.level, other.level));
                EXPECT_TRUE(equal(one.subtreeEnd, other.subtreeEnd));
                EXPECT_TRUE(equal(one.canonical, other.canonical));
                EXPECT_EQ(one.leafCount, other.leafCount);
                EXPECT_EQ(one.depth, other.depth);
            }
        }
    }
}

TEST(TreeOfIslands, ManySpotsOnOneGroundAreNumberedInRasterOrder) {
    // Above the limit for serial sorting; every other spot has a brighter pixel in it.
    const auto image = makeImage(PixelType::u8, 1200, 1000, [](auto x, auto y) -> std::uint32_t {
        if (y % 3 != 1 || x % 4 == 0) {
            return 10;
        }
        return x % 4 == 2 && x / 4 % 2 == 0 ? 60 : (x % 4 == 3 ? 10 : 50);
    });
    const ComponentTree tree = buildWith(2, *image, {TreeKind::max, Connectivity::four, {}});
    std::uint32_t spots = 0;
    std::uint32_t last = 0;
    for (std::uint32_t n = 1; n < tree.nodeCount(); n = tree.subtreeEnd[n]) {
        ASSERT_EQ(tree.parent[n], 0U);
        ASSERT_EQ(tree.level[n], 50);
        ASSERT_TRUE(n == 1 || tree.canonical[n] > last);
        last = tree.canonical[n];
        ASSERT_EQ(tree.subtreeEnd[n] - n, last % 1200 / 4 % 2 == 0 ? 2U : 1U);
        ++spots;
    }
    EXPECT_EQ(spots, 333U * 300U);
    EXPECT_EQ(tree.leafCount, spots);
    EXPECT_EQ(tree.depth, 2U);
    EXPECT_EQ(tree.canonical[0], 1200U * 1000U - 1);
}

} // namespace
} // namespace pollard::cpu
