#include "snake/apart_snakes.hpp"

#include "base/error.hpp"
#include "core/apart_support.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stop_token>
#include <string>

namespace pollard::testing {
namespace {

TEST(ApartSnakes, TakeTheStatesOfASnakeOnThePartAlone) {
    std::size_t states = 0;
    for (std::uint32_t seed = 0; seed < 120 && !::testing::Test::HasFailure(); ++seed) {
        const ApartSnakesJob job = randomApartJob(seed, 24);
        ApartStates found(job.snakes.size());
        std::string refusal;
        try {
            found.expectEndsWith(runApartSnakes(job, found.listener()).states);
        } catch (const Error& error) {
            refusal = error.what();
        }
        for (std::size_t i = 0; i < job.snakes.size(); ++i) {
            const PixelRegion& part = job.snakes[i].part;
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
            for (const ContourNode& node : job.snakes[i].start) {
                alone.start.push_back({node.x - corner.x, node.y - corner.y});
            }
            std::size_t told = 0;
            try {
                static_cast<void>(runSnake(alone, [&](SnakeState state) {
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
                                       std::to_string(job.snakes.size()) + ")");
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

TEST(ApartSnakes, RefusePartsThatOverlapOrReachBeyondTheImage) {
    ApartSnakesJob job;
    job.image = makeImage(PixelType::u8, 40, 30, [](auto x, auto y) { return x * y % 251; });
    const auto refusalOf = [&](std::vector<ApartSnake> snakes) -> std::string {
        job.snakes = std::move(snakes);
        try {
            static_cast<void>(runApartSnakes(job, {}));
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
            return error.what();
        }
        return {};
    };
    const ApartSnake left{{0, 0, 20, 30}, rectangle(4, 4, 14, 20)};
    const ApartSnake right{{20, 0, 20, 30}, rectangle(24, 4, 34, 20)};
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
              "region snake: the start reaches beyond the image (contour 1 of 1)");
    job.forbidden = std::make_shared<const Mask>(30, 40, false);
    EXPECT_EQ(refusalOf({left}), "region snake: the forbidden area is a mask of 30 x 40 px, the image has 40 x 30");
    job.forbidden = nullptr;
    job.valid = std::make_shared<const Mask>(39, 30, true);
    EXPECT_EQ(refusalOf({left}), "region snake: the pixels that count are a mask of 39 x 30 px, the image has 40 x 30");
}

TEST(ApartSnakes, APartIsTheBoxOfTheStartAndAMarginWithinTheImage) {
    EXPECT_EQ(partAround(rectangle(10, 12, 20, 25), 3, 100, 90), (PixelRegion{7, 9, 16, 19}));
    EXPECT_EQ(partAround(rectangle(1, 2, 99, 88), 4, 100, 90), (PixelRegion{0, 0, 100, 90}));
    EXPECT_EQ(partAround({{-5, 3}, {400, 9}, {7, 20}}, 0, 100, 90), (PixelRegion{0, 3, 100, 17}));
}

TEST(ApartSnakes, AreCancelled) {
    std::stop_source stop;
    const ApartSnakesJob job = randomApartJob(4, 30);
    EXPECT_THROW(static_cast<void>(runApartSnakes(
                     job, [&](std::size_t, const SnakeState&) { stop.request_stop(); }, JobControl(stop.get_token()))),
                 Cancelled);
}

} // namespace
} // namespace pollard::testing
