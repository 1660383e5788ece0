// Formulas of the attributes on sums too large for test images: large areas, far from the origin, thin shapes.

#include "attributes/formulas.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace pollard {
namespace {

constexpr std::uint64_t kMostPixels = 0xffff'ffffULL; // of an image
constexpr std::uint64_t kTop = 65535;

/// Sum of k^power for k in [from, from + count), mod 2^128.
UInt128 powerSum(UInt128 from, UInt128 count, int power) {
    const auto below = [power](UInt128 n) -> UInt128 { // sum over the numbers below n, by Faulhaber's formulas
        if (n == 0) {
            return 0;
        }
        const UInt128 m = n - 1;
        const UInt128 triangle = m % 2 == 0 ? m / 2 * (m + 1) : (m + 1) / 2 * m;
        switch (power) {
        case 0:
            return n;
        case 1:
            return triangle;
        case 2:
            return triangle % 3 == 0 ? triangle / 3 * (2 * m + 1) : (2 * m + 1) / 3 * triangle;
        default:
            return triangle * triangle;
        }
    };
    return below(from + count) - below(from);
}

template <class T> struct AllSums {
    std::uint64_t area = 0;
    MomentSums<T> first{};
    ThirdMomentSums<T> third{};

    /// Adds the pixels (x, y) .. (x + count - 1, y).
    void addRow(std::uint64_t x, std::uint64_t y, std::uint64_t count) {
        const std::array<UInt128, 4> sx{powerSum(x, count, 0), powerSum(x, count, 1), powerSum(x, count, 2),
                                        powerSum(x, count, 3)};
        const UInt128 yy = UInt128{y} * y;
        area += count;
        first.x += static_cast<T>(sx[1]);
        first.y += static_cast<T>(y * sx[0]);
        first.xx += static_cast<T>(sx[2]);
        first.xy += static_cast<T>(y * sx[1]);
        first.yy += static_cast<T>(yy * sx[0]);
        third.xxx += static_cast<T>(sx[3]);
        third.xxy += static_cast<T>(y * sx[2]);
        third.xyy += static_cast<T>(yy * sx[1]);
        third.yyy += static_cast<T>(yy * y * sx[0]);
    }

    [[nodiscard]] SecondMoments second() const {
        return secondMomentsOf(area, shifted(area, first, nearestOrigin(area, first)));
    }
    [[nodiscard]] ThirdMoments thirdMoments() const {
        const Origin<T> origin = nearestOrigin(area, first);
        return thirdMomentsOf(area, shifted(area, first, origin), shifted(area, first, third, origin));
    }
};

/// An asymmetric shape of at most 20,000 rows.
template <class T>
AllSums<T> lopsided(std::uint64_t left, std::uint64_t top, std::uint64_t rows, bool mirrored = false) {
    AllSums<T> sums;
    for (std::uint64_t y = 0; y < rows; ++y) {
        const std::uint64_t count = 1 + y * y / rows;
        const std::uint64_t start = y / 3;
        sums.addRow(mirrored ? left + 2 * rows - start - count : left + start, top + y, count);
    }
    return sums;
}

void expectClose(double actual, double expected) {
    EXPECT_NEAR(actual, expected, 1e-12 * std::abs(expected)) << actual << ", " << expected;
}

TEST(AttributeFormulas, SumsOfLevelsFitTheirTypesForTheLargestImage) {
    EXPECT_LT(UInt128{kMostPixels} * kTop, UInt128{1} << 48);
    EXPECT_LT(UInt128{kMostPixels} * kTop * kTop, UInt128{1} << 64);
    EXPECT_LT(UInt128{kMostPixels} * kMostPixels * kTop * kTop, UInt128{1} << 96);
}

TEST(AttributeFormulas, VarianceDoesNotCancel) {
    EXPECT_EQ(varianceOf(kMostPixels, kMostPixels * kTop, kMostPixels * kTop * kTop), 0);
    // One pixel of 400 million differs by one level: variance p (1 - p).
    constexpr std::uint64_t kArea = 400'000'000;
    const double part = 1.0 / kArea;
    expectClose(varianceOf(kArea, kArea * kTop - 1, (kArea - 1) * kTop * kTop + (kTop - 1) * (kTop - 1)),
                part * (1 - part));
    // Half black, half white.
    expectClose(varianceOf(kArea, kArea / 2 * kTop, kArea / 2 * kTop * kTop), 0.25 * kTop * kTop);
}

TEST(AttributeFormulas, RectanglesOf400MegapixelsFarFromTheOrigin) {
    for (const auto& [width, height] : {std::pair{20'000ULL, 20'000ULL}, std::pair{40'000ULL, 10'000ULL}}) {
        AllSums<std::uint64_t> sums;
        AllSums<UInt128> wide;
        for (std::uint64_t y = 0; y < height; ++y) {
            sums.addRow(25'000, 55'000 + y, width);
            wide.addRow(25'000, 55'000 + y, width);
        }
        const auto w = static_cast<double>(width);
        const auto h = static_cast<double>(height);
        // Order 2 needs n L^2 < 2^63 for 64 bits: 4e8 * 65535^2 = 1.7e18 is less.
        for (const SecondMoments& m : {sums.second(), wide.second()}) {
            expectClose(inertiaOf(m), (w * w + h * h) / 12 / (w * h));
            expectClose(majorAxisOf(sums.area, m), 4 * w / std::sqrt(12));
            expectClose(minorAxisOf(sums.area, m), 4 * h / std::sqrt(12));
            expectClose(elongationOf(m), w / h);
            EXPECT_EQ(orientationOf(m), 0);
        }
        const ThirdMoments t = wide.thirdMoments();
        EXPECT_EQ(hu3Of(t), 0);
        EXPECT_EQ(hu4Of(t), 0);
    }
}

TEST(AttributeFormulas, LongLinesKeepTheirWidth) {
    constexpr std::uint64_t kLength = 65535;
    const double length = kLength;
    AllSums<std::uint64_t> row;
    row.addRow(0, 7, kLength);
    AllSums<std::uint64_t> diagonal;
    AllSums<std::uint64_t> antidiagonal;
    for (std::uint64_t i = 0; i < kLength; ++i) {
        diagonal.addRow(i, i, 1);
        antidiagonal.addRow(kLength - 1 - i, i, 1);
    }
    expectClose(majorAxisOf(kLength, row.second()), 4 * length / std::sqrt(12));
    expectClose(minorAxisOf(kLength, row.second()), 4 / std::sqrt(12));
    EXPECT_EQ(orientationOf(row.second()), 0);
    // Along the diagonal the variance is (n^2 - 1) / 6 + 1 / 12, across it 1 / 12.
    for (const auto* line : {&diagonal, &antidiagonal}) {
        const SecondMoments m = line->second();
        expectClose(minorAxisOf(kLength, m), 4 / std::sqrt(12));
        expectClose(majorAxisOf(kLength, m), 4 * std::sqrt((length * length - 1) / 6 + 1.0 / 12));
        expectClose(elongationOf(m), std::sqrt(2 * length * length - 1));
        expectClose(1 - eccentricityOf(m) * eccentricityOf(m) + 1, 1 + 1 / (2 * length * length - 1));
    }
    // y points down: the diagonal falls to the right, clockwise from the x axis.
    expectClose(orientationOf(diagonal.second()), std::numbers::pi / 4);
    expectClose(orientationOf(antidiagonal.second()), -std::numbers::pi / 4);
    AllSums<std::uint64_t> column;
    for (std::uint64_t y = 0; y < 100; ++y) {
        column.addRow(3, y, 1);
    }
    EXPECT_EQ(orientationOf(column.second()), std::numbers::pi / 2);
}

TEST(AttributeFormulas, BandsAlongTheDiagonalKeepTheirWidth) {
    // Row y has the columns y to y + width - 1. For n rows, x = y + u with independent y and u: var y = (n^2 - 1) / 12
    // + 1 / 12 of the pixel, var x = var y + (w^2 - 1) / 12, cov = (n^2 - 1) / 12.
    for (const std::uint64_t width : {3U, 9U, 33U}) {
        const std::uint64_t rows = 65'535 - width;
        AllSums<UInt128> band;
        for (std::uint64_t y = 0; y < rows; ++y) {
            band.addRow(y, y, width);
        }
        const long double n = static_cast<long double>(rows);
        const long double w = static_cast<long double>(width);
        const long double along = (n * n - 1) / 12;
        const long double across = (w * w - 1) / 12;
        const long double pixel = 1.0L / 12;
        const long double sum = 2 * along + across + 2 * pixel;
        const long double larger = (sum + std::sqrt(across * across + 4 * along * along)) / 2;
        // The smaller root from the product of both, xx yy - along^2, in terms that do not cancel.
        const long double smaller = (along * (across + 2 * pixel) + pixel * (across + pixel)) / larger;
        expectClose(minorAxisOf(band.area, band.second()), static_cast<double>(4 * std::sqrt(smaller)));
        expectClose(majorAxisOf(band.area, band.second()), static_cast<double>(4 * std::sqrt(larger)));
    }
}

TEST(AttributeFormulas, MomentsDoNotMoveWithTheShape) {
    const AllSums<UInt128> here = lopsided<UInt128>(0, 0, 9'000);
    ASSERT_GT(here.area, 27'000'000U);
    const SecondMoments m = here.second();
    const ThirdMoments t = here.thirdMoments();
    EXPECT_NE(hu7Of(t), 0);
    for (const AllSums<UInt128>& there :
         {lopsided<UInt128>(4'000'000'000, 0, 9'000), lopsided<UInt128>(17, 4'000'000'000, 9'000)}) {
        EXPECT_EQ(there.second().sum, m.sum);
        EXPECT_EQ(there.second().smaller, m.smaller);
        EXPECT_EQ(there.thirdMoments().a, t.a);
        EXPECT_EQ(there.thirdMoments().d, t.d);
    }
    const ThirdMoments mirrored = lopsided<UInt128>(5, 0, 9'000, true).thirdMoments();
    EXPECT_EQ(hu3Of(mirrored), hu3Of(t));
    EXPECT_EQ(hu5Of(mirrored), hu5Of(t));
    EXPECT_EQ(hu7Of(mirrored), -hu7Of(t));
}

TEST(AttributeFormulas, SixtyFourBitsGiveWhatWideOnesGive) {
    // 2,700 rows of up to 2,700 px: n L^3 < 2^63, although sums in image coordinates wrap around.
    for (const std::uint64_t offset : {0ULL, 1'000ULL, 60'000ULL}) {
        const auto narrow = lopsided<std::uint64_t>(offset, offset / 2, 2'700);
        const auto wide = lopsided<UInt128>(offset, offset / 2, 2'700);
        EXPECT_EQ(narrow.second().sum, wide.second().sum);
        EXPECT_EQ(narrow.second().mixed, wide.second().mixed);
        EXPECT_EQ(narrow.thirdMoments().a, wide.thirdMoments().a);
        EXPECT_EQ(narrow.thirdMoments().b, wide.thirdMoments().b);
        EXPECT_EQ(narrow.thirdMoments().c, wide.thirdMoments().c);
        EXPECT_EQ(narrow.thirdMoments().d, wide.thirdMoments().d);
    }
}

TEST(AttributeFormulas, InvariantsOfAScaledShapeConverge) {
    // Hu's invariants depend on the shape, not on its size: the rounding to pixels vanishes as 1 / size.
    const auto small = lopsided<UInt128>(0, 0, 3'000);
    const auto large = lopsided<UInt128>(0, 0, 18'000); // beyond 128-bit products: the path with doubles
    EXPECT_NEAR(large.second().sum / small.second().sum, 1, 2e-3);
    EXPECT_NEAR(hu3Of(large.thirdMoments()) / hu3Of(small.thirdMoments()), 1, 1e-2);
    EXPECT_NEAR(hu4Of(large.thirdMoments()) / hu4Of(small.thirdMoments()), 1, 1e-2);
}

TEST(AttributeFormulas, InvariantsOfHugeShapesAreThoseOfSmallOnes) {
    // A right triangle; beyond about 20,000 rows products of sums exceed 128 bits, and doubles are used.
    const auto triangle = [](std::uint64_t rows) {
        AllSums<UInt128> sums;
        for (std::uint64_t y = 0; y < rows; ++y) {
            sums.addRow(0, y, 1 + y / 2);
        }
        return sums;
    };
    const AllSums<UInt128> small = triangle(6'500);
    const AllSums<UInt128> huge = triangle(65'000);
    const ThirdMoments exact = small.thirdMoments();
    const ThirdMoments rounded = huge.thirdMoments();
    const auto expectSame = [](double actual, double expected) {
        EXPECT_GT(std::abs(expected), 1e-12) << "says nothing";
        EXPECT_NEAR(actual / expected, 1, 1e-3);
    };
    expectSame(hu3Of(rounded), hu3Of(exact));
    expectSame(hu4Of(rounded), hu4Of(exact));
    expectSame(hu5Of(rounded), hu5Of(exact));
    expectSame(hu6Of(huge.second(), rounded), hu6Of(small.second(), exact));
    expectSame(hu7Of(rounded), hu7Of(exact));
}

TEST(AttributeFormulas, CircularityOfADiscIsAboutOne) {
    constexpr double kRadius = 200;
    std::uint64_t area = 0;
    for (int y = -200; y <= 200; ++y) {
        area += 2 * static_cast<std::uint64_t>(std::sqrt(kRadius * kRadius - y * y)) + 1;
    }
    const std::uint64_t perimeter = 4 * (2 * 200 + 1); // a convex shape has the perimeter of its box
    EXPECT_NEAR(circularityOf(area, perimeter), 1, 0.01);
    expectClose(circularityOf(400'000'000, 80'000), 4 / std::numbers::pi); // a square of 20,000 px
}

TEST(AttributeFormulas, ChangesOfOutlinesCountTheFirstPixelAndTheLast) {
    for (const bool eight : {false, true}) {
        EXPECT_EQ(eulerChange(0, eight), 1);
        EXPECT_EQ(eulerChange(255, eight), 1);      // fills a hole of one pixel
        EXPECT_EQ(eulerChange(1, eight), 0);        // grows a line
        EXPECT_EQ(eulerChange(0b10001, eight), -1); // joins two opposite ones
    }
    EXPECT_EQ(eulerChange(0b10, false), 1); // a corner does not join 4-connected parts,
    EXPECT_EQ(eulerChange(0b10, true), 0);  // but joins 8-connected parts
    EXPECT_EQ(perimeterChange(0), 4);
    EXPECT_EQ(perimeterChange(0b1010'1010), 4);
    EXPECT_EQ(perimeterChange(255), -4);
}

/// Four times the change of the Euler number, from the bit quads before and after (Gray 1971).
int quadChange(unsigned neighbours, bool eight) {
    const auto of = [eight](unsigned side, unsigned diagonal, unsigned next, unsigned own) {
        const unsigned count = side + diagonal + next + own;
        const bool isPair = count == 2 && (own == diagonal);
        return count == 1 ? 1 : count == 3 ? -1 : isPair ? (eight ? -2 : 2) : 0;
    };
    int change = 0;
    for (unsigned corner = 0; corner < 4; ++corner) {
        const unsigned side = neighbours >> 2 * corner & 1U;
        const unsigned diagonal = neighbours >> (2 * corner + 1) & 1U;
        const unsigned next = neighbours >> (2 * corner + 2) % 8 & 1U;
        change += of(side, diagonal, next, 1) - of(side, diagonal, next, 0);
    }
    return change;
}

TEST(EulerChange, IsThatOfTheBitQuads) {
    for (unsigned neighbours = 0; neighbours < 256; ++neighbours) {
        for (const bool eight : {false, true}) {
            EXPECT_EQ(4 * eulerChange(neighbours, eight), quadChange(neighbours, eight)) << neighbours;
        }
    }
}

TEST(WideInteger, CountsBitsAndRoundsOnce) {
    EXPECT_EQ(bitsOfMagnitude(0), 0);
    EXPECT_EQ(bitsOfMagnitude(1), 1);
    EXPECT_EQ(bitsOfMagnitude(-1), 1);
    EXPECT_EQ(bitsOfMagnitude(-4), 3);
    EXPECT_EQ(bitsOfMagnitude(Int128{1} << 100), 101);
    EXPECT_EQ(bitsOfMagnitude(-((Int128{1} << 100) - 1)), 100);
    EXPECT_EQ(toDouble(Int128{1} << 90), 0x1p90);
    EXPECT_EQ(toDouble(-(Int128{3} << 70)), -0x3p70);
    EXPECT_EQ(toDouble(INT64_MIN), -0x1p63);
}

} // namespace
} // namespace pollard
