#include "image/distance_transform.hpp"

#include "base/error.hpp"
#include "support/random_images.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <stop_token>
#include <vector>

namespace pollard {
namespace {

using testing::Random;

Mask randomMask(Random& random, const Extent& extent, std::uint32_t unsetOf) {
    Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), true);
    for (std::uint32_t y = 0; y != mask.height(); ++y) {
        for (std::uint32_t x = 0; x != mask.width(); ++x) {
            mask.set(x, y, random() % unsetOf != 0);
        }
    }
    return mask;
}

/// The definition: the smallest of the distances to all unset pixels.
std::vector<double> naiveSquares(const Mask& mask, const Extent& extent, const VoxelSides& sides) {
    std::vector<double> squares(extent.pixelCount(), std::numeric_limits<double>::infinity());
    for (std::uint32_t p = 0; p != squares.size(); ++p) {
        const Voxel at = voxelAt(p, extent);
        for (std::uint32_t q = 0; q != squares.size(); ++q) {
            const Voxel to = voxelAt(q, extent);
            if (!mask.test(to.x, to.z * extent.height + to.y)) {
                const double x = (static_cast<double>(at.x) - to.x) * sides.x;
                const double y = (static_cast<double>(at.y) - to.y) * sides.y;
                const double z = (static_cast<double>(at.z) - to.z) * sides.z;
                squares[p] = std::min(squares[p], x * x + y * y + z * z);
            }
        }
    }
    return squares;
}

Extent randomExtent(Random& random) {
    const std::uint32_t longest = random() % 8 == 0 ? 40 : 9;
    return {1 + random() % longest, 1 + random() % longest, 1 + random() % 5};
}

TEST(DistanceTransform, IsTheDistanceToTheNearestUnsetPixel) {
    Random random(50);
    for (int i = 0; i != 600; ++i) {
        const Extent extent = randomExtent(random);
        const Mask mask = randomMask(random, extent, 1 + random() % 40);
        const std::vector<double> expected = naiveSquares(mask, extent, {});
        const Buffer<std::uint32_t> found = squaredDistances(mask, extent.slices);
        for (std::size_t p = 0; p != expected.size(); ++p) {
            const double square =
                found[p] == kNoDistance ? std::numeric_limits<double>::infinity() : static_cast<double>(found[p]);
            ASSERT_EQ(square, expected[p]) << text(extent) << " pixel " << p;
        }
    }
}

TEST(DistanceTransform, MeasuresInTheUnitOfTheSides) {
    Random random(51);
    for (int i = 0; i != 300; ++i) {
        const Extent extent = randomExtent(random);
        const VoxelSides sides{.1 + random() % 30 * .13, .1 + random() % 30 * .13, .1 + random() % 30 * .13};
        const Mask mask = randomMask(random, extent, 1 + random() % 40);
        const std::vector<double> expected = naiveSquares(mask, extent, sides);
        const Buffer<double> found = distances(mask, sides, extent.slices);
        for (std::size_t p = 0; p != expected.size(); ++p) {
            if (std::isinf(expected[p])) {
                ASSERT_EQ(found[p], expected[p]);
            } else {
                ASSERT_NEAR(found[p], std::sqrt(expected[p]), 1e-12 * (1 + found[p])) << text(extent) << " pixel " << p;
            }
        }
    }
}

TEST(DistanceTransform, MasksWithoutUnsetPixelsHaveNoDistance) {
    for (const std::uint32_t d : squaredDistances(Mask(70, 6, true), 3)) {
        EXPECT_EQ(d, kNoDistance);
    }
    EXPECT_EQ(squaredDistances(Mask(1, 1, false))[0], 0U);
}

TEST(DistanceTransform, LongestDistancesAreExact) {
    Mask mask(60000, 2, true);
    mask.set(0, 0, false);
    const Buffer<std::uint32_t> found = squaredDistances(mask);
    EXPECT_EQ(found[59999], 59999U * 59999U);
    EXPECT_EQ(found[60000 + 59999], 59999U * 59999U + 1);
}

TEST(DistanceTransform, RefusesWhatItCannotMeasure) {
    EXPECT_THROW((void)squaredDistances(Mask(65536, 1, true)), Error);
    EXPECT_THROW((void)squaredDistances(Mask(4, 5, true), 2), Error);
    EXPECT_THROW((void)squaredDistances(Mask(4, 5, true), 0), Error);
    EXPECT_THROW((void)distances(Mask(4, 4, true), {1, 0, 1}), Error);
    EXPECT_THROW((void)distances(Mask(4, 4, true), {1, 1, std::nan("")}, 2), Error);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW((void)squaredDistances(Mask(4, 4, true), 1, JobControl(source.get_token())), Cancelled);
}

} // namespace
} // namespace pollard
