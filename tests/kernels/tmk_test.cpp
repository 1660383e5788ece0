#include "cuda/components/tmk/tmk_build.hpp"

#include "kernels/emulated_machine.hpp"
#include "kernels/labelling_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// The tree merge kernel with the GPU kernels in the emulator, against the CPU's objects.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using testing::affordable;
using testing::EmulatedMask;
using testing::RandomObjects;

class TmkKernels : public ::testing::Test {
protected:
    template <std::uint32_t kNodes> void compare(const Mask& mask, const Image* grey, std::uint32_t seed) {
        emulator_.restart(seed);
        const EmulatedMask onDevice(mask);
        testing::expectSameObjects(mask, grey, [&]<class Level>(const Level* levels) {
            EmulatedMachine machine(emulator_, seed);
            auto objects = TmkBuild<EmulatedMachine, kNodes>(machine, onDevice.view())
                               .run(PassInput<Level>{onDevice.view(), levels}, true, true);
            stages_ = machine.stages();
            return objects;
        });
        EXPECT_FALSE(HasFailure()) << mask.width() << " x " << mask.height() << " px, blocks of " << kNodes
                                   << " nodes, seed " << seed;
    }

    emulation::Emulator emulator_{0};
    std::vector<std::string> stages_;
};

TEST_F(TmkKernels, GiveTheObjectsOfRandomMasks) {
    for (std::uint32_t seed = 0; seed < affordable(500) && !HasFailure(); ++seed) {
        const RandomObjects drawn(seed, 70, 20);
        const Image* const grey = seed % 4 == 0 ? nullptr : drawn.grey.get();
        compare<8>(drawn.mask, grey, seed);
        compare<64>(drawn.mask, grey, seed);
    }
}

TEST_F(TmkKernels, GiveTheObjectsOfWideAndTallMasks) {
    for (std::uint32_t seed = 0; seed < affordable(15) && !HasFailure(); ++seed) {
        const RandomObjects wide(seed, 600, 8);
        compare<32>(wide.mask, wide.grey.get(), seed);
        const RandomObjects tall(seed, 30, 200);
        compare<2>(tall.mask, tall.grey.get(), seed);
    }
}

TEST_F(TmkKernels, GiveTheObjectsOfHardMasks) {
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes{{1, 1},  {2, 1},  {1, 37}, {37, 1},
                                                                     {31, 3}, {33, 5}, {64, 8}, {129, 6}};
    std::uint32_t seed = 0;
    for (const auto& [width, height] : sizes) {
        for (const Mask& mask : pollard::testing::hardMasks(width, height)) {
            compare<16>(mask, nullptr, ++seed);
        }
    }
}

TEST_F(TmkKernels, NameThePapersStages) {
    const RandomObjects drawn(7, 60, 20);
    compare<8>(drawn.mask, nullptr, 7);
    EXPECT_EQ(stages_, (std::vector<std::string>{"strips", "merge", "roots", "relabel", "initialise", "merge in blocks",
                                                 "merge globally", "sizes", "balance", "records", "number"}));
}

TEST_F(TmkKernels, CountTheObjectsOnTheDevice) {
    const RandomObjects drawn(11, 90, 20);
    const EmulatedMask onDevice(drawn.mask);
    const std::vector<std::uint32_t> labels = pollard::testing::floodedLabels(drawn.mask);
    const auto expected = static_cast<std::uint32_t>(labelComponents(drawn.mask, nullptr, {}).objects.size());
    EmulatedMachine machine(emulator_, 5);
    auto objects = TmkAnalysis<EmulatedMachine, 16>(machine, onDevice.view())
                       .run(labels.data(), static_cast<const std::uint8_t*>(nullptr), expected);
    EXPECT_EQ(*objects.count.data(), expected);
    std::map<std::uint32_t, int> seen;
    for (std::uint32_t i = 0; i < expected; ++i) {
        ++seen[objects.labels.data()[i]];
    }
    EXPECT_EQ(seen.size(), expected);
}

TEST(TmkTree, StaysShallowForObjectsOnAGrid) {
    // Labels with equal lower bits: with unpermuted bits the tree would be a chain.
    constexpr std::uint32_t kCount = 1024;
    std::vector<tmk::Links> links(kCount);
    std::vector<FeatureSums> sums(kCount, FeatureSums::none());
    std::uint32_t deepest = 0;
    emulation::Emulator emulator(1);
    emulator.launch({1, 1}, [&] {
        for (std::uint32_t i = 0; i < kCount; ++i) {
            links[i] = {i * 4096, tmk::kNone, tmk::kNone, tmk::kNone};
            if (i > 0) {
                tmk::insert({links.data(), sums.data()}, i, 0);
            }
            std::uint32_t depth = 0;
            for (std::uint32_t at = i; links[at].parent != tmk::kNone; at = links[at].parent) {
                ++depth;
            }
            deepest = std::max(deepest, depth);
        }
    });
    EXPECT_LE(deepest, 24U);
    EXPECT_GE(deepest, 10U);
}

} // namespace
} // namespace pollard::cuda
