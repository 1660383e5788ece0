#include "cuda/components/ha4/ha4.hpp"
#include "cuda/components/tmk/tmk.hpp"
#include "cuda/components/tmk/tmk_build.hpp"

#include "base/error.hpp"
#include "cuda/device/device_memory.hpp"
#include "on_gpu.hpp"
#include "support/object_masks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The published labelling algorithms on the GPU against the CPU's objects.

namespace pollard::cuda {
namespace {

using pollard::testing::granularMask;
using pollard::testing::makeImage;
using pollard::testing::Random;

struct Published {
    const char* name;
    DeviceComponents (*run)(const LabellingInput&, const std::shared_ptr<DeviceMemory>&, StageClock&,
                            const JobControl&);
    std::uint64_t (*estimate)(const Extent&, const ComponentsSpec&, bool);
};

constexpr std::array kAll{Published{"ha4_32", labelByHa4With32, estimateHa4Bytes},
                          Published{"ha4_64", labelByHa4With64, estimateHa4Bytes},
                          Published{"tmk", labelByTmk, estimateTmkBytes}};

class PublishedLabelling : public pollard::testing::OnGpu, public ::testing::WithParamInterface<Published> {
protected:
    void SetUp() override {
        OnGpu::SetUp();
        if (!IsSkipped()) {
            memory_ = DeviceMemory::create();
        }
    }

    template <class T> [[nodiscard]] DeviceBuffer<T> upload(const T* data, std::size_t count) {
        DeviceBuffer<T> buffer(memory_, count, "a test's input");
        check(cudaMemcpyAsync(buffer.data(), data, buffer.bytes(), cudaMemcpyHostToDevice, memory_->stream()),
              "upload");
        check(cudaStreamSynchronize(memory_->stream()), "upload");
        return buffer;
    }
    template <class T> [[nodiscard]] std::vector<T> download(const DeviceBuffer<T>& buffer, std::size_t count) {
        std::vector<T> values(count);
        check(
            cudaMemcpyAsync(values.data(), buffer.data(), count * sizeof(T), cudaMemcpyDeviceToHost, memory_->stream()),
            "download");
        check(cudaStreamSynchronize(memory_->stream()), "download");
        return values;
    }
    [[nodiscard]] DeviceBuffer<Mask::Word> upload(const Mask& mask) {
        std::vector<Mask::Word> words;
        for (std::uint32_t y = 0; y < mask.height(); ++y) {
            words.insert(words.end(), mask.row(y).begin(), mask.row(y).end());
        }
        return upload(words.data(), words.size());
    }
    [[nodiscard]] static DeviceMask view(const DeviceBuffer<Mask::Word>& words, const Mask& mask) {
        return {static_cast<const std::uint32_t*>(static_cast<const void*>(words.data())), mask.width(), mask.height()};
    }

    /// @param grey may be null
    void compare(const Mask& mask, const Image* grey) {
        const Components expected = labelComponents(mask, grey, {});
        const auto words = upload(mask);
        LabellingInput input{view(words, mask), {}, Connectivity::four, true, true};
        DeviceBuffer<std::byte> levels;
        if (grey != nullptr) {
            levels = upload(static_cast<const std::byte*>(static_cast<const void*>(grey->data())), grey->bytes());
            input.grey = DeviceImage{levels.data(), grey->type(), grey->width(), grey->height()};
        }
        memory_->resetPeak();
        const std::uint64_t before = memory_->usedBytes();
        StageClock clock(memory_->stream());
        const DeviceComponents objects = GetParam().run(input, memory_, clock, {});
        ASSERT_EQ(objects.count, expected.count);
        EXPECT_EQ(objects.foreground, expected.foreground);
        const auto labels = download(objects.labels, objects.labels.size());
        EXPECT_TRUE(std::equal(labels.begin(), labels.end(), expected.labels.begin(), expected.labels.end()));
        if (objects.count > 0) {
            EXPECT_TRUE(std::ranges::equal(download(objects.records, objects.count), expected.objects));
        }
        EXPECT_LE(memory_->peakBytes() - before,
                  GetParam().estimate({mask.width(), mask.height()}, {}, grey != nullptr));
        ASSERT_FALSE(HasFailure()) << mask.width() << " x " << mask.height() << " px, " << expected.count << " objects";
    }

