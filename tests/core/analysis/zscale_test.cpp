// Ranges against astropy: ZScaleInterval().get_limits(values).

#include "analysis/zscale.hpp"

#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;

/// Every @p stride-th of 3000 pseudo-random values, some of which are far above the others.
std::vector<double> skyWithStars(std::size_t stride) {
    std::vector<double> values;
    std::uint64_t state = 12345;
    for (std::size_t i = 0; i < 3000; ++i) {
        state = (state * 1103515245 + 12345) % (std::uint64_t{1} << 31U);
        if (i % stride == 0) {
            values.push_back(1000 + static_cast<double>((state >> 16U) % 64) + (i % 37 == 0 ? 60000 : 0));
        }
    }
    return values;
}

void expectRange(const std::vector<double>& values, double low, double high) {
    const DisplayRange range = zscale(values);
    EXPECT_NEAR(range.low, low, 1e-9 * (1 + std::abs(low)));
    EXPECT_NEAR(range.high, high, 1e-9 * (1 + std::abs(high)));
}

TEST(Zscale, IsThatOfAstropy) {
    expectRange(skyWithStars(3), 1000, 1164.4406425450286);
    expectRange({0, 1, 2, 3, 4, 5, 6}, 0, 6);
    expectRange({9, 1}, 1, 9);
    std::vector<double> odd;
    for (int i = 0; i < 101; ++i) {
        odd.push_back(i * 37 % 101 + (i % 9 == 0 ? 500 : 0));
    }
    expectRange(odd, 1.0, 598.0);
}

TEST(Zscale, OfEqualValuesIsTheValue) {
    EXPECT_EQ(zscale(std::vector<double>(300, 4)), (DisplayRange{4, 4}));
    EXPECT_EQ(zscale({}), (DisplayRange{}));
}

TEST(Zscale, SamplesAreAtEqualDistancesAndHaveData) {
    const auto image = makeImage(PixelType::u16, 50, 50, [](auto x, auto y) { return y * 50 + x; });
    const std::vector<std::uint16_t> all = zscaleSamples(*image, nullptr);
    ASSERT_EQ(all.size(), 1000U);
    EXPECT_EQ(all[0], 0);
    EXPECT_EQ(all[999], 2 * 999);
    Mask valid(50, 50, true);
    valid.set(2, 0, false);
    valid.set(3, 0, false); // not in the sample
    const std::vector<std::uint16_t> some = zscaleSamples(*image, &valid);
    ASSERT_EQ(some.size(), 999U);
    EXPECT_EQ(some[1], 4);
    const auto small = makeImage(PixelType::u8, 2, 2, [](auto x, auto y) { return y * 2 + x; });
    EXPECT_THAT(zscaleSamples(*small, nullptr), ElementsAre(0, 1, 2, 3));
}

} // namespace
} // namespace pollard::testing
