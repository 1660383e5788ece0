// The canonical parent image built alone, against the one from the tree.

#include "cpu/tree_builder.hpp"

#include "engine/engine.hpp"
#include "support/engines.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <tbb/task_arena.h>

namespace pollard::testing {
namespace {

class ParentImage : public EveryTree {
protected:
    void expectEqualsTheTree(const std::shared_ptr<Image>& image, int threads = 2) {
        const auto session = build(image);
        const Buffer<std::uint32_t> expected = canonicalParentImage(*session->tree());
        StageTimer timer;
        const Buffer<std::uint32_t> parents =
            tbb::task_arena(threads).execute([&] { return cpu::buildParentImage(*image, spec(), {}, timer); });
        ASSERT_TRUE(std::ranges::equal(parents, expected));
    }
};

TEST_P(ParentImage, OfSmallImagesIsThatOfTheTree) {
    Random random(6);
    for (int repeat = 0; repeat < 400; ++repeat) {
        const std::uint32_t width = 1 + random() % 40;
        const std::uint32_t height = 1 + random() % 40;
        SCOPED_TRACE(::testing::Message() << width << " x " << height << ", repeat " << repeat);
        ASSERT_NO_FATAL_FAILURE(expectEqualsTheTree(randomImage(random, width, height)));
    }
}

TEST_P(ParentImage, OfManyTilesIsThatOfTheTree) {
    Random random(7);
    for (int repeat = 0; repeat < 24; ++repeat) {
        const std::uint32_t width = 1 + random() % 400;
        const std::uint32_t height = 1 + random() % 400;
        SCOPED_TRACE(::testing::Message() << width << " x " << height << ", repeat " << repeat);
        ASSERT_NO_FATAL_FAILURE(expectEqualsTheTree(randomImage(random, width, height), 1 + repeat % 4));
    }
}

TEST_P(ParentImage, OfBranchesAcrossManyTilesIsThatOfTheTree) {
    // Waves with little noise: islands in the tiles, and long branches across many tiles.
    Random random(8);
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const std::uint32_t scale = type == PixelType::u8 ? 256 : 1;
        const auto image = makeImage(
            type, 700, 500, [&](auto x, auto y) { return ((x * 37 + y * 11) % 4096 * 15 + random() % 3000) / scale; });
        ASSERT_NO_FATAL_FAILURE(expectEqualsTheTree(image, 4));
    }
}

TEST_P(ParentImage, IsTimedByTheSession) {
    Random random(9);
    const auto session = build(randomImage(random, 100, 90));
    const auto tree = session->tree();
    std::string names;
    for (const StageTime& stage : dynamic_cast<TimedParts&>(*session).timeParentImage(spec())) {
        names += stage.name + ' ';
    }
    EXPECT_EQ(names, "tiles seams nodes flatten ");
    EXPECT_EQ(session->tree(), tree) << "the session keeps its tree";
    TreeSpec unknown = spec();
    unknown.algorithm = "none";
    EXPECT_THROW((void)dynamic_cast<TimedParts&>(*session).timeParentImage(unknown), Error);
}

TEST_P(ParentImage, StopsWhenAsked) {
    Random random(10);
    const auto session = build(randomImage(random, 100, 90));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)dynamic_cast<TimedParts&>(*session).timeParentImage(spec(), JobControl(stop.get_token())),
                 Cancelled);
}

POLLARD_FOR_EVERY_TREE(ParentImage);

} // namespace
} // namespace pollard::testing
