#pragma once

#include "components/components.hpp"
#include "cuda/components/device_mask.hpp"
#include "kernels/build_fixture.hpp"
#include "support/object_masks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

// Common parts of tests of labelling algorithms with the GPU kernels in the emulator.

namespace pollard::cuda::testing {

/// A mask in the memory of the emulated device.
class EmulatedMask {
public:
    explicit EmulatedMask(const Mask& mask) {
        for (std::uint32_t y = 0; y < mask.height(); ++y) {
            const auto row = mask.row(y);
            const std::size_t before = words_.size();
            words_.resize(before + 2 * row.size());
            std::memcpy(words_.data() + before, row.data(), row.size_bytes());
        }
        view_ = {words_.data(), mask.width(), mask.height()};
    }
    EmulatedMask(const EmulatedMask&) = delete;
    EmulatedMask& operator=(const EmulatedMask&) = delete;

    [[nodiscard]] const DeviceMask& view() const noexcept { return view_; }

private:
    std::vector<std::uint32_t> words_;
    DeviceMask view_{};
};

/// A mask and a grey image of 8 or 16 bits, drawn from @p seed: granularity 1 to 16, density 0 to 100 %.
struct RandomObjects {
    explicit RandomObjects(std::uint32_t seed, std::uint32_t mostWidth, std::uint32_t mostHeight)
        : random(seed), width(1 + random() % mostWidth), height(1 + random() % mostHeight),
          granularity(1 + random() % 16), density(random() % 101),
          mask(pollard::testing::granularMask(random, width, height, random() % 2 == 0 ? 1 : granularity, density)),
          grey(pollard::testing::makeImage(random() % 2 == 0 ? PixelType::u8 : PixelType::u16, width, height,
                                           [this](auto, auto) { return random(); })) {}

    pollard::testing::Random random;
    std::uint32_t width, height, granularity, density;
    Mask mask;
    std::shared_ptr<Image> grey;
};

/// Runs @p label(grey pixels or null) and compares its result with the CPU's labels and records and with flooding.
/// @param grey may be null
template <class Label> void expectSameObjects(const Mask& mask, const Image* grey, const Label& label) {
    const Components expected = labelComponents(mask, grey, {});
    const auto compare = [&](auto&& objects) {
        EXPECT_EQ(objects.count, expected.count);
        EXPECT_EQ(objects.foreground, expected.foreground);
        const std::vector<std::uint32_t> labels(objects.labels.data(), objects.labels.data() + objects.labels.size());
        EXPECT_TRUE(labels == std::vector<std::uint32_t>(expected.labels.begin(), expected.labels.end()));
        EXPECT_TRUE(labels == pollard::testing::floodedLabels(mask));
        const ComponentRecord* const first = objects.records.data();
        ASSERT_GE(objects.records.size(), expected.objects.size());
        EXPECT_TRUE(std::equal(expected.objects.begin(), expected.objects.end(), first));
    };
    if (grey == nullptr) {
        compare(label(static_cast<const std::uint8_t*>(nullptr)));
    } else {
        dispatch(grey->type(), [&]<class Level>(Level) { compare(label(grey->pixels<Level>().data())); });
    }
}

} // namespace pollard::cuda::testing