    [[nodiscard]] static std::shared_ptr<Image> noise(Random& random, PixelType type, const Mask& mask) {
        return makeImage(type, mask.width(), mask.height(), [&](auto, auto) { return random(); });
    }

    std::shared_ptr<DeviceMemory> memory_;
};

TEST_P(PublishedLabelling, GivesTheObjectsOfRandomMasks) {
    for (std::uint32_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
        Random random(seed);
        const std::uint32_t width = 1 + random() % 700;
        const std::uint32_t height = 1 + random() % 90;
        const Mask mask = granularMask(random, width, height, 1 + random() % 16, random() % 101);
        const auto grey = noise(random, seed % 2 == 0 ? PixelType::u8 : PixelType::u16, mask);
        compare(mask, seed % 3 == 0 ? nullptr : grey.get());
    }
}

TEST_P(PublishedLabelling, GivesTheObjectsOfHardMasks) {
    for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 500U}, {500U, 1U}, {63U, 33U}, {600U, 301U}}) {
        for (const Mask& mask : pollard::testing::hardMasks(width, height)) {
            compare(mask, nullptr);
        }
    }
}

TEST_P(PublishedLabelling, GivesTheObjectsOfLargeMasks) {
    Random random(9);
    for (const auto& [width, height, densities] :
         {std::tuple{2049U, 1537U, std::vector{10U, 30U, 50U, 60U, 90U}}, {4096U, 4096U, std::vector{10U, 50U, 60U}}}) {
        for (const std::uint32_t density : densities) {
            const Mask mask = granularMask(random, width, height, density % 20 == 10 ? 1 : 4, density);
            const auto grey = density == 50 ? noise(random, PixelType::u16, mask) : nullptr;
            compare(mask, grey.get());
        }
    }
}

TEST_P(PublishedLabelling, RefusesConnectivityEight) {
    const Mask mask(40, 30, true);
    const auto words = upload(mask);
    StageClock clock(memory_->stream());
    EXPECT_THROW(
        static_cast<void>(GetParam().run({view(words, mask), {}, Connectivity::eight, true, true}, memory_, clock, {})),
        Error);
}

TEST_P(PublishedLabelling, MakesOnlyWhatIsAskedFor) {
    const Mask mask(40, 30, true);
    const auto words = upload(mask);
    StageClock clock(memory_->stream());
    const auto labels = GetParam().run({view(words, mask), {}, Connectivity::four, true, false}, memory_, clock, {});
    EXPECT_EQ(labels.labels.size(), 1200U);
    EXPECT_TRUE(labels.records.empty());
    const auto records = GetParam().run({view(words, mask), {}, Connectivity::four, false, true}, memory_, clock, {});
    EXPECT_TRUE(records.labels.empty());
    EXPECT_EQ(download(records.records, 1).front().area, 1200U);
}

TEST_P(PublishedLabelling, MeasuresTheLabelsOfAnotherAlgorithm) {
    if (GetParam().run != labelByTmk) {
        GTEST_SKIP() << "a part of tmk alone";
    }
    Random random(4);
    StageClock clock(memory_->stream());
    const JobControl control;
    for (int frame = 0; frame < 6; ++frame) {
        const Mask mask = granularMask(random, 500, 400, 4, frame < 4 ? 30 : 10);
        const Components expected = labelComponents(mask, nullptr, {});
        const auto words = upload(mask);
        const auto labels = upload(expected.labels.data(), expected.labels.size());
        PassMachine machine(memory_, clock, control, "a test");
        constexpr std::uint32_t kMost = 500 * 400 / 2;
        auto objects = TmkAnalysis<PassMachine, kTmkNodes>(machine, view(words, mask))
                           .run(labels.data(), static_cast<const std::uint8_t*>(nullptr), kMost);
        ASSERT_EQ(download(objects.count, 1).front(), expected.count);
        const auto sums = download(objects.sums, expected.count);
        const auto names = download(objects.labels, expected.count);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            ASSERT_EQ(sums[i].record(false), expected.objects[names[i] - 1]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, PublishedLabelling, ::testing::ValuesIn(kAll),
                         [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace pollard::cuda
