// Contours that evolve each on its own part of an image.

#include "base/error.hpp"
#include "core/snake/independent_support.hpp"
#include "snake/snake_group.hpp"
#include "snake/snake_job.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

TEST(IndependentSnakes, TakeTheStatesOfASnakeOnThePartAlone) {
    std::size_t states = 0;
    for (std::uint32_t seed = 0; seed < 120 && !::testing::Test::HasFailure(); ++seed) {
        const SnakeJob job = randomIndependentJob(seed, 24);
        IndependentStates found(job.starts.size());
        std::string refusal;
        try {
            found.expectEndsWith(runSnake(job, found.listener()).states, job.spec.lengthPrice);
        } catch (const Error& error) {
            refusal = error.what();
        }
        for (std::size_t i = 0; i < job.starts.size(); ++i) {
            const PixelRegion& part = job.parts[i];
            SnakeJob alone;
            alone.image = makeImage(job.image->type(), part.width, part.height, [&](auto x, auto y) {
                return job.image->level(std::size_t{part.y + y} * job.image->width() + part.x + x);
            });
            const auto maskOf = [&](const std::shared_ptr<const Mask>& mask) -> std::shared_ptr<const Mask> {
                if (!mask) {
                    return nullptr;
                }
                auto own = std::make_shared<Mask>(part.width, part.height, false);
                for (std::uint32_t y = 0; y < part.height; ++y) {
                    for (std::uint32_t x = 0; x < part.width; ++x) {
                        own->set(x, y, mask->test(part.x + x, part.y + y));
                    }
                }
                return own;
            };
            alone.valid = maskOf(job.valid);
            alone.forbidden = maskOf(job.forbidden);
            alone.spec = job.spec;
            const ContourNode corner{static_cast<std::int32_t>(part.x), static_cast<std::int32_t>(part.y)};
            alone.starts.resize(1);
            for (const ContourNode& node : job.starts[i]) {
                alone.starts[0].push_back({node.x - corner.x, node.y - corner.y});
            }
            std::size_t told = 0;
            try {
                static_cast<void>(runSnake(alone, [&](std::size_t, SnakeState state) {
                    for (ContourNode& node : state.nodes) {
                        node = {node.x + corner.x, node.y + corner.y};
                    }
                    if (refusal.empty()) {
                        expectSameState(found.of[i].at(told), state);
                    }
                    ++told;
                    return true;
                }));
            } catch (const Error& error) {
                EXPECT_EQ(refusal, std::string(error.what()) + " (contour " + std::to_string(i + 1) + " of " +
                                       std::to_string(job.starts.size()) + ")");
                break;
            }
            if (refusal.empty()) {
                EXPECT_EQ(told, found.of[i].size());
                states += told;
            }
        }
    }
    EXPECT_GT(states, 1000U);
}

TEST(IndependentSnakes, RefusePartsThatOverlapOrReachBeyondTheImage) {
    SnakeJob job;
    job.image = makeImage(PixelType::u8, 40, 30, [](auto x, auto y) { return x * y % 251; });
    struct Separate {
        PixelRegion part;
        Contour start;
    };
    const auto refusalOf = [&](const std::vector<Separate>& contours) -> std::string {
        job.parts.clear();
        job.starts.clear();
        for (const Separate& contour : contours) {
            job.parts.push_back(contour.part);
            job.starts.push_back(contour.start);
        }
        try {
            static_cast<void>(runSnake(job, {}));
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
            return error.what();
        }
        return {};
    };
    const Separate left{{0, 0, 20, 30}, rectangle(4, 4, 14, 20)};
    const Separate right{{20, 0, 20, 30}, rectangle(24, 4, 34, 20)};
    EXPECT_EQ(refusalOf({left, right}), "");
    EXPECT_EQ(refusalOf({}), "region snake: there is no start");
    EXPECT_EQ(refusalOf({right, left, {{19, 29, 2, 1}, rectangle(24, 4, 34, 20)}}),
              "region snake: the parts of the contours 1 and 3 overlap");
    EXPECT_EQ(refusalOf({left, {{20, 0, 21, 30}, right.start}}),
              "region snake: the part of contour 2 is empty or reaches beyond the image");
    EXPECT_EQ(refusalOf({left, {{20, 0, 0, 30}, right.start}}),
              "region snake: the part of contour 2 is empty or reaches beyond the image");
    EXPECT_EQ(refusalOf({left, {right.part, left.start}}),
              "region snake: the start reaches beyond the image (contour 2 of 2)");
    constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(refusalOf({{right.part, {{kFar, kFar}, {30, 4}, {30, 20}}}}),
              "region snake: the start reaches beyond the image");
    job.forbidden = std::make_shared<const Mask>(30, 40, false);
    EXPECT_EQ(refusalOf({left}), "region snake: the forbidden area is a mask of 30 x 40 px, the image has 40 x 30");
    job.forbidden = nullptr;
    job.valid = std::make_shared<const Mask>(39, 30, true);
    EXPECT_EQ(refusalOf({left}), "region snake: the pixels that count are a mask of 39 x 30 px, the image has 40 x 30");
}

TEST(IndependentSnakes, APartIsTheBoxOfTheStartAndAMarginWithinTheImage) {
    EXPECT_EQ(partAround(rectangle(10, 12, 20, 25), 3, 100, 90), (PixelRegion{7, 9, 16, 19}));
    EXPECT_EQ(partAround(rectangle(1, 2, 99, 88), 4, 100, 90), (PixelRegion{0, 0, 100, 90}));
    EXPECT_EQ(partAround({{-5, 3}, {400, 9}, {7, 20}}, 0, 100, 90), (PixelRegion{0, 3, 100, 17}));
}

