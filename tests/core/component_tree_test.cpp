// The tree against its definition, for every engine, both kinds and both connectivities.

#include "support/affordable.hpp"
#include "support/engines.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace pollard::testing {
namespace {

class ComponentTreeOf : public EveryTree {
protected:
    void expectEqualsDefinition(const std::shared_ptr<Image>& image) {
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto nodes = naiveTree(*image, spec().kind, spec().connectivity);
        ASSERT_EQ(tree.nodeCount(), nodes.size());
        std::map<std::uint32_t, std::size_t> byCanonical;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            byCanonical[nodes[n].canonical] = n;
        }
        std::vector<std::uint32_t> lastChild(nodes.size(), 0);
        std::uint32_t leaves = 0;
        for (std::uint32_t n = 0; n < tree.nodeCount(); ++n) {
            ASSERT_TRUE(byCanonical.contains(tree.canonical[n]));
            const NaiveNode& expected = nodes[byCanonical[tree.canonical[n]]];
            ASSERT_EQ(tree.level[n], expected.level);
            const std::uint32_t parent = tree.parent[n];
            ASSERT_EQ(tree.canonical[parent], nodes[expected.parent].canonical);
            std::uint32_t support = 0;
            for (const std::uint32_t node : tree.pixelNode) {
                support += tree.contains(n, node) ? 1 : 0;
            }
            ASSERT_EQ(support, expected.support.size());
            leaves += tree.subtreeEnd[n] == n + 1 ? 1 : 0;
            if (n == 0) {
                ASSERT_EQ(parent, 0U);
                continue;
            }
            ASSERT_LT(parent, n);
            // Siblings follow each other in the order of their canonical pixels.
            ASSERT_TRUE(lastChild[parent] == 0 || tree.canonical[n] > tree.canonical[lastChild[parent]]);
            lastChild[parent] = n;
        }
        ASSERT_EQ(tree.leafCount, leaves);
    }
};

TEST_P(ComponentTreeOf, EverySmallSizeEqualsTheDefinition) {
    Random random(1);
    for (std::uint32_t height = 1; height <= 13; ++height) {
        for (std::uint32_t width = 1; width <= 17; ++width) {
            for (int repeat = 0; repeat < 5; ++repeat) {
                SCOPED_TRACE(::testing::Message() << width << " x " << height << ", repeat " << repeat);
                ASSERT_NO_FATAL_FAILURE(expectEqualsDefinition(randomImage(random, width, height)));
            }
        }
    }
}

TEST_P(ComponentTreeOf, ImagesOfSeveralTilesEqualTheDefinition) {
    Random random(2);
    constexpr std::uint32_t kSides[] = {1, 2, 63, 64, 65, 127, 129, 131};
    for (int repeat = 0; repeat < repeats(24); ++repeat) {
        const std::uint32_t width = kSides[random() % 8];
        const std::uint32_t height = kSides[random() % 8];
        // Few levels, so that the naive tree is fast and components cross many seams.
        const std::uint32_t levels = 2 + random() % 12;
        const auto image = makeImage(PixelType::u16, width, height,
                                     [&](auto, auto) { return static_cast<std::uint32_t>(random() % levels * 5000); });
        SCOPED_TRACE(::testing::Message() << width << " x " << height << ", repeat " << repeat);
        ASSERT_NO_FATAL_FAILURE(expectEqualsDefinition(image));
    }
}

TEST_P(ComponentTreeOf, CornerDiagonalsBetweenFourTilesAreSeen) {
    // Two bright pixels that touch only across the point where four tiles meet.
    for (const bool falling : {false, true}) {
        const auto image = makeImage(PixelType::u8, 128, 128, [&](auto x, auto y) {
            const bool first = x == (falling ? 63U : 64U) && y == 63;
            const bool second = x == (falling ? 64U : 63U) && y == 64;
            return first || second ? 9U : 3U;
        });
        if (spec().kind == TreeKind::max) {
            EXPECT_EQ(build(image)->tree()->nodeCount(), spec().connectivity == Connectivity::eight ? 2U : 3U);
        } else {
            EXPECT_EQ(build(image)->tree()->nodeCount(), 2U);
        }
    }
}

TEST_P(ComponentTreeOf, CanonicalParentImageFollowsTheNodes) {
    Random random(3);
    for (int repeat = 0; repeat < repeats(50); ++repeat) {
        const auto image = randomImage(random, 1 + random() % 40, 1 + random() % 40);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto parent = canonicalParentImage(tree);
        std::size_t roots = 0;
        for (std::uint32_t p = 0; p < parent.size(); ++p) {
            const std::uint32_t own = tree.canonical[tree.pixelNode[p]];
            if (p != own) {
                ASSERT_EQ(parent[p], own);
                ASSERT_LT(p, own) << "the canonical pixel is the last of its node";
            } else if (parent[p] == p) {
                ++roots;
                ASSERT_EQ(tree.pixelNode[p], 0U);
            } else {
                ASSERT_EQ(tree.pixelNode[parent[p]], tree.parent[tree.pixelNode[p]]);
                ASSERT_NE(image->level(parent[p]), image->level(p));
            }
        }
        ASSERT_EQ(roots, 1U);
    }
}

TEST_P(ComponentTreeOf, ResultDoesNotDependOnThreads) {
    Random random(4);
    const auto image = makeImage(PixelType::u16, 700, 500, [&](auto x, auto y) {
        return static_cast<std::uint32_t>((x * 37 + y * 11) % 4096 + random() % 64);
    });
    const auto first = build(image, 1);
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto other = build(image, 4);
        const ComponentTree& a = *first->tree();
        const ComponentTree& b = *other->tree();
        const auto equal = [](const auto& x, const auto& y) {
            return std::equal(x.begin(), x.end(), y.begin(), y.end());
        };
        EXPECT_TRUE(equal(a.parent, b.parent));
        EXPECT_TRUE(equal(a.level, b.level));
        EXPECT_TRUE(equal(a.canonical, b.canonical));
        EXPECT_TRUE(equal(a.subtreeEnd, b.subtreeEnd));
        EXPECT_TRUE(equal(a.pixelNode, b.pixelNode));
        EXPECT_EQ(a.depth, b.depth);
    }
}

TEST_P(ComponentTreeOf, MinTreeIsTheMaxTreeOfTheInvertedImage) {
    Random random(5);
    for (int repeat = 0; repeat < repeats(20); ++repeat) {
        const auto image = randomImage(random, 1 + random() % 90, 1 + random() % 90);
        const std::uint16_t top = maxLevelOf(image->type());
        const auto inverted = makeImage(image->type(), image->width(), image->height(), [&](auto x, auto y) {
            return static_cast<std::uint32_t>(top - image->level(std::size_t{y} * image->width() + x));
        });
        const auto session = build(image);
        auto dual = registry_.select(std::get<std::string>(GetParam())).openSession();
        dual->open(inverted);
        TreeSpec dualSpec = spec();
        dualSpec.kind = spec().kind == TreeKind::max ? TreeKind::min : TreeKind::max;
        dual->buildTree(dualSpec);
        const ComponentTree& a = *session->tree();
        const ComponentTree& b = *dual->tree();
        ASSERT_EQ(a.nodeCount(), b.nodeCount());
        for (std::size_t n = 0; n < a.nodeCount(); ++n) {
            ASSERT_EQ(a.parent[n], b.parent[n]);
            ASSERT_EQ(a.canonical[n], b.canonical[n]);
            ASSERT_EQ(a.level[n], top - b.level[n]);
        }
    }
}

POLLARD_FOR_EVERY_TREE(ComponentTreeOf);

} // namespace
} // namespace pollard::testing
