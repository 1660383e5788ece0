// Medians and Gaussians against their definition.

#include "operators/smoothing.hpp"

#include "base/parallel.hpp"
#include "core/operators/naive_operators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace pollard::testing {
namespace {

TEST(Smoothing, MediansEqualTheirDefinition) {
    Random random(11);
    for (int i = 0; i < 400; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        constexpr double kRadii[] = {0, 1, 1.5, 2, 4, 9};
        const StructuringElement element{random() % 2 == 0 ? OperatorShape::disc : OperatorShape::box,
                                         kRadii[random() % (image->extent().isVolume() ? 4 : 6)]};
        const auto expected = imageBy(*image, inside.get(), [&](auto p) {
            std::vector<std::uint16_t> levels =
                levelsAround(*image, p, element.shape, element.radius, inside.get(), true);
            std::ranges::sort(levels);
            return levels[(levels.size() - 1) / 2];
        });
        EXPECT_EQ(levelsOf(medianOf(*image, element, inside.get(), {})), levelsOf(*expected)) << i;
    }
}

/// The weighted mean of all pixels inside, also of the mirrored image.
double naiveGaussian(const Image& image, std::uint32_t pixel, double sigma, const Mask* inside) {
    const Extent& extent = image.extent();
    const auto weightsOf = [](int centre, int length, double deviation) {
        std::vector<double> weights(static_cast<std::size_t>(length), 0);
        const int reach = length == 1 ? 0 : static_cast<int>(4 * deviation + .5);
        for (int away = -reach; away <= reach; ++away) {
            const int within = ((centre + away) % (2 * length) + 2 * length) % (2 * length);
            const int at = within < length ? within : 2 * length - 1 - within;
            weights[static_cast<std::size_t>(at)] +=
                reach == 0 ? 1 : std::exp(-.5 * away * away / (deviation * deviation));
        }
        return weights;
    };
    const Voxel at = voxelAt(pixel, extent);
    const auto x = weightsOf(static_cast<int>(at.x), static_cast<int>(extent.width), sigma / image.sides().x);
    const auto y = weightsOf(static_cast<int>(at.y), static_cast<int>(extent.height), sigma / image.sides().y);
    const auto z = weightsOf(static_cast<int>(at.z), static_cast<int>(extent.slices), sigma / image.sides().z);
    double sum = 0;
    double whole = 0;
    for (std::uint32_t p = 0; p < image.pixelCount(); ++p) {
        if (isIn(inside, p, extent)) {
            const Voxel other = voxelAt(p, extent);
            const double weight = x[other.x] * y[other.y] * z[other.z];
            sum += weight * image.level(p);
            whole += weight;
        }
    }
    return sum / whole;
}

TEST(Smoothing, GaussiansAreWeightedMeansOfThePixelsInside) {
    Random random(12);
    for (int i = 0; i < 200; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        constexpr double kSigmas[] = {.3, .8, 1, 2.2, 6};
        const double sigma = kSigmas[random() % 5];
        const Image smooth = gaussianOf(*image, sigma, inside.get(), {});
        for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
            if (!isIn(inside.get(), p, image->extent())) {
                EXPECT_EQ(smooth.level(p), image->level(p));
                continue;
            }
            EXPECT_LE(std::abs(smooth.level(p) - naiveGaussian(*image, p, sigma, inside.get())), .5 + 1e-6) << i;
        }
    }
}

TEST(Smoothing, MediansOfSeveralTilesAndOfWideElementsEqualTheDefinition) {
    Random random(14);
    const auto check = [&](std::uint32_t width, std::uint32_t height, std::uint32_t levels, double radius) {
        for (const PixelType type : {PixelType::u8, PixelType::u16}) {
            const auto image = makeImage(type, width, height, [&](auto, auto) { return random() % levels; });
            const StructuringElement element{OperatorShape::disc, radius};
            const auto expected = imageBy(*image, nullptr, [&](auto p) {
                std::vector<std::uint16_t> around = levelsAround(*image, p, element.shape, radius, nullptr, true);
                const auto middle = around.begin() + static_cast<std::ptrdiff_t>((around.size() - 1) / 2);
                std::ranges::nth_element(around, middle);
                return *middle;
            });
            EXPECT_EQ(levelsOf(medianOf(*image, element, nullptr, {})), levelsOf(*expected)) << width << ' ' << radius;
        }
    };
    check(301, 150, 256, 2.3);
    check(150, 70, 4, 3);
    check(6, 5, 200, 420); // beyond the tables of a tile
}

TEST(Smoothing, IsTheSameOnAnyNumberOfThreads) {
    Random random(13);
    const auto image = makeImage(PixelType::u16, 301, 203, [&](auto, auto) { return random(); });
    std::vector<std::vector<std::uint16_t>> results;
    for (const int threads : {1, 2, 5}) {
        ThreadArena arena(threads);
        results.push_back(arena.execute([&] { return levelsOf(gaussianOf(*image, 2.5, nullptr, {})); }));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(Smoothing, KeepsConstantImages) {
    for (const std::uint32_t level : {0U, 1U, 65535U}) {
        const auto image = makeImage(PixelType::u16, 40, 30, [&](auto, auto) { return level; });
        EXPECT_EQ(levelsOf(gaussianOf(*image, 3, nullptr, {})), levelsOf(*image));
        EXPECT_EQ(levelsOf(medianOf(*image, {OperatorShape::disc, 6}, nullptr, {})), levelsOf(*image));
    }
}

} // namespace
} // namespace pollard::testing
