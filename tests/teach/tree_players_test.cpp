#include "players/players.hpp"

#include "base/error.hpp"
#include "teach/tree_lab.hpp"

#include <functional>

// Laws of all players that end with a tree.

namespace pollard::teach {
namespace {

using Maker = const PlayerInfo& (*)();

class TreePlayers : public ::testing::TestWithParam<Maker> {
protected:
    [[nodiscard]] const PlayerInfo& player() const { return GetParam()(); }

    /// In both trees and connectivities, with all tiles.
    void expectTrees(const LabImage& image) const {
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
                for (const std::uint32_t side : {2U, 4U, 8U}) {
                    PlayerSpec spec;
                    spec.kind = kind;
                    spec.connectivity = connectivity;
                    spec.tileSide = side;
                    spec.turns = Turns::random;
                    ASSERT_NO_FATAL_FAILURE(testing::expectEngineParents(player(), image, spec));
                }
            }
        }
    }
};

LabImage imageOf(std::uint32_t width, std::uint32_t height,
                 const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& level) {
    LabImage image{width, height, {}};
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            image.levels.push_back(static_cast<std::uint16_t>(level(x, y)));
        }
    }
    return image;
}

TEST_P(TreePlayers, TakeImagesOfEveryShape) {
    for (const std::uint32_t level : {0U, 1U, 65535U}) {
        for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 16U}, {16U, 1U}, {16U, 16U}, {9U, 5U}}) {
            ASSERT_NO_FATAL_FAILURE(expectTrees(imageOf(width, height, [=](auto, auto) { return level; })));
        }
    }
}

TEST_P(TreePlayers, TakeLevelsOfTheWholeRange) {
    // 256 levels from 0 to 65,535: along rows, along a serpentine, scattered
    ASSERT_NO_FATAL_FAILURE(expectTrees(imageOf(16, 16, [](auto x, auto y) { return (y * 16 + x) * 257; })));
    ASSERT_NO_FATAL_FAILURE(
        expectTrees(imageOf(16, 16, [](auto x, auto y) { return (y * 16 + (y % 2 == 0 ? x : 15 - x)) * 257; })));
    ASSERT_NO_FATAL_FAILURE(
        expectTrees(imageOf(16, 16, [](auto x, auto y) { return (y * 16 + x) * 101 % 256 * 257; })));
    ASSERT_NO_FATAL_FAILURE(expectTrees(imageOf(16, 16, [](auto x, auto y) { return (x + y) % 2 * 65535; })));
}

TEST_P(TreePlayers, HaveSomeThousandStepsAtMost) {
    testing::Random random(59);
    for (std::uint32_t range = 2; range <= 65536; range *= 2) {
        PlayerSpec spec;
        spec.tileSide = 2;
        spec.connectivity = Connectivity::eight;
        spec.turns = Turns::random;
        const LabImage noise = imageOf(16, 16, [&](auto, auto) { return random() % range; });
        EXPECT_LT(player().record(noise, spec).steps.size(), 10'000U) << range;
    }
}

TEST_P(TreePlayers, AskForAPixelWhereTheySaySo) {
    testing::Random random(61);
    std::size_t asked = 0;
    for (std::uint32_t i = 0; i < 30; ++i) {
        const Trace trace = player().record(testing::randomLab(random), {});
        for (std::size_t s = 0; s < trace.steps.size(); ++s) {
            if (trace.steps[s].asks) {
                ++asked;
                ASSERT_GT(trace.changesEnd(s), trace.steps[s].firstChange);
                ASSERT_EQ(trace.changes[trace.changesEnd(s) - 1].layer, Layer::parent);
            }
        }
    }
    EXPECT_TRUE(asked > 0 || &player() == &gridSimplificationPlayer());
}

TEST_P(TreePlayers, GiveTheSameTraceForTheSameSpec) {
    testing::Random random(67);
    for (std::uint32_t i = 0; i < 20; ++i) {
        const LabImage image = testing::randomLab(random);
        PlayerSpec spec;
        spec.turns = Turns::random;
        spec.seed = random();
        const Trace one = player().record(image, spec);
        const Trace other = player().record(image, spec);
        ASSERT_EQ(one.changes, other.changes);
        ASSERT_EQ(one.steps.size(), other.steps.size());
    }
}

TEST_P(TreePlayers, RefuseWhatTheyDoNotTake) {
    const LabImage image = imageOf(3, 3, [](auto x, auto) { return x; });
    PlayerSpec spec;
    if (player().asksTiles) {
        spec.tileSide = 3;
        EXPECT_THROW(static_cast<void>(player().record(image, spec)), Error);
        spec.tileSide = 4;
    }
    if (player().asksThreads) {
        spec.threads = 9;
        EXPECT_THROW(static_cast<void>(player().record(image, spec)), Error);
        spec.threads = 1;
        EXPECT_THROW(static_cast<void>(player().record(image, spec)), Error);
        spec.threads = 2;
    }
    EXPECT_NO_THROW(static_cast<void>(player().record(image, spec)));
    EXPECT_THROW(static_cast<void>(player().record(imageOf(17, 1, [](auto, auto) { return 0; }), spec)), Error);
    EXPECT_THROW(static_cast<void>(player().record({}, spec)), Error);
    EXPECT_THROW(static_cast<void>(player().record({2, 2, {1, 2, 3}}, spec)), Error);
}

std::string nameOf(const ::testing::TestParamInfo<Maker>& info) {
    std::string name(info.param().id);
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, TreePlayers,
                         ::testing::Values(&unionFindPlayer, &floodingPlayer, &columnsPlayer, &tilesPlayer,
                                           &borderPlayer, &gridSimplificationPlayer, &boruvkaPlayer, &rimsPlayer),
                         nameOf);

} // namespace
} // namespace pollard::teach
