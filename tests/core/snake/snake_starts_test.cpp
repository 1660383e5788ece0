// Runs from various starts: contours stay simple, the energy decreases, and runs end.

#include "core/snake/snake_support.hpp"
#include "snake/contour/contour_rows.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace pollard::testing {
namespace {

constexpr std::uint32_t kSide = 160;

class SnakeStarts : public ::testing::TestWithParam<SnakeMoves> {
protected:
    /// 40 levels brighter where @p holds, with Gaussian noise of 30.
    static std::shared_ptr<const Image> noisy(std::uint32_t seed,
                                              const std::function<bool(std::uint32_t, std::uint32_t)>& holds) {
        std::mt19937 random(seed);
        std::normal_distribution<double> noise(0, 30);
        return makeImage(PixelType::u16, kSide, kSide, [&](auto x, auto y) {
            return static_cast<std::uint32_t>(std::lround(1000 + (holds(x, y) ? 40 : 0) + noise(random)));
        });
    }
    static bool isInDisc(std::uint32_t x, std::uint32_t y) { return std::hypot(x + 0.5 - 60, y + 0.5 - 70) < 40; }

    /// Checks every accepted state against its mask. @return the final one
    static SnakeState run(const std::shared_ptr<const Image>& image, Contour start) {
        SnakeSpec spec;
        spec.moves = GetParam();
        SnakeRun snake(std::make_shared<const RowSums>(image), std::move(start), spec);
        double before = snake.state().energy;
        do {
            const SnakeState& state = snake.state();
            EXPECT_TRUE(isSimple(state.nodes));
            const Image mask = contourMask(state.nodes, kSide, kSide);
            const double wanted = naiveEnergyOfParts(*image, 2, spec.law, [&](std::uint32_t x, std::uint32_t y) {
                return mask.level(std::size_t{y} * kSide + x) != 0 ? 1 : 0;
            });
            EXPECT_NEAR(state.energy, wanted, 1e-9 * std::max(1.0, std::abs(wanted)));
            if (state.kind == SnakeStep::move) {
                EXPECT_LT(state.energy, before);
            }
            before = state.energy;
        } while (snake.advance() && !HasFailure());
        return snake.state();
    }
    /// Number of pixels in the symmetric difference of mask and object.
    static int wrongPixels(const Contour& contour, const std::function<bool(std::uint32_t, std::uint32_t)>& holds) {
        const Image mask = contourMask(contour, kSide, kSide);
        int wrong = 0;
        for (std::uint32_t y = 0; y < kSide; ++y) {
            for (std::uint32_t x = 0; x < kSide; ++x) {
                wrong += (mask.level(std::size_t{y} * kSide + x) != 0) != holds(x, y) ? 1 : 0;
            }
        }
        return wrong;
    }
};

TEST_P(SnakeStarts, AtRandomOnADisc) {
    Random random(601);
    const auto image = noisy(1, isInDisc);
    for (int repeat = 0; repeat < repeats(8); ++repeat) {
        run(image, randomStart(random, *image, 20));
    }
}

TEST_P(SnakeStarts, ThreePixelsWide) {
    const auto image = noisy(2, isInDisc);
    EXPECT_LT(wrongPixels(run(image, rectangle(58, 50, 61, 90)).nodes, isInDisc), 200);
    run(image, rectangle(120, 20, 123, 140));
}

TEST_P(SnakeStarts, OutsideTheObject) {
    const auto image = noisy(3, isInDisc);
    const SnakeState last = run(image, rectangle(110, 110, 150, 150));
    EXPECT_GE(last.inside.pixels, 16);
}

TEST_P(SnakeStarts, OnAConstantImage) {
    Random random(602);
    const auto image = makeImage(PixelType::u16, kSide, kSide, [](auto, auto) { return 1234; });
    const Contour start = randomStart(random, *image, 200);
    const SnakeState last = run(image, start);
    EXPECT_GT(last.nodes.size(), start.size()) << "edges are split all the same";
}

TEST_P(SnakeStarts, AroundAnObjectThatTouchesTheBorder) {
    const auto holds = [](std::uint32_t x, std::uint32_t y) { return x < 70 && y > 90; };
    const auto image = noisy(4, holds);
    EXPECT_LT(wrongPixels(run(image, rectangle(0, 60, 110, 160)).nodes, holds), 150);
}

TEST_P(SnakeStarts, AroundTwoObjects) {
    const auto holds = [](std::uint32_t x, std::uint32_t y) {
        return std::hypot(x - 45.0, y - 80.0) < 28 || std::hypot(x - 115.0, y - 80.0) < 28;
    };
    const SnakeState last = run(noisy(5, holds), rectangle(8, 40, 152, 120));
    EXPECT_GT(last.inside.pixels, 4000) << "both";
}

INSTANTIATE_TEST_SUITE_P(All, SnakeStarts, ::testing::ValuesIn(kSnakeMoves), [](const auto& param) {
    std::string name(nameOf(param.param));
    std::erase(name, '-');
    return name;
});

} // namespace
} // namespace pollard::testing
