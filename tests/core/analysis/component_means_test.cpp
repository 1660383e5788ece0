// Means over components against sums over the pixels of each component.

#include "analysis/column_summary.hpp"
#include "base/error.hpp"
#include "support/engines.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::testing {
namespace {

class ComponentMeansOfTrees : public EveryTree {};

/// The smallest kept component around a pixel.
std::uint32_t keptNode(const ComponentTree& tree, std::size_t pixel, const std::vector<std::uint8_t>& keep) {
    std::uint32_t node = tree.pixelNode[pixel];
    while (node != 0 && keep[node] == 0) {
        node = tree.parent[node];
    }
    return node;
}

TEST_P(ComponentMeansOfTrees, AreSumsOverPixelsByTheirNumber) {
    Random random(5);
    for (int number = 0; number < 12; ++number) {
        const auto image = randomImage(random, 23, 17);
        const auto other = randomImage(random, 23, 17);
        const std::shared_ptr<const ComponentTree> tree = build(image)->tree();
        Mask valid(23, 17, true);
        for (std::uint32_t i = 0; number % 2 == 1 && i < 100; ++i) {
            valid.set(random() % 23, random() % 17, false);
        }
        const ComponentMeans means(tree, *other, number % 2 == 1 ? &valid : nullptr);
        for (int round = 0; round < 5; ++round) {
            std::vector<std::uint8_t> keep(tree->nodeCount());
            for (std::uint8_t& each : keep) {
                each = random() % 3 == 0 ? 1 : 0;
            }
            Image out(other->type(), 23, 17);
            means.paint(keep, out);
            for (std::size_t p = 0; p < out.pixelCount(); ++p) {
                const std::uint32_t node = keptNode(*tree, p, keep);
                std::uint64_t sum = 0;
                std::uint64_t count = 0;
                for (std::size_t q = 0; q < out.pixelCount(); ++q) {
                    const std::uint32_t at = tree->pixelNode[q];
                    const bool counts =
                        valid.test(static_cast<std::uint32_t>(q % 23), static_cast<std::uint32_t>(q / 23));
                    if (counts && at >= node && at < tree->subtreeEnd[node]) {
                        sum += other->level(q);
                        ++count;
                    }
                }
                ASSERT_EQ(out.level(p), count == 0 ? 0 : (2 * sum + count) / (2 * count)) << p;
            }
        }
    }
}

TEST_P(ComponentMeansOfTrees, OfAllNodesKeepTheMeanOfTheImage) {
    Random random(6);
    const auto image = randomImage(random, 31, 19);
    const std::shared_ptr<const ComponentTree> tree = build(image)->tree();
    const ComponentMeans means(tree, *image);
    Image out(image->type(), 31, 19);
    means.paint(std::vector<std::uint8_t>(tree->nodeCount(), 0), out);
    for (std::size_t p = 1; p < out.pixelCount(); ++p) {
        ASSERT_EQ(out.level(p), out.level(0)) << "the root has all pixels";
    }
}

TEST_P(ComponentMeansOfTrees, RefuseOtherSizes) {
    const auto image = makeImage(PixelType::u8, 4, 2, [](auto x, auto y) { return 3 * x + y; });
    const std::shared_ptr<const ComponentTree> tree = build(image)->tree();
    EXPECT_THROW(ComponentMeans(tree, Image(PixelType::u8, 2, 4)), Error);
    const Mask turned(2, 4, true);
    EXPECT_THROW(ComponentMeans(tree, *image, &turned), Error);
    const ComponentMeans means(tree, *image);
    const std::vector<std::uint8_t> keep(tree->nodeCount(), 1);
    Image small(PixelType::u8, 2, 4);
    EXPECT_THROW(means.paint(keep, small), Error);
    Image wide(PixelType::u16, 4, 2);
    EXPECT_THROW(means.paint(keep, wide), Error);
    Image right(PixelType::u8, 4, 2);
    EXPECT_THROW(means.paint(std::span(keep).first(keep.size() - 1), right), Error);
}

POLLARD_FOR_EVERY_TREE(ComponentMeansOfTrees);

} // namespace
} // namespace pollard::testing
