#include "learn/mask_nodes.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "support/random_images.hpp"
#include "support/random_trees.hpp"
#include "support/random_volumes.hpp"
#include "tree/component_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace pollard::testing {
namespace {

Mask maskOf(const ComponentTree& tree, const std::vector<bool>& pixels) {
    const Extent extent = tree.extent();
    Mask mask(extent.width, extent.height * extent.slices, false);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        mask.set(static_cast<std::uint32_t>(i % extent.width), static_cast<std::uint32_t>(i / extent.width), pixels[i]);
    }
    return mask;
}

/// The pixels of nodes.
std::vector<bool> pixelsIn(const ComponentTree& tree, const std::vector<std::uint32_t>& nodes) {
    std::vector<bool> pixels(tree.pixelCount());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = std::ranges::any_of(nodes, [&](auto node) { return tree.contains(node, tree.pixelNode[i]); });
    }
    return pixels;
}

/// Pixels of one set alone.
std::uint64_t differenceOf(const std::vector<bool>& set, const std::vector<bool>& other) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
        count += set[i] && !other[i] ? 1 : 0;
    }
    return count;
}

/// The least sum of pixels outside and missed, over all sets of nodes.
std::uint64_t leastWrong(const ComponentTree& tree, const std::vector<bool>& mask) {
    std::uint64_t least = mask.size();
    for (std::uint32_t set = 0; set < 1U << tree.nodeCount(); ++set) {
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
            if ((set >> node & 1U) != 0) {
                nodes.push_back(node);
            }
        }
        const std::vector<bool> pixels = pixelsIn(tree, nodes);
        least = std::min(least, differenceOf(pixels, mask) + differenceOf(mask, pixels));
    }
    return least;
}

TEST(MaskNodes, AreTheBestOfAllSets) {
    Random random(4);
    int several = 0;
    for (int round = 0; round < 1000; ++round) {
        const std::uint32_t width = 1 + random() % 5;
        const std::uint32_t height = 1 + random() % 3;
        const TreeKind kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        const auto tree = treeOf(makeImage(PixelType::u8, width, height, [&](auto, auto) { return random() % 4; }),
                                 kind, Connectivity::four);
        if (tree->nodeCount() > 9) {
            continue;
        }
        std::vector<bool> mask(tree->pixelCount());
        for (std::size_t i = 0; i < mask.size(); ++i) {
            mask[i] = random() % 2 == 0;
        }
        const MaskNodes found = nodesOfMask(*tree, maskOf(*tree, mask));
        const std::vector<bool> pixels = pixelsIn(*tree, found.nodes);
        ASSERT_EQ(found.outside, differenceOf(pixels, mask)) << "round " << round;
        ASSERT_EQ(found.missed, differenceOf(mask, pixels)) << "round " << round;
        ASSERT_EQ(found.pixels, std::ranges::count(pixels, true)) << "round " << round;
        ASSERT_EQ(found.outside + found.missed, leastWrong(*tree, mask)) << "round " << round;
        ASSERT_TRUE(std::ranges::is_sorted(found.nodes));
        for (std::size_t i = 0; i + 1 < found.nodes.size(); ++i) {
            ASSERT_FALSE(tree->contains(found.nodes[i], found.nodes[i + 1])) << "round " << round;
        }
        several += found.nodes.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(several, 20);
}

TEST(MaskNodes, OfNodesAreThese) {
    Random random(9);
    for (int round = 0; round < 40; ++round) {
        const bool isVolume = round % 2 == 0;
        const auto tree = isVolume ? treeOf(randomVolume(random, {7, 6, 5}), TreeKind::max, Connectivity::six)
                                   : treeOf(randomImage(random, 40, 30), TreeKind::max, Connectivity::eight);
        std::vector<std::uint32_t> nodes;
        for (auto node = static_cast<std::uint32_t>(random() % tree->nodeCount()); node < tree->nodeCount();
             node = tree->subtreeEnd[node] + random() % 5) {
            nodes.push_back(node);
        }
        const std::vector<bool> pixels = pixelsIn(*tree, nodes);
        const MaskNodes found = nodesOfMask(*tree, maskOf(*tree, pixels));
        EXPECT_EQ(found.outside, 0U);
        EXPECT_EQ(found.missed, 0U);
        EXPECT_EQ(pixelsIn(*tree, found.nodes), pixels);
    }
}

TEST(MaskNodes, OfEmptyAndFullMasks) {
    const auto tree = treeOf(makeImage(PixelType::u8, 200, 1, [](auto x, auto) { return x; }), // of 200 nested nodes
                             TreeKind::max, Connectivity::four);
    EXPECT_EQ(nodesOfMask(*tree, Mask(200, 1, false)), MaskNodes{});
    const MaskNodes all = nodesOfMask(*tree, Mask(200, 1, true));
    EXPECT_EQ(all.nodes, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(all.pixels, 200U);
    EXPECT_THROW((void)nodesOfMask(*tree, Mask(199, 1, true)), Error);
    EXPECT_THROW((void)nodesOfMask(*tree, Mask(200, 2, true)), Error);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW((void)nodesOfMask(*tree, Mask(200, 1, true), JobControl(source.get_token())), Cancelled);
}

} // namespace
} // namespace pollard::testing
