#include "trace/trace.hpp"

#include "player/player.hpp"
#include "teach/tree_lab.hpp"

#include <gtest/gtest.h>

namespace pollard::teach {
namespace {

TEST(Traces, SteppingBackUndoesWhatSteppingForwardDid) {
    testing::Random random(5);
    for (const PlayerInfo& player : players()) {
        const LabImage image = testing::randomLab(random);
        const auto trace = std::make_shared<const Trace>(player.record(image, {}));
        ASSERT_FALSE(trace->steps.empty()) << player.id;
        TraceCursor cursor(trace);
        std::vector<std::array<std::vector<std::int64_t>, kLayers>> seen;
        const auto layersNow = [&] {
            std::array<std::vector<std::int64_t>, kLayers> layers;
            for (std::size_t l = 0; l < kLayers; ++l) {
                layers[l] = cursor.layer(static_cast<Layer>(l));
            }
            return layers;
        };
        for (std::size_t step = 0; step <= trace->steps.size(); ++step) {
            cursor.moveTo(step);
            seen.push_back(layersNow());
        }
        for (std::size_t step = trace->steps.size() + 1; step-- > 0;) {
            cursor.moveTo(step);
            ASSERT_EQ(layersNow(), seen[step]) << player.id << " before step " << step;
        }
        cursor.moveTo(trace->steps.size() + 10);
        EXPECT_TRUE(cursor.atEnd());
        EXPECT_EQ(layersNow(), seen.back());
    }
}

TEST(Traces, EveryStepNamesALineOfItsPlayer) {
    testing::Random random(6);
    for (const PlayerInfo& player : players()) {
        const Trace trace = player.record(testing::randomLab(random), {});
        for (const Step& step : trace.steps) {
            ASSERT_LT(step.text->line, static_cast<int>(player.lines.size()))
                << player.id << ": " << step.text->caption;
            ASSERT_GE(step.text->line, -1);
            const std::string caption = step.text->caption;
            for (std::size_t v = 0; v < step.values.size(); ++v) {
                const bool shown = caption.find("%" + std::to_string(v + 1)) != std::string::npos;
                ASSERT_TRUE(shown || step.values[v] == Value{}) << player.id << ": " << caption;
            }
        }
    }
}

TEST(Traces, DependOnTheOrderOfThreadsWhereTheyAskForIt) {
    const LabImage rows{16, 4, std::vector<std::uint16_t>(64, 200)};
    for (const PlayerInfo& player : players()) {
        if (!player.asksTurns) {
            continue;
        }
        PlayerSpec spec;
        const auto changesOf = [&] { return player.record(rows, spec).changes; };
        const auto inOrder = changesOf();
        spec.turns = Turns::byHand;
        EXPECT_EQ(changesOf(), inOrder) << player.id;
        spec.turns = Turns::random;
        bool differs = false;
        for (spec.seed = 1; spec.seed < 20; ++spec.seed) {
            const auto drawn = changesOf();
            EXPECT_EQ(changesOf(), drawn) << player.id << ", seed " << spec.seed;
            differs |= drawn != inOrder;
        }
        EXPECT_TRUE(differs) << player.id;
    }
}

TEST(Traces, PlayersAreFoundByTheirNames) {
    for (const PlayerInfo& player : players()) {
        EXPECT_EQ(findPlayer(player.id), &player);
        EXPECT_NE(player.record, nullptr);
    }
    EXPECT_EQ(findPlayer("no such player"), nullptr);
}

} // namespace
} // namespace pollard::teach
