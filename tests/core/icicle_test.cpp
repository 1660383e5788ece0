// The icicle of a tree: its boxes against the naive tree, its painting against a search over all nodes for every pixel.
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"
#include "tree/icicle.hpp"

#include "cpu/cpu_engine.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace pollard::testing {
namespace {

constexpr std::array<std::uint32_t, 4> kScale{0xff10'2030U, 0xff40'5060U, 0xff70'8090U, 0xffa0'b0c0U};
constexpr std::array<std::uint32_t, 4> kRemoved{0xff01'0101U, 0xff02'0202U, 0xff03'0303U, 0xff04'0404U};

std::unique_ptr<Session> sessionOf(const std::shared_ptr<const Image>& image, TreeKind kind,
                                   Connectivity connectivity) {
    auto session = makeCpuEngine()->openSession();
    session->open(image);
    TreeSpec spec;
    spec.kind = kind;
    spec.connectivity = connectivity;
    session->buildTree(spec);
    return session;
}

struct Painted {
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> pixels;
};

Painted painted(const IciclePaint& paint) {
    const std::size_t count = std::size_t{paint.columns} * paint.rows;
    Painted result{std::vector<std::uint32_t>(count, 77), std::vector<std::uint32_t>(count, 77)};
    paintIcicle(paint, result.nodes, result.pixels);
    return result;
}

/// Colours by level, for tests of other aspects.
struct Fixture {
    Fixture(const std::shared_ptr<const Image>& image, TreeKind kind, Connectivity connectivity, IcicleHeight measure)
        : session(sessionOf(image, kind, connectivity)), tree(session->tree()), layout(layOutIcicle(tree, measure)),
          levels(session->attribute(AttributeId::level)) {
        paint.layout = &layout;
        paint.part = layout.whole();
        paint.colours.column = levels.get();
        paint.colours.scale = kScale;
        paint.colours.removedScale = kRemoved;
    }
    std::unique_ptr<Session> session;
    std::shared_ptr<const ComponentTree> tree;
    IcicleLayout layout;
    std::shared_ptr<const AttributeColumn> levels;
    IciclePaint paint;
};

template <class Check> void onRandomTrees(int count, std::uint32_t side, const Check& check) {
    Random random(77);
    for (int i = 0; i < count; ++i) {
        const auto image = randomImage(random, 1 + random() % side, 1 + random() % side);
        const auto kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        const auto connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const auto measure = random() % 2 == 0 ? IcicleHeight::level : IcicleHeight::depth;
        SCOPED_TRACE(i);
        check(*image, Fixture(image, kind, connectivity, measure), random);
    }
}

/// Height of a node below the root, by walking up.
int naiveHeight(const ComponentTree& tree, IcicleHeight measure, std::uint32_t node) {
    if (measure == IcicleHeight::level) {
        return std::abs(tree.level[node] - tree.level[0]);
    }
    int depth = 0;
    for (; node != 0; node = tree.parent[node]) {
        ++depth;
    }
    return depth;
}

TEST(Icicle, BoxesAreAsWideAsTheAreaAndLieBelowTheirParents) {
    onRandomTrees(150, 12, [](const Image& image, const Fixture& it, Random&) {
        const ComponentTree& tree = *it.tree;
        std::map<std::uint32_t, std::size_t> areas; // by canonical pixel
        for (const NaiveNode& node : naiveTree(image, tree.kind, tree.connectivity)) {
            areas[node.canonical] = node.support.size();
        }
        ASSERT_EQ(areas.size(), tree.nodeCount());
        std::vector<double> next(tree.nodeCount()); // left side of the next child of a node
        for (std::uint32_t n = 0; n < tree.nodeCount(); ++n) {
            const IcicleRect box = it.layout.boxOf(n);
            EXPECT_EQ(box.width(), static_cast<double>(areas[tree.canonical[n]]));
            EXPECT_EQ(it.layout.areaOf(n), areas[tree.canonical[n]]);
            EXPECT_EQ(box.bottom, naiveHeight(tree, it.layout.measure, n));
            double ofChildren = 0;
            int deepest = 0;
            for (std::uint32_t m = n; m < tree.subtreeEnd[n]; ++m) {
                deepest = std::max(deepest, naiveHeight(tree, it.layout.measure, m));
                ofChildren += m != n && tree.parent[m] == n ? static_cast<double>(areas[tree.canonical[m]]) : 0;
            }
            EXPECT_EQ(it.layout.deepest[n], deepest);
            next[n] = box.right - ofChildren; // own pixels first
            if (n != 0) {
                EXPECT_EQ(box.left, next[tree.parent[n]]);
                EXPECT_EQ(box.top, it.layout.boxOf(tree.parent[n]).bottom);
                next[tree.parent[n]] = box.right;
            }
        }
        EXPECT_EQ(it.layout.boxOf(0).left, 0);
        EXPECT_LT(it.layout.boxOf(0).top, 0);
    });
}

TEST(Icicle, EveryPlaceBelongsToAPixelOfItsNode) {
    onRandomTrees(60, 16, [](const Image& image, const Fixture& it, Random&) {
        std::vector<std::uint32_t> wanted(it.tree->pixelNode.begin(), it.tree->pixelNode.end());
        std::ranges::sort(wanted);
        std::vector<std::uint32_t> found(image.pixelCount());
        for (std::uint32_t place = 0; place < found.size(); ++place) {
            found[place] = it.layout.nodeAt(place);
        }
        EXPECT_EQ(found, wanted);
        EXPECT_EQ(it.layout.pixelCount(), image.pixelCount());
    });
}

TEST(Icicle, EveryPixelShowsTheNodeThatASearchFinds) {
    onRandomTrees(250, 10, [](const Image& image, Fixture it, Random& random) {
        const auto pixelCount = static_cast<double>(image.pixelCount());
        const auto share = [&random] { return random() / 4294967296.0; };
        const auto draw = [&](double low, double high) { return low + share() * (high - low); };
        std::vector<std::uint32_t> nodes(it.tree->pixelNode.begin(), it.tree->pixelNode.end());
        std::ranges::sort(nodes); // node per position from the left
        it.paint.columns = 1 + random() % 90;
        it.paint.rows = 1 + random() % 40;
        const IcicleRect whole = it.layout.whole();
        const double left = draw(0, pixelCount);
        const double top = draw(whole.top, whole.bottom);
        it.paint.part = {left, draw(left, pixelCount) + 1e-3, top, draw(top, whole.bottom + 2) + 1e-3};
        if (random() % 3 == 0) {
            it.paint.part = whole;
        }
        const Painted found = painted(it.paint);
        for (std::uint32_t column = 0; column < it.paint.columns; ++column) {
            const double width = it.paint.part.width() / it.paint.columns;
            const auto first = static_cast<std::size_t>(std::min(it.paint.part.left + column * width, pixelCount - 1));
            const auto end = std::clamp(static_cast<std::size_t>(it.paint.part.left + (column + 1) * width), first + 1,
                                        image.pixelCount());
            std::uint32_t shown = nodes[first];
            for (std::size_t place = first; place < end; ++place) {
                const auto height = [&](std::uint32_t n) { return naiveHeight(*it.tree, it.layout.measure, n); };
                shown = height(nodes[place]) > height(shown) ? nodes[place] : shown;
            }
            for (std::uint32_t row = 0; row < it.paint.rows; ++row) {
                const double height = it.paint.part.top + (row + 0.5) * it.paint.part.height() / it.paint.rows;
                if (std::abs(height - std::round(height)) < 1e-9) {
                    continue; // on the side of a box, where rounding decides
                }
                std::uint32_t wanted = kNoIcicleNode;
                for (std::uint32_t n = 0; n < it.tree->nodeCount(); ++n) {
                    const double bottom = naiveHeight(*it.tree, it.layout.measure, n);
                    const double above = naiveHeight(*it.tree, it.layout.measure, it.tree->parent[n]);
                    if (it.tree->contains(n, shown) && height < bottom && (n == 0 || height > above)) {
                        wanted = n;
                    }
                }
                ASSERT_EQ(found.nodes[std::size_t{row} * it.paint.columns + column], wanted)
                    << "column " << column << " row " << row;
            }
        }
    });
}

/// With one column per pixel and whole rows per step, every node covers its area times its height.
TEST(Icicle, EveryNodeHasItsCell) {
    onRandomTrees(150, 9, [](const Image& image, Fixture it, Random& random) {
        const std::uint32_t rowsPerStep = 1 + random() % 3;
        const std::uint32_t steps = it.layout.deepest[0];
        if (steps > 4000) {
            return;
        }
        it.paint.part = {0, static_cast<double>(image.pixelCount()), -1, static_cast<double>(steps)};
        it.paint.columns = static_cast<std::uint32_t>(image.pixelCount());
        it.paint.rows = (steps + 1) * rowsPerStep;
        std::map<std::uint32_t, std::uint64_t> cells;
        for (const std::uint32_t node : painted(it.paint).nodes) {
            ++cells[node];
        }
        cells.erase(kNoIcicleNode);
        ASSERT_EQ(cells.size(), it.tree->nodeCount());
        for (const auto& [node, count] : cells) {
            const IcicleRect box = it.layout.boxOf(node);
            const double height = node == 0 ? 1 : box.height();
            EXPECT_EQ(static_cast<double>(count), box.width() * height * rowsPerStep);
        }
    });
}

/// A single bright pixel: its column is visible for any number of pixels per column.
TEST(Icicle, NoPeakIsLostWhereColumnsAreMerged) {
    const auto image =
        makeImage(PixelType::u8, 100, 100, [](auto x, auto y) { return x == 63 && y == 41 ? 200U : 10U; });
    Fixture it(image, TreeKind::max, Connectivity::four, IcicleHeight::level);
    it.paint.rows = 20;
    for (const std::uint32_t columns : {1U, 7U, 100U}) {
        it.paint.columns = columns;
        const Painted found = painted(it.paint);
        EXPECT_EQ(std::ranges::count(found.nodes, 1U), 19) << columns << " columns";
    }
}

TEST(Icicle, IsTheSameForTheDualTree) {
    const auto image = makeImage(PixelType::u8, 20, 15, [](auto x, auto y) { return (x * 37 + y * 101) % 83; });
    const auto inverse = makeImage(PixelType::u8, 20, 15, [](auto x, auto y) { return 255 - (x * 37 + y * 101) % 83; });
    for (const auto connectivity : {Connectivity::four, Connectivity::eight}) {
        Fixture one(image, TreeKind::max, connectivity, IcicleHeight::level);
        Fixture other(inverse, TreeKind::min, connectivity, IcicleHeight::level);
        for (Fixture* each : {&one, &other}) {
            each->paint.columns = 64;
            each->paint.rows = 40;
        }
        EXPECT_EQ(painted(one.paint).nodes, painted(other.paint).nodes);
    }
}

TEST(Icicle, AChainOf65536LevelsIsAStair) {
    const auto image = makeImage(PixelType::u16, 256, 256, [](auto x, auto y) { return y * 256 + x; });
    for (const auto kind : {TreeKind::max, TreeKind::min}) {
        for (const auto measure : {IcicleHeight::level, IcicleHeight::depth}) {
            Fixture it(image, kind, Connectivity::four, measure);
            ASSERT_EQ(it.tree->nodeCount(), 65536U);
            it.paint.columns = 256;
            it.paint.rows = 64;
            it.paint.part = {0, 65536, 0, 65536};
            const Painted found = painted(it.paint);
            for (std::uint32_t column = 0; column < 256; ++column) {
                // The column's last pixel is the highest: node 256 * column + 255, of the same height.
                for (std::uint32_t row = 0; row < 64; ++row) {
                    const std::uint32_t middle = row * 1024 + 512;
                    EXPECT_EQ(found.nodes[row * 256 + column], middle <= column * 256 + 255 ? middle : kNoIcicleNode);
                }
            }
            it.paint.part = it.layout.subtreeOf(65500);
            it.paint.columns = 36;
            const Painted deep = painted(it.paint);
            EXPECT_EQ(deep.nodes[36 * 64 - 1], 65535U);
        }
    }
}

TEST(Icicle, OfAConstantImageIsOneBox) {
    for (const auto& [width, height] : {std::pair{1U, 1U}, {5U, 4U}}) {
        const auto image = makeImage(PixelType::u8, width, height, [](auto, auto) { return 9; });
        Fixture it(image, TreeKind::max, Connectivity::eight, IcicleHeight::level);
        it.paint.columns = 8;
        it.paint.rows = 6;
        const Painted found = painted(it.paint);
        EXPECT_THAT(found.nodes, ::testing::Each(0U));
        EXPECT_THAT(found.pixels, ::testing::Each(kScale[0]));
        EXPECT_EQ(it.layout.whole(), (IcicleRect{0, static_cast<double>(width * height), -1, 0}));
    }
}

TEST(Icicle, ColoursAreThoseOfTheAttributeAndOfTheFilter) {
    onRandomTrees(80, 10, [](const Image&, Fixture it, Random& random) {
        it.paint.columns = 40;
        it.paint.rows = 30;
        std::vector<std::uint8_t> keep(it.tree->nodeCount());
        std::ranges::generate(keep, [&] { return static_cast<std::uint8_t>(random() % 2); });
        const auto area = it.session->attribute(AttributeId::area);
        const auto stability = it.session->attribute(AttributeId::stability); // undefined for the root
        for (const auto& column : {it.levels, area, stability}) {
            for (const bool logarithmic : {false, true}) {
                it.paint.colours.column = column.get();
                it.paint.colours.logarithmic = logarithmic;
                it.paint.colours.undefined = 0xff99'9999U;
                it.paint.colours.keep = keep;
                const Painted found = painted(it.paint);
                for (std::size_t i = 0; i < found.nodes.size(); ++i) {
                    const std::uint32_t node = found.nodes[i];
                    if (node == kNoIcicleNode) {
                        ASSERT_EQ(found.pixels[i], 0U);
                        continue;
                    }
                    const double value = column->at(node);
                    if (std::isnan(value)) {
                        ASSERT_EQ(found.pixels[i], 0xff99'9999U);
                        continue;
                    }
                    const auto& colours = keep[node] != 0 ? kScale : kRemoved;
                    const auto place = static_cast<int>(std::ranges::find(colours, found.pixels[i]) - colours.begin());
                    ASSERT_LT(place, 4);
                    double low = column->minimum;
                    double high = column->maximum;
                    if (logarithmic && low <= 0) {
                        low = column->id == AttributeId::stability ? high / 10000 : std::min(1.0, high);
                    }
                    if (value <= low || high <= low) {
                        ASSERT_EQ(place, 0);
                        continue;
                    }
                    const double share =
                        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
                    EXPECT_GE(share, place / 4.0 - 1e-12);
                    EXPECT_LE(share, (place + 1) / 4.0 + 1e-12);
                }
            }
        }
    });
}

TEST(Icicle, LinesMarkTheSidesOfLargeBoxesAlone) {
    // A plateau of 4 x 10 px on the background of 100: columns 60 .. 99 below the root, and a peak of one pixel in it.
    const auto image = makeImage(PixelType::u8, 10, 10, [](auto x, auto y) -> std::uint32_t {
        return x == 9 && y == 9 ? 40 : y >= 6 ? 20 : 0;
    });
    Fixture it(image, TreeKind::max, Connectivity::four, IcicleHeight::level);
    it.paint.columns = 100;
    it.paint.rows = 50;
    it.paint.part = {0, 100, -10, 40};
    const Painted plain = painted(it.paint);
    it.paint.lineFrom = 4;
    const Painted lined = painted(it.paint);
    EXPECT_EQ(lined.nodes, plain.nodes);
    for (std::uint32_t row = 0; row < 50; ++row) {
        for (std::uint32_t column = 0; column < 100; ++column) {
            const std::size_t i = row * 100 + column;
            const bool side = column == 60 && row >= 10 && row < 30;
            const bool top = row == 10 && column >= 60;
            EXPECT_EQ(lined.pixels[i] != plain.pixels[i], side || top) << column << ", " << row;
        }
    }
    EXPECT_EQ(plain.pixels[15 * 100 + 60], 0xff70'8090U);
    EXPECT_EQ(lined.pixels[15 * 100 + 60], 0xff54'606cU) << "three quarters";
}

TEST(Icicle, ASurfaceWithoutPixelsIsLeftAlone) {
    const auto image = makeImage(PixelType::u8, 3, 3, [](auto x, auto) { return x; });
    Fixture it(image, TreeKind::max, Connectivity::four, IcicleHeight::level);
    for (const auto& [columns, rows] : {std::pair{0U, 5U}, {5U, 0U}}) {
        it.paint.columns = columns;
        it.paint.rows = rows;
        EXPECT_NO_THROW(paintIcicle(it.paint, {}, {}));
    }
}

TEST(Icicle, StopsWhenItIsAskedTo) {
    const auto image = makeImage(PixelType::u8, 30, 30, [](auto x, auto y) { return x ^ y; });
    Fixture it(image, TreeKind::max, Connectivity::four, IcicleHeight::level);
    std::stop_source stop;
    stop.request_stop();
    it.paint.columns = 10;
    it.paint.rows = 10;
    std::vector<std::uint32_t> out(100);
    EXPECT_THROW(paintIcicle(it.paint, out, out, JobControl(stop.get_token())), Cancelled);
    EXPECT_THROW((void)layOutIcicle(it.tree, IcicleHeight::level, JobControl(stop.get_token())), Cancelled);
}

} // namespace
} // namespace pollard::testing
