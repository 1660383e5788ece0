#include "invert_image.hpp"

#include "cuda_engine.hpp"
#include "level_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>

namespace pollard {
namespace {

/// Runs only where the engine found a device.
class InvertOnDevice : public testing::TestWithParam<std::tuple<PixelType, std::uint32_t, std::uint32_t>> {
protected:
    void SetUp() override {
        const auto engine = makeCudaEngine();
        if (engine->device().empty()) {
            GTEST_SKIP() << "no GPU: " << engine->unusableReason();
        }
    }
};

TEST_P(InvertOnDevice, EqualsTheFormulaOnTheHost) {
    const auto [type, width, height] = GetParam();
    Image image(type, width, height);
    dispatch(type, [&]<class T>(T) {
        std::uint32_t state = width * 2654435761U + height;
        for (T& pixel : image.pixels<T>()) {
            state = state * 1664525U + 1013904223U;
            pixel = static_cast<T>(state >> 16U);
        }
        const Image inverted = cuda::invertImage(image);
        ASSERT_EQ(inverted.type(), type);
        ASSERT_EQ(inverted.width(), width);
        ASSERT_EQ(inverted.height(), height);
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            ASSERT_EQ(inverted.pixels<T>()[i], cuda::invertedLevel(image.pixels<T>()[i])) << "pixel " << i;
        }
    });
}

// The largest size needs more than one stride of the grid.
INSTANTIATE_TEST_SUITE_P(Sizes, InvertOnDevice,
                         testing::Combine(testing::Values(PixelType::u8, PixelType::u16),
                                          testing::Values(1U, 255U, 256U, 257U, 5003U),
                                          testing::Values(1U, 7U, 4001U)));

TEST(LevelOrder, ReversesTheOrderOfAllLevels) {
    for (std::uint32_t level = 0; level < 65535U; ++level) {
        const auto low = static_cast<std::uint16_t>(level);
        const auto high = static_cast<std::uint16_t>(level + 1);
        ASSERT_GT(cuda::invertedLevel(low), cuda::invertedLevel(high));
        ASSERT_EQ(cuda::invertedLevel(cuda::invertedLevel(low)), low);
    }
    EXPECT_EQ(cuda::invertedLevel(std::uint8_t{0}), 255);
}

} // namespace
} // namespace pollard
