// The law of the levels by their noise.
#include "core/snake/snake_support.hpp"

#include "snake/contour_levels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace pollard {
namespace {

using testing::makeImage;
using testing::rectangle;

constexpr std::uint32_t kLawSide = 160;

/// A disc of the level 600 in 200, or with a border of 12 px between them, with noise.
std::shared_ptr<const Image> noisy(bool isSoft, const std::function<double(double level)>& sample) {
    return makeImage(PixelType::u16, kLawSide, kLawSide, [&](auto x, auto y) {
        const double away = std::hypot(x + 0.5 - 80, y + 0.5 - 80) - 30;
        const double share = isSoft ? 1 / (1 + std::exp(away / 3)) : away < 0 ? 1.0 : 0.0;
        return static_cast<std::uint32_t>(std::lround(std::max(sample(200 + 400 * share), 0.0)));
    });
}

void expectLaw(RegionLaw law, const std::function<double(double level)>& sample) {
    for (const bool isSoft : {false, true}) {
        const auto image = noisy(isSoft, sample);
        EXPECT_EQ(chosenLaw(*image, nullptr, {rectangle(40, 40, 120, 120)}, 20), law) << nameOf(law) << isSoft;
        EXPECT_EQ(chosenLaw(*image, nullptr, {rectangle(60, 60, 100, 100)}, {}), law) << nameOf(law) << isSoft;
    }
}

TEST(ChosenLaw, IsTheLawOfTheNoise) {
    std::mt19937 random(4);
    expectLaw(RegionLaw::gaussian, [&](double level) { return std::normal_distribution<double>(level, 20)(random); });
    expectLaw(RegionLaw::poisson, [&](double level) { return std::poisson_distribution<int>(level)(random); });
    expectLaw(RegionLaw::gamma, [&](double level) { return std::gamma_distribution<double>(10, level / 10)(random); });
    expectLaw(RegionLaw::rayleigh, [&](double level) {
        const double spread = level / std::sqrt(std::acos(-1.0) / 2);
        return std::hypot(std::normal_distribution<double>(0, spread)(random),
                          std::normal_distribution<double>(0, spread)(random));
    });
}

TEST(ChosenLaw, IsThatOfCountsForAnyGain) {
    std::mt19937 random(5);
    expectLaw(RegionLaw::poisson, [&](double level) { return 7.0 * std::poisson_distribution<int>(level)(random); });
}

TEST(ChosenLaw, IsGaussianWithoutNoiseOrContrast) {
    std::mt19937 random(6);
    expectLaw(RegionLaw::gaussian, [](double level) { return level; });
    const auto even = makeImage(PixelType::u16, kLawSide, kLawSide,
                                [&](auto, auto) { return std::poisson_distribution<std::uint32_t>(300)(random); });
    EXPECT_EQ(chosenLaw(*even, nullptr, {rectangle(40, 40, 120, 120)}, 20), RegionLaw::gaussian);
    const Mask none(kLawSide, kLawSide, false);
    EXPECT_EQ(chosenLaw(*even, &none, {rectangle(40, 40, 120, 120)}, 20), RegionLaw::gaussian);
}

} // namespace
} // namespace pollard
