#include "cuda/watershed/distance_build.hpp"
#include "image/distance_transform.hpp"
#include "image/mask.hpp"
#include "kernels/emulated_machine.hpp"
#include "kernels/labelling_fixture.hpp"
#include "support/affordable.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

// The distance transform with the GPU kernels in the emulator, against the CPU's.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using pollard::testing::Random;
using testing::EmulatedMask;

std::vector<std::string> compare(const Mask& mask, const Extent& extent, std::uint32_t seed) {
    emulation::Emulator emulator(seed);
    EmulatedMachine machine(emulator, seed);
    const EmulatedMask words(mask);
    auto found = DistanceBuild<EmulatedMachine>(machine, words.view(), extent).run();
    const Buffer<std::uint32_t> expected = squaredDistances(mask, extent.slices);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.data(), found.data() + found.size()))
        << text(extent) << ", seed " << seed;
    return machine.stages();
}

/// One unset pixel in @p unsetOf, 0: none, and in some masks whole rows and columns that are set or unset.
Mask randomMask(Random& random, const Extent& extent, std::uint32_t unsetOf) {
    Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), true);
    const bool withLines = random() % 3 == 0;
    for (std::uint32_t y = 0; y != mask.height(); ++y) {
        const bool isSet = withLines && random() % 3 == 0;
        for (std::uint32_t x = 0; x != mask.width(); ++x) {
            mask.set(x, y, isSet || unsetOf == 0 || random() % unsetOf != 0);
        }
    }
    return mask;
}

TEST(DistanceKernels, EqualTheCpusOnRandomMasks) {
    for (std::uint32_t seed = 0; seed != pollard::testing::affordable(1500) && !::testing::Test::HasFailure(); ++seed) {
        Random random(seed);
        const std::uint32_t longest = seed % 10 == 0 ? 90 : 12;
        const Extent extent{1 + random() % longest, 1 + random() % longest, random() % 2 == 0 ? 1 : 1 + random() % 8};
        compare(randomMask(random, extent, random() % 60), extent, seed);
    }
}

TEST(DistanceKernels, EqualTheCpusOnLongLines) {
    Random random(7);
    for (const Extent extent : {Extent{1200, 1, 1}, Extent{1, 1200, 1}, Extent{2, 1, 1200}, Extent{1057, 3, 1},
                                Extent{3, 1057, 1}, Extent{2, 33, 290}, Extent{33, 16, 17}, Extent{3, 600, 2}}) {
        for (const std::uint32_t unsetOf : {0U, 3U, 100U, 900U}) {
            compare(randomMask(random, extent, unsetOf), extent, unsetOf);
        }
        for (const std::uint32_t corner : {0U, 1U}) {
            Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), true);
            mask.set(corner * (mask.width() - 1), corner * (mask.height() - 1), false);
            EXPECT_EQ(compare(mask, extent, corner).size(), extent.slices > 1 ? 3U : 2U);
        }
    }
}

TEST(DistanceKernels, MeasureTheLongestDistance) {
    Mask mask(65535, 1, true);
    mask.set(0, 0, false);
    EXPECT_EQ(compare(mask, {65535, 1, 1}, 1), (std::vector<std::string>{"rows", "columns"}));
}

} // namespace
} // namespace pollard::cuda
