// Ignored pixels: pixels without data, and pixels that a contour may not contain.

#include "base/error.hpp"
#include "core/snake/snake_support.hpp"
#include "snake/contour/contour_rows.hpp"
#include "support/affordable.hpp"

#include <gmock/gmock.h>

namespace pollard::testing {
namespace {

std::int64_t setInside(const Mask& mask, const Contour& contour) {
    std::int64_t sum = 0;
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        for (std::uint32_t x = 0; x < mask.width(); ++x) {
            sum += mask.test(x, y) ? windingNumber(contour, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y))
                                   : 0;
        }
    }
    return sum;
}

/// @p inside in the pixels of @p mask, @p outside elsewhere.
std::shared_ptr<const Image> imageOf(std::uint32_t width, std::uint32_t height, const Mask& mask, std::uint32_t inside,
                                     std::uint32_t outside) {
    return makeImage(PixelType::u8, width, height, [&](auto x, auto y) { return mask.test(x, y) ? inside : outside; });
}

TEST(RowCounts, InsideARandomPolygonEqualTheNumbersByWindingNumbers) {
    Random random(301);
    for (int repeat = 0; repeat < repeats(300); ++repeat) {
        const std::uint32_t width = repeat % 4 == 0 ? 64 * (1 + random() % 3) : 1 + random() % 150;
        const auto image = makeImage(PixelType::u8, width, 1 + random() % 30, [](auto, auto) { return 0; });
        const RowCounts counts(randomMask(random, width, image->height(), 1 + random() % 4));
        Contour contour(3 + random() % 6);
        std::ranges::generate(contour, [&] { return randomNode(random, *image); });
        EXPECT_EQ(counts.inside(contour), setInside(counts.mask(), contour));
    }
}

TEST(RowCounts, FillWhatIsInsideAContour) {
    Random random(302);
    for (int repeat = 0; repeat < repeats(100); ++repeat) {
        const auto image =
            makeImage(PixelType::u8, 1 + random() % 150, 1 + random() % 30, [](auto, auto) { return 0; });
        RowCounts counts(randomMask(random, image->width(), image->height(), 2));
        Mask wanted = counts.mask();
        for (int fills = 0; fills < 3; ++fills) {
            const bool value = random() % 2 == 0;
            Contour contour(3 + random() % 6);
            std::ranges::generate(contour, [&] { return randomNode(random, *image); });
            counts.fill(contour, value);
            for (std::uint32_t y = 0; y < image->height(); ++y) {
                for (std::uint32_t x = 0; x < image->width(); ++x) {
                    if (windingNumber(contour, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)) % 2 != 0) {
                        wanted.set(x, y, value);
                    }
                }
            }
        }
        EXPECT_EQ(counts.mask(), wanted);
        EXPECT_EQ(counts.inside(rectangle(0, 0, static_cast<std::int32_t>(image->width()),
                                          static_cast<std::int32_t>(image->height()))),
                  wanted.count());
        const Contour probe{randomNode(random, *image), randomNode(random, *image), randomNode(random, *image)};
        EXPECT_EQ(counts.inside(probe), setInside(wanted, probe));
    }
}

TEST(RowSums, LeaveOutPixelsWithoutData) {
    Random random(303);
    for (int repeat = 0; repeat < repeats(300); ++repeat) {
        const auto image = randomImage(random, 1 + random() % 80, 1 + random() % 40);
        const Mask valid = randomMask(random, image->width(), image->height(), 1 + random() % 4);
        const RowSums sums(image, &valid);
        Contour contour(3 + random() % 6);
        std::ranges::generate(contour, [&] { return randomNode(random, *image); });
        EXPECT_EQ(sums.inside(contour), naiveInside(*image, contour, &valid));
        const Contour border =
            rectangle(0, 0, static_cast<std::int32_t>(image->width()), static_cast<std::int32_t>(image->height()));
        EXPECT_EQ(sums.total(), naiveInside(*image, border, &valid));
        EXPECT_EQ(&sums.image(), image.get());
    }
    const auto image = randomImage(random, 20, 10);
    const Mask other(20, 11, true);
    EXPECT_THROW(RowSums(image, &other), Error);
    const Mask all(20, 10, true);
    EXPECT_EQ(RowSums(image, &all).total(), RowSums(image).total());
}

