#include "cuda/components/threshold_pass.hpp"

#include "components/threshold.hpp"
#include "kernels/emulated_machine.hpp"
#include "kernels/labelling_fixture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

// The GPU's threshold in the emulator, against the CPU's.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using testing::affordable;
using testing::EmulatedMask;

void compare(const Image& image, std::uint16_t low, std::uint16_t high, std::uint32_t seed) {
    const EmulatedMask expected(thresholdMask(image, low, high, nullptr));
    emulation::Emulator emulator(seed);
    EmulatedMachine machine(emulator, seed);
    dispatch(image.type(), [&]<class Level>(Level) {
        using Pass = ThresholdPass<Level>;
        const std::uint64_t count = Pass::wordCount(image.width(), image.height());
        auto words = machine.make<std::uint32_t>(count, "words");
        machine.blocks(Pass{image.pixels<Level>().data(), words.data(), image.width(), image.height(), low, high},
                       Pass::blocks(image.width(), image.height()));
        const std::vector<std::uint32_t> found(words.data(), words.data() + count);
        EXPECT_TRUE(found == std::vector<std::uint32_t>(expected.view().words, expected.view().words + count))
            << image.width() << " x " << image.height() << " px, " << low << " to " << high;
    });
}

TEST(ThresholdKernel, MakesTheMaskOfTheCpu) {
    for (std::uint32_t seed = 0; seed < affordable(300) && !::testing::Test::HasFailure(); ++seed) {
        pollard::testing::Random random(seed);
        const std::uint32_t width = 1 + random() % (seed % 5 == 0 ? 700 : 140);
        const std::uint32_t height = 1 + random() % 20;
        const PixelType type = random() % 2 == 0 ? PixelType::u8 : PixelType::u16;
        const auto image = pollard::testing::makeImage(type, width, height, [&](auto, auto) { return random(); });
        const std::uint32_t most = maxLevelOf(type);
        const auto low = static_cast<std::uint16_t>(random() % (most + 1));
        compare(*image, low, seed % 3 == 0 ? std::uint16_t{0xffff} : static_cast<std::uint16_t>(low + random() % 50),
                seed);
    }
}

TEST(ThresholdKernel, KeepsBothEndsOfTheRange) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto image = pollard::testing::makeImage(type, 70, 3, [](auto x, auto) { return x; });
        compare(*image, 0, 0, 1);
        compare(*image, 31, 32, 2);
        compare(*image, 0, 0xffff, 3);
        compare(*image, 70, 0xffff, 4);
    }
}

} // namespace
} // namespace pollard::cuda
