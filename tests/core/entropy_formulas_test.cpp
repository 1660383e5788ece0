#include "attributes/formulas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>

namespace pollard {
namespace {

long double inBits(Int128 information) { return static_cast<long double>(information) * 0x1p-62L; }

TEST(InformationOf, IsWithinItsErrorOfTheLogarithm) {
    std::set<std::uint32_t> counts;
    for (std::uint32_t c = 1; c < 5000; ++c) {
        counts.insert(c);
    }
    for (std::uint32_t bit = 2; bit < 32; ++bit) { // and where the mantissa wraps, at the square root of 2
        const auto root = static_cast<std::uint32_t>(std::ldexp(std::sqrt(2.0), static_cast<int>(bit)));
        for (const std::uint32_t near : {1U << bit, root}) {
            counts.insert({near - 1, near, near + 1});
        }
    }
    counts.insert(0xffff'ffffU);
    std::mt19937 random(81);
    for (int i = 0; i < 20'000; ++i) {
        counts.insert(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(random()) >> random() % 32));
    }
    for (const std::uint32_t c : counts) {
        const long double expected = c * std::log2(static_cast<long double>(c));
        ASSERT_LE(std::abs(inBits(informationOf(c)) - expected), c * 0x1p-52L) << c;
    }
}

TEST(InformationOf, IsExactForPowersOfTwo) {
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
        EXPECT_TRUE(informationOf(1U << bit) == static_cast<Int128>(bit) << (62 + bit)) << bit;
    }
}

TEST(EntropyOf, IsThatOfTheCounts) {
    EXPECT_EQ(entropyOf(informationOf(12) - informationOf(12), 12), 0);
    EXPECT_EQ(entropyOf(informationOf(256), 256), 8);
    EXPECT_EQ(entropyOf(informationOf(0x8000'0000U) - 2 * informationOf(0x4000'0000U), 0x8000'0000U), 1);
    const double third =
        entropyOf(informationOf(3'000'000) - informationOf(1'000'000) - informationOf(2'000'000), 3'000'000);
    EXPECT_NEAR(third, std::log2(3.0) - 2.0 / 3, 1e-15);
}

TEST(EntropyBins, AreOfEqualWidthOrOneLevelEach) {
    for (std::uint32_t d = 0; d < 256; ++d) {
        EXPECT_EQ(EntropyBins{256}.of(d), d);
        EXPECT_EQ(EntropyBins{65536}.of(256 * d), d);
        EXPECT_EQ(EntropyBins{65536}.of(256 * d + 255), d);
    }
    EXPECT_EQ(EntropyBins{257}.of(256), 255U); // the first two share one
    EXPECT_EQ(EntropyBins{257}.of(1), 0U);
}

} // namespace
} // namespace pollard
