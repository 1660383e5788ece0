// Shapes that the snake must find: 512 x 512 px, 40 levels above the background, Gaussian noise of 30.

#include "core/snake/snake_support.hpp"
#include "snake/contour/contour_rows.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <ostream>
#include <string>

namespace pollard::testing {
namespace {

constexpr std::uint32_t kSide = 512;

using Shape = std::function<bool(double x, double y)>;

struct ShapeCase {
    std::string name;
    Shape holds;
    std::uint32_t maxStep;   ///< px
    std::uint32_t minLength; ///< px
};
std::ostream& operator<<(std::ostream& out, const ShapeCase& shape) { return out << shape.name; }

bool isInDisc(double x, double y) { return std::hypot(x - 256, y - 256) < 150; }

/// Five points with straight sides.
bool isInStar(double x, double y) {
    constexpr double kFifth = 2 * std::numbers::pi / 5;
    const double radius = std::hypot(x - 256, y - 256);
    const double angle = std::abs(std::remainder(std::atan2(y - 256, x - 256), kFifth)); // from the nearest tip
    constexpr double kTip = 230;
    constexpr double kNotch = 130;
    // The side is the line from the tip (kTip, 0) to the notch.
    const double notchX = kNotch * std::cos(kFifth / 2);
    const double notchY = kNotch * std::sin(kFifth / 2);
    const double px = radius * std::cos(angle);
    const double py = radius * std::sin(angle);
    return (notchX - kTip) * py - notchY * (px - kTip) > 0;
}

bool isInLetterE(double x, double y) {
    const bool bar = x >= 110 && x < 200;
    const bool arms = x >= 110 && x < 400 && ((y < 150) || (y >= 215 && y < 295) || y >= 360);
    return y >= 70 && y < 440 && (bar || arms);
}

bool isInDiscWithArm(double x, double y) {
    return std::hypot(x - 160, y - 300) < 110 || (x >= 160 && x < 470 && std::abs(y - 300 + 0.5 * (x - 160)) < 14);
}

/// Dice coefficient with the pixels whose centres are in the shape: 2 |A and B| / (|A| + |B|).
double diceWith(const Contour& contour, std::uint32_t width, std::uint32_t height, const Shape& holds) {
    const Image mask = contourMask(contour, width, height);
    double both = 0;
    double all = 0;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const bool in = holds(x + 0.5, y + 0.5);
            const bool found = mask.level(std::size_t{y} * width + x) != 0;
            both += in && found ? 1 : 0;
            all += (in ? 1 : 0) + (found ? 1 : 0);
        }
    }
    return 2 * both / all;
}

class SnakeShapes : public ::testing::TestWithParam<ShapeCase> {};

TEST_P(SnakeShapes, AreFound) {
    const ShapeCase& shape = GetParam();
    std::mt19937 random(77);
    std::normal_distribution<double> noise(0, 30);
    const auto image = makeImage(PixelType::u16, kSide, kSide, [&](auto x, auto y) {
        return static_cast<std::uint32_t>(std::lround(1000 + (shape.holds(x + 0.5, y + 0.5) ? 40 : 0) + noise(random)));
    });
    const auto sums = std::make_shared<const RowSums>(image);
    for (const SnakeMoves moves : kSnakeMoves) {
        SnakeSpec spec;
        spec.moves = moves;
        spec.maxStep = shape.maxStep;
        spec.minLength = shape.minLength;
        SnakeRun run(sums, rectangle(30, 30, 482, 482), spec);
        double before = run.state().energy;
        while (run.advance()) {
            if (run.state().kind == SnakeStep::move) {
                ASSERT_LT(run.state().energy, before);
            }
            before = run.state().energy;
            ASSERT_TRUE(run.state().round % 16 != 0 || isSimple(run.state().nodes));
        }
        EXPECT_TRUE(isSimple(run.state().nodes));
        EXPECT_GE(diceWith(run.state().nodes, kSide, kSide, shape.holds), 0.995) << nameOf(moves);
    }
}

INSTANTIATE_TEST_SUITE_P(All, SnakeShapes,
                         ::testing::Values(ShapeCase{"disc", isInDisc, 16, 16}, ShapeCase{"star", isInStar, 16, 16},
                                           ShapeCase{"letter", isInLetterE, 16, 16},
                                           ShapeCase{"arm", isInDiscWithArm, 16, 16},
                                           ShapeCase{"finer_arm", isInDiscWithArm, 16, 8}),
                         [](const auto& param) { return param.param.name; });

/// A lake with bays in single-look radar speckle, darker than the land by a factor of 4.
TEST(SnakeInSpeckle, FindsALake) {
    constexpr std::uint32_t kWidth = 320;
    constexpr std::uint32_t kHeight = 240;
    const auto isInLake = [](double x, double y) {
        const double angle = std::atan2(y - 120, x - 156);
        return std::hypot((x - 156) / 1.35, y - 120) < 63 + 12 * std::sin(3 * angle + 0.6) + 6 * std::sin(5 * angle);
    };
    std::mt19937 random(20);
    std::exponential_distribution<double> speckle(1);
    const auto image = makeImage(PixelType::u16, kWidth, kHeight, [&](auto x, auto y) {
        const double intensity = (isInLake(x + 0.5, y + 0.5) ? 350 : 1400) * speckle(random);
        return static_cast<std::uint32_t>(std::min(65535L, std::lround(intensity)));
    });
    SnakeSpec spec;
    spec.law = RegionLaw::gamma;
    spec.minLength = 16;
    SnakeRun run(std::make_shared<const RowSums>(image), rectangle(40, 27, 273, 214), spec);
    while (run.advance()) {
    }
    EXPECT_TRUE(isSimple(run.state().nodes));
    EXPECT_GE(diceWith(run.state().nodes, kWidth, kHeight, isInLake), 0.99);
}

} // namespace
} // namespace pollard::testing
