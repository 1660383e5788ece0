// The sequential algorithms of textbooks, bit for bit against the engine's tree.
#include "cpu/cpu_engine.hpp"
#include "support/engines.hpp"
#include "support/peak_memory.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>

namespace pollard::testing {
namespace {

class TextbookTrees : public EveryTree {
protected:
    void expectSameTree(const std::shared_ptr<Image>& image) {
        const auto expected = build(image)->tree();
        for (const char* algorithm : {"union-find", "flooding"}) {
            SCOPED_TRACE(algorithm);
            const auto session = registry_.select("cpu").openSession();
            session->open(image);
            TreeSpec wanted = spec();
            wanted.algorithm = algorithm;
            const TreeReport report = session->buildTree(wanted);
            const auto tree = session->tree();
            EXPECT_EQ(report.algorithm, algorithm);
            EXPECT_EQ(tree->kind, expected->kind);
            EXPECT_EQ(tree->connectivity, expected->connectivity);
            EXPECT_EQ(tree->pixelType, expected->pixelType);
            EXPECT_EQ(tree->leafCount, expected->leafCount);
            EXPECT_EQ(tree->depth, expected->depth);
            ASSERT_TRUE(std::ranges::equal(tree->parent, expected->parent));
            ASSERT_TRUE(std::ranges::equal(tree->level, expected->level));
            ASSERT_TRUE(std::ranges::equal(tree->canonical, expected->canonical));
            ASSERT_TRUE(std::ranges::equal(tree->subtreeEnd, expected->subtreeEnd));
            ASSERT_TRUE(std::ranges::equal(tree->pixelNode, expected->pixelNode));
        }
    }
};

TEST_P(TextbookTrees, OfSmallImagesAreThatOfTheEngine) {
    Random random(11);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const std::uint32_t width = 1 + random() % 40;
        const std::uint32_t height = 1 + random() % 40;
        SCOPED_TRACE(::testing::Message() << width << " x " << height << ", repeat " << repeat);
        ASSERT_NO_FATAL_FAILURE(expectSameTree(randomImage(random, width, height)));
    }
}

TEST_P(TextbookTrees, OfSpecialImagesAreThatOfTheEngine) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const std::uint32_t most = maxLevelOf(type);
        ASSERT_NO_FATAL_FAILURE(expectSameTree(makeImage(type, 1, 1, [&](auto, auto) { return most; })));
        ASSERT_NO_FATAL_FAILURE(expectSameTree(makeImage(type, 60, 1, [](auto x, auto) { return x * 4; })));
        ASSERT_NO_FATAL_FAILURE(expectSameTree(makeImage(type, 1, 60, [](auto, auto y) { return 250 - y * 4; })));
        ASSERT_NO_FATAL_FAILURE(expectSameTree(makeImage(type, 50, 40, [](auto, auto) { return 7U; })));
        ASSERT_NO_FATAL_FAILURE(
            expectSameTree(makeImage(type, 50, 40, [&](auto x, auto y) { return (x + y) % 2 * most; })));
        ASSERT_NO_FATAL_FAILURE(
            expectSameTree(makeImage(type, 300, 200, [&](auto x, auto y) { return (x * 37 + y * 11) % 256; })));
    }
}

TEST_P(TextbookTrees, OfManyComponentsInOneAreThatOfTheEngine) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        // Dots in tiles and at their borders, all in the component of the background, on threads that share it.
        ASSERT_NO_FATAL_FAILURE(expectSameTree(makeImage(type, 701, 601, [&](auto x, auto y) {
            return 100 + (x % 2 * (y % 2) * (1 + (x / 2 * 7 + y / 2 * 13) % 101));
        })));
        Random random(12);
        ASSERT_NO_FATAL_FAILURE(expectSameTree(makeImage(type, 600, 500, [&](auto, auto) { return random(); })));
    }
}

TEST_P(TextbookTrees, EndWhenTheyAreStopped) {
    for (const char* algorithm : {"union-find", "flooding"}) {
        std::stop_source stop;
        stop.request_stop();
        const auto session = registry_.select("cpu").openSession();
        session->open(makeImage(PixelType::u8, 50, 40, [](auto x, auto) { return x; }));
        TreeSpec wanted = spec();
        wanted.algorithm = algorithm;
        EXPECT_THROW((void)session->buildTree(wanted, JobControl(stop.get_token())), Cancelled);
        EXPECT_EQ(session->tree(), nullptr);
    }
}

TEST(TextbookMemory, IsAtMostThatOfTheAlgorithmsRow) {
    const std::unique_ptr<Engine> engine = makeCpuEngine();
    Random random(5);
    const auto noise = makeImage(PixelType::u16, 1200, 1000, [&](auto, auto) { return random() % 65536; });
    const auto flat = makeImage(PixelType::u16, 1200, 1000, [](auto, auto) { return 7U; });
    for (const AlgorithmInfo& row : engine->algorithms()) {
        if (row.treeBytes == 0) {
            continue;
        }
        for (const auto& image : {flat, noise}) {
            const PeakMemory memory;
            if (!memory.isKnown()) {
                GTEST_SKIP() << "this system does not reset the peak of a process's memory";
            }
            const auto session = engine->openSession();
            session->open(image);
            TreeSpec wanted;
            wanted.algorithm = row.name;
            (void)session->buildTree(wanted);
            EXPECT_LE(memory.bytes(), row.treeBytes * image->pixelCount() + (2U << 20U)) << row.name;
        }
    }
}

POLLARD_FOR_EVERY_TREE(TextbookTrees);

} // namespace
} // namespace pollard::testing
