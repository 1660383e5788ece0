#include "vm/filter/criterion_entry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pollard::vm {
namespace {

TEST(ValueDomain, IsLogarithmicOnlyForWideAttributesWithAWideRange) {
    EXPECT_TRUE(ValueDomain::over(1, 1e6, true, true).logarithmic);
    EXPECT_FALSE(ValueDomain::over(1, 1e6, true, false).logarithmic);
    EXPECT_FALSE(ValueDomain::over(1, 50, true, true).logarithmic);
}

struct ClampCase {
    double minimum, maximum;
    bool integral;
    double value, clamped, snapped;
};

class ValueDomainClamp : public ::testing::TestWithParam<ClampCase> {};

TEST_P(ValueDomainClamp, KeepsValuesInside) {
    const ClampCase& c = GetParam();
    const ValueDomain domain = ValueDomain::over(c.minimum, c.maximum, c.integral, false);
    EXPECT_DOUBLE_EQ(domain.clamp(c.value), c.clamped);
    EXPECT_DOUBLE_EQ(domain.snap(c.value), c.snapped);
}

constexpr double kInf = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(
    Cases, ValueDomainClamp,
    ::testing::Values(ClampCase{1, 100, true, 50, 50, 50}, //
                      ClampCase{1, 100, true, 49.6, 49.6, 50}, ClampCase{1, 100, true, 49.4, 49.4, 49},
                      ClampCase{1, 100, true, -3, 1, 1}, //
                      ClampCase{1, 100, true, 101, 100, 100}, ClampCase{1, 100, true, kInf, 100, 100},
                      ClampCase{1, 100, true, -kInf, 1, 1}, ClampCase{1, 100, true, std::nan(""), 1, 1},
                      ClampCase{7, 7, true, 100, 7, 7}, //
                      ClampCase{7, 7, true, 0, 7, 7}, ClampCase{0, 255, false, 12.34, 12.34, 12.3},
                      ClampCase{0.0123, 1.98765, false, 1.9876, 1.9876, 1.98765},
                      ClampCase{0.0123, 1.98725, false, 1.9872, 1.9872, 1.98725},
                      ClampCase{0.0123, 1.98765, false, 0.012, 0.0123, 0.0123}));

TEST(ValueDomain, MapsTheEndsExactly) {
    for (const ValueDomain& domain :
         {ValueDomain::over(1, 16777216, true, true), ValueDomain::over(0, 255, true, false),
          ValueDomain::over(std::sqrt(2.0), 1234.56789, false, true), ValueDomain::over(-5, 1.0 / 3, false, false)}) {
        EXPECT_EQ(domain.positionOf(domain.minimum), 0.0);
        EXPECT_EQ(domain.positionOf(domain.maximum), 1.0);
        EXPECT_EQ(domain.valueAt(0), domain.minimum);
        EXPECT_EQ(domain.valueAt(1), domain.maximum);
        EXPECT_EQ(domain.valueAt(-1), domain.minimum);
        EXPECT_EQ(domain.valueAt(2), domain.maximum);
        EXPECT_EQ(domain.valueAt(std::nan("")), domain.minimum);
    }
}

TEST(ValueDomain, GivesSmallValuesRoomOnALogarithmicSlider) {
    const ValueDomain domain = ValueDomain::over(1, 1'000'000, true, true);
    EXPECT_NEAR(domain.positionOf(1000), 0.5, 1e-9);
    EXPECT_EQ(domain.valueAt(0.5), 1000);
    EXPECT_NEAR(domain.positionOf(10), 1.0 / 6, 1e-9);
}

TEST(ValueDomain, IntegersSurviveTheWayToTheSliderAndBack) {
    const ValueDomain domain = ValueDomain::over(1, 5000, true, true);
    for (int value = 1; value <= 5000; ++value) {
        ASSERT_EQ(domain.valueAt(domain.positionOf(value)), value);
    }
}

TEST(ValueDomain, PositionsAndValuesGrowTogether) {
    const ValueDomain domain = ValueDomain::over(0, 4e9, true, true);
    double before = -1;
    for (int i = 0; i <= 1000; ++i) {
        const double value = domain.valueAt(i / 1000.0);
        ASSERT_GE(value, before);
        ASSERT_EQ(value, std::round(value));
        before = value;
    }
}

TEST(ValueDomain, ASinglePointIsEverywhere) {
    const ValueDomain domain = ValueDomain::over(42, 42, true, true);
    EXPECT_TRUE(domain.isSinglePoint());
    EXPECT_EQ(domain.positionOf(42), 0);
    EXPECT_EQ(domain.valueAt(0.7), 42);
}

TEST(ValueDomain, WhatASpinBoxShowsOfAnEndMeansTheEnd) {
    const ValueDomain domain = ValueDomain::over(std::sqrt(2.0), 98.76543, false, true);
    const double scale = std::pow(10, domain.decimals);
    EXPECT_EQ(domain.snap(std::round(domain.maximum * scale) / scale), domain.maximum);
    EXPECT_EQ(domain.snap(std::round(domain.minimum * scale) / scale), domain.minimum);
}

} // namespace
} // namespace pollard::vm