TEST(SnakeAreas, EveryMoveLeavesOutWhatTakesNoPart) {
    Random random(304);
    int moves = 0;
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto image = randomImage(random, 30 + random() % 40, 30 + random() % 40);
        Mask valid = randomMask(random, image->width(), image->height(), 3);
        Mask forbidden(image->width(), image->height(), false);
        SnakeSpec spec;
        spec.law = kRegionLaws[random() % kRegionLaws.size()];
        spec.moves = kSnakeMoves[random() % kSnakeMoves.size()];
        spec.minLength = 2 + random() % 8;
        spec.maxRounds = 150;
        const Contour start = randomStart(random, *image, 200);
        for (int spots = 0; spots < 12; ++spots) {
            const std::uint32_t x = random() % image->width();
            const std::uint32_t y = random() % image->height();
            const bool inside = windingNumber(start, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)) != 0;
            forbidden.set(x, y, !inside);
        }
        SnakeRun run(std::make_shared<const RowSums>(image, &valid), start, spec,
                     std::make_shared<const RowCounts>(forbidden));
        double before = run.state().energy;
        while (run.advance()) {
            const SnakeState& state = run.state();
            ASSERT_TRUE(isSimple(state.nodes));
            ASSERT_EQ(setInside(forbidden, state.nodes), 0);
            ASSERT_EQ(state.inside, naiveInside(*image, state.nodes, &valid));
            const double wanted = naiveEnergy(*image, state.nodes, spec.law, &valid);
            ASSERT_NEAR(state.energy, wanted, 1e-9 * std::max(1.0, std::abs(wanted)));
            if (state.kind == SnakeStep::move) {
                ASSERT_LT(state.energy, before);
                ++moves;
            }
            before = state.energy;
        }
    }
    EXPECT_GT(moves, 500);
}

TEST(SnakeAreas, TheLevelOfPixelsWithoutDataDoesNotMatter) {
    Random random(305);
    const auto image = noisyDisc(120, 35, 40, 20, 11);
    const Mask valid = randomMask(random, 120, 120, 2);
    const auto other = makeImage(PixelType::u16, 120, 120, [&](auto x, auto y) {
        return valid.test(x, y) ? image->level(std::size_t{y} * 120 + x) : random() % 65536;
    });
    const auto statesOf = [&](const std::shared_ptr<const Image>& of) {
        std::vector<Contour> states;
        SnakeRun run(std::make_shared<const RowSums>(of, &valid), rectangle(10, 10, 110, 110), {});
        while (run.advance()) {
            states.push_back(run.state().nodes);
        }
        EXPECT_GE(diceOfDisc(run.state().nodes, 120, 35), 0.97);
        return states;
    };
    EXPECT_EQ(statesOf(image), statesOf(other));
}

TEST(SnakeAreas, AnObjectIsTakenUpToTheForbiddenArea) {
    Mask object(100, 80, false);
    Mask forbidden(100, 80, false);
    for (std::uint32_t y = 20; y < 60; ++y) {
        object.setRun(20, 80, y, true);
    }
    for (std::uint32_t y = 0; y < 80; ++y) {
        forbidden.setRun(60, 100, y, true);
    }
    const auto sums = std::make_shared<const RowSums>(imageOf(100, 80, object, 200, 90));
    for (const SnakeMoves moves : kSnakeMoves) {
        SnakeSpec spec;
        spec.moves = moves;
        SnakeRun run(sums, rectangle(30, 30, 50, 50), spec, std::make_shared<const RowCounts>(forbidden));
        while (run.advance()) {
        }
        EXPECT_EQ(run.state().inside.pixels, 40 * 40) << nameOf(moves);
        EXPECT_EQ(run.state().inside.levels, 40 * 40 * 200) << nameOf(moves);
    }
}

TEST(SnakeAreas, RefusesStartsThatHoldForbiddenPixels) {
    const auto sums = std::make_shared<const RowSums>(imageOf(100, 80, Mask(100, 80, false), 0, 9));
    Mask forbidden(100, 80, false);
    forbidden.setRun(30, 33, 40, true);
    const auto counts = std::make_shared<const RowCounts>(forbidden);
    EXPECT_NO_THROW(SnakeRun(sums, rectangle(33, 10, 90, 70), {}, counts));
    try {
        const SnakeRun run(sums, rectangle(31, 10, 90, 70), {}, counts);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        EXPECT_THAT(error.what(), ::testing::HasSubstr("the start overlaps the forbidden area"));
    }
    EXPECT_THROW(SnakeRun(sums, rectangle(33, 10, 90, 70), {}, std::make_shared<const RowCounts>(Mask(80, 100, false))),
                 Error);
}

TEST(SnakeAreas, RefusesAnImageWithoutData) {
    const Mask valid(100, 80, false);
    const auto sums = std::make_shared<const RowSums>(imageOf(100, 80, valid, 0, 9), &valid);
    EXPECT_THROW(SnakeRun(sums, rectangle(33, 10, 90, 70), {}), Error);
}

} // namespace
} // namespace pollard::testing