TEST(IndependentSnakes, OfSeveralThatCannotStartTheFirstIsTold) {
    SnakeJob job;
    job.image = makeImage(PixelType::u8, 400, 40, [](auto x, auto y) { return (x * 7 + y * y * 13 + x * y) % 251; });
    RowCounts forbidden(Mask(400, 40, false));
    for (std::int32_t i = 0; i < 10; ++i) {
        job.parts.push_back({static_cast<std::uint32_t>(40 * i), 0, 40, 40});
        job.starts.push_back(rectangle(40 * i + 8, 8, 40 * i + 30, 30));
        if (i >= 2) {
            forbidden.fill(job.starts.back(), true);
        }
    }
    job.forbidden = std::make_shared<const Mask>(forbidden.mask());
    for (int i = 0; i < 20; ++i) {
        try {
            static_cast<void>(runSnake(job, {}));
            ADD_FAILURE() << "not refused";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("(contour 3 of "), std::string::npos) << error.what();
        }
    }
}

TEST(IndependentSnakes, DoNotMoveWhenOneCannotStart) {
    SnakeJob job;
    job.image = makeImage(PixelType::u8, 80, 40, [](auto x, auto y) { return (x * 7 + y * y * 13 + x * y) % 251; });
    job.parts = {{0, 0, 40, 40}, {40, 0, 40, 40}};
    job.starts = {rectangle(8, 8, 30, 30), rectangle(48, 8, 70, 30)};
    const auto forbidden = std::make_shared<Mask>(80, 40, false);
    forbidden->set(55, 15, true);
    job.forbidden = forbidden;
    std::size_t told = 0;
    EXPECT_THROW(static_cast<void>(runSnake(job, [&](std::size_t, const SnakeState&) { return ++told > 0; })), Error);
    EXPECT_EQ(told, 0U);
}

TEST(IndependentSnakes, EndWhereTheListenerSays) {
    SnakeJob job;
    job.image = makeImage(PixelType::u8, 80, 40, [](auto x, auto y) { return (x * 7 + y * y * 13 + x * y) % 251; });
    job.spec.minLength = 2;
    job.parts = {{0, 0, 40, 40}, {40, 0, 40, 40}};
    job.starts = {rectangle(8, 8, 30, 30), rectangle(48, 8, 70, 30)};
    for (std::size_t most = 1; most < 9; ++most) {
        IndependentStates told(2);
        std::size_t count = 0;
        const SnakeResult result = runSnake(job, [&](std::size_t snake, const SnakeState& state) {
            told.of[snake].push_back(state);
            return ++count < most;
        });
        EXPECT_EQ(count, most);
        for (std::size_t i = 0; i < 2; ++i) {
            if (!told.of[i].empty()) {
                EXPECT_LE(result.states[i].round - told.of[i].back().round, 1U);
            }
        }
    }
}

TEST(IndependentSnakes, OfAGroupTakeTurnsAndTheSameStates) {
    std::size_t states = 0;
    for (std::uint32_t seed = 0; seed < 120 && !::testing::Test::HasFailure(); ++seed) {
        const SnakeJob job = randomIndependentJob(seed, 24);
        IndependentStates expected(job.starts.size());
        std::string refusal;
        try {
            static_cast<void>(runSnake(job, expected.listener()));
        } catch (const Error& error) {
            refusal = error.what();
        }
        try {
            SnakeGroup group(job);
            ASSERT_EQ(refusal, "");
            ASSERT_EQ(group.size(), job.starts.size());
            IndependentStates found(group.size());
            for (std::size_t i = 0; i < group.size(); ++i) {
                found.of[i].push_back(group.state(i));
            }
            std::size_t previous = group.size() - 1;
            while (group.advance()) {
                // All contours between the last one and this one are finished.
                for (std::size_t i = (previous + 1) % group.size(); i != group.last(); i = (i + 1) % group.size()) {
                    EXPECT_EQ(found.of[i].size(), expected.of[i].size()) << "contour " << i << " was passed over";
                }
                previous = group.last();
                found.of[group.last()].push_back(group.state(group.last()));
                ++states;
            }
            EXPECT_FALSE(group.advance()) << "and stays at its end";
            found.expectSame(expected);
        } catch (const Error& error) {
            EXPECT_EQ(refusal, error.what());
        }
    }
    EXPECT_GT(states, 1000U);
}

TEST(IndependentSnakes, OfAGroupStayWhenTheyAreCancelled) {
    const SnakeJob job = randomIndependentJob(4, 30);
    SnakeGroup group(job);
    std::stop_source stop;
    stop.request_stop();
    const JobControl stopped(stop.get_token());
    EXPECT_THROW(static_cast<void>(group.advance(stopped)), Cancelled);
    SnakeGroup other(job);
    while (other.advance()) {
        ASSERT_TRUE(group.advance());
        ASSERT_EQ(group.last(), other.last());
        expectSameState(group.state(group.last()), other.state(other.last()));
    }
}

TEST(IndependentSnakes, AreCancelled) {
    std::stop_source stop;
    const SnakeJob job = randomIndependentJob(4, 30);
    EXPECT_THROW(
        static_cast<void>(runSnake(
            job, [&](std::size_t, const SnakeState&) { return stop.request_stop(); }, JobControl(stop.get_token()))),
        Cancelled);
}

} // namespace
} // namespace pollard::testing
