// The steps that measure attributes on the device, run on the host: bit-identical to the CPU engine's values.

#include "kernels/loop_machine.hpp"

#include "cpu/cpu_engine.hpp"
#include "cpu/node_attributes.hpp"
#include "cuda/emulation/emulator.hpp"
#include "cuda/nodes/node_measures.hpp"
#include "cuda/tree/interval_table.hpp"
#include "support/affordable.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

namespace pollard::testing {
namespace {

template <class Machine> using Measures = cuda::NodeMeasures<Machine>;

using cuda::emulation::Emulator;

constexpr const char* kNoOtherAccesses = "large images access no other shared memory than small ones";

template <class T> bool sameBits(T a, T b) {
    if constexpr (std::is_same_v<T, double>) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
    } else {
        return a == b;
    }
}

class NodeMeasuresOnHost : public ::testing::TestWithParam<std::tuple<TreeKind, Connectivity>> {
protected:
    /// @param momentsAlone measures no other attributes
    static void expectAsCpu(const std::shared_ptr<const Image>& image, bool momentsAlone = false) {
        const auto [kind, connectivity] = GetParam();
        auto session = makeCpuEngine()->openSession();
        session->open(image);
        session->buildTree({kind, connectivity, {}});
        const auto tree = session->tree();
        using enum cuda::MeasureFamily;
        const auto isMoment = [](cuda::MeasureFamily family) { return family == moments || family == thirdMoments; };
        ASSERT_NO_FATAL_FAILURE(expectAsCpu<LoopMachineOf<32>>(
            *session, false, [&](auto family) { return !momentsAlone || isMoment(family); }));
        ASSERT_NO_FATAL_FAILURE(expectAsCpu<LoopMachineOf<32>>(*session, true, isMoment));
        ASSERT_NO_FATAL_FAILURE(expectAsCpu<LoopMachineOf<64>>(
            *session, false, [&](auto family) { return !momentsAlone && family == survivors; })); // by a ClimbTeam
    }

private:
    /// @param matters whether attributes of a MeasureFamily are measured
    template <class Machine, class Matters>
    static void expectAsCpu(Session& session, bool listsPixels, const Matters& matters) {
        const ComponentTree& tree = *session.tree();
        const bool isVolume = tree.slices > 1;
        Machine machine;
        Measures<Machine> measures(planOf(tree), {tree.slices, tree.sides}, listsPixels);
        for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
            if (!matters(cuda::familyOf(info.id, isVolume)) ||
                !cuda::canMeasure(info.id, tree.extent(), tree.connectivity)) {
                continue;
            }
            SCOPED_TRACE(info.name);
            const typename Measures<Machine>::Column column = measures.measure(info.id, machine);
            const auto expected = session.attribute(info.id);
            ASSERT_EQ(column.index(), expected->values.index());
            std::visit(
                [&]<class T>(const LoopMachine::Buffer<T>& values) {
                    const auto& wanted = std::get<Buffer<T>>(expected->values);
                    ASSERT_EQ(values.size(), wanted.size());
                    for (std::size_t i = 0; i < wanted.size(); ++i) {
                        ASSERT_TRUE(sameBits(values.data()[i], wanted[i]))
                            << "node " << i << ": " << values.data()[i] << " instead of " << wanted[i];
                    }
                },
                column);
        }
    }
};

TEST_P(NodeMeasuresOnHost, EqualTheCpuEngineOnRandomImages) {
    Random random(61);
    for (std::uint32_t repeat = 0; repeat < affordable(300); ++repeat) {
        SCOPED_TRACE(repeat);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, 1 + random() % 70, 1 + random() % 50)));
    }
}

TEST_P(NodeMeasuresOnHost, EqualTheCpuEngineOnLines) {
    Random random(62);
    for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 2U}, {2U, 1U}, {300U, 1U}, {1U, 300U}, {2U, 2U}}) {
        SCOPED_TRACE(::testing::Message() << width << " x " << height);
        for (std::uint32_t repeat = 0; repeat < affordable(9); ++repeat) {
            ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, width, height)));
        }
    }
}

TEST_P(NodeMeasuresOnHost, EqualTheCpuEngineWhereThirdMomentsLeave64Bits) {
    if (Emulator::kFindsRaces) {
        GTEST_SKIP() << kNoOtherAccesses;
    }
    constexpr std::uint32_t kLength = 56'000;
    ASSERT_FALSE(cuda::fits64Bits(kLength, 1, 3));
    Random random(65);
    ASSERT_NO_FATAL_FAILURE(
        expectAsCpu(makeImage(PixelType::u8, kLength, 1, [&](auto, auto) { return random() % 3; }), true));
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(makeImage(PixelType::u16, 1, kLength, [](auto, auto y) { return y; }), true));
}

TEST_P(NodeMeasuresOnHost, EqualTheCpuEngineOnAllLevels) {
    if (Emulator::kFindsRaces) {
        GTEST_SKIP() << kNoOtherAccesses;
    }
    // The deepest possible tree: every node has one child.
    ASSERT_NO_FATAL_FAILURE(
        expectAsCpu(makeImage(PixelType::u16, 256, 512, [](auto x, auto y) { return (y * 256 + x) / 2; })));
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(makeImage(PixelType::u8, 200, 150, [](auto, auto) { return 7; })));
    Random random(63);
    ASSERT_NO_FATAL_FAILURE(
        expectAsCpu(makeImage(PixelType::u16, 400, 300, [&](auto, auto) { return random() % 65536; })));
}

INSTANTIATE_TEST_SUITE_P(All, NodeMeasuresOnHost,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)));

class VolumeMeasuresOnHost : public NodeMeasuresOnHost {};

TEST_P(VolumeMeasuresOnHost, EqualTheCpuEngineOnRandomVolumes) {
    Random random(66);
    for (std::uint32_t repeat = 0; repeat < affordable(500); ++repeat) {
        SCOPED_TRACE(repeat);
        const std::uint32_t most = repeat % 10 == 0 ? 70 : 12;
        const auto volume = randomVolume(random, {1 + random() % most, 1 + random() % most, 2 + random() % 12});
        volume->setSides({1, 0.25 * (1 + random() % 9), 0.3 * (1 + random() % 9)});
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(volume)) << text(volume->extent());
    }
}

TEST_P(VolumeMeasuresOnHost, EqualTheCpuEngineOnLinesAndPlanes) {
    Random random(67);
    for (const Extent extent : {Extent{1, 1, 2}, Extent{1, 1, 300}, Extent{1, 40, 30}, Extent{40, 1, 30},
                                Extent{300, 1, 2}, Extent{1, 300, 2}, Extent{2, 2, 2}, Extent{33, 33, 2}}) {
        SCOPED_TRACE(text(extent));
        for (std::uint32_t repeat = 0; repeat < affordable(5); ++repeat) {
            ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomVolume(random, extent)));
        }
    }
}

TEST_P(VolumeMeasuresOnHost, EqualTheCpuEngineOnDeepTreesAndLargeSums) {
    if (Emulator::kFindsRaces) {
        GTEST_SKIP() << kNoOtherAccesses;
    }
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(makeVolume(PixelType::u16, {40, 32, 24}, [](auto x, auto y, auto z) {
        const std::uint32_t row = z * 32 + (z % 2 == 0 ? y : 31 - y);
        return row * 40 + (row % 2 == 0 ? x : 39 - x); // one path through all voxels
    })));
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(makeVolume(PixelType::u8, {50, 40, 30}, [](auto, auto, auto) { return 7; })));
    const auto rod = makeVolume(PixelType::u16, {2, 20'000, 3}, [](auto, auto y, auto) { return y; });
    rod->setSides({1, 3, 2});
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(rod, true));
}

INSTANTIATE_TEST_SUITE_P(All, VolumeMeasuresOnHost,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::six, Connectivity::eighteen,
                                                              Connectivity::twentySix)));

TEST(NodeMeasures, RefusesWhatItCannotMeasure) {
    const auto image = makeImage(PixelType::u8, 5, 4, [](auto x, auto y) { return x * y; });
    auto session = makeCpuEngine()->openSession();
    session->open(image);
    session->buildTree({});
    cuda::NodePlan plan = planOf(*session->tree());
    plan.width = 1; // refused before any pixel is read
    plan.height = 0xffff'ffffU;
    Measures<LoopMachine> measures(plan);
    LoopMachine machine;
    for (const AttributeInfo& info : allAttributes()) {
        EXPECT_TRUE(cuda::canMeasure(info.id, {5, 4})) << info.name;
        if (!cuda::canMeasure(info.id, {plan.width, plan.height})) {
            EXPECT_THROW((void)measures.measure(info.id, machine), Error) << info.name;
        }
    }
    EXPECT_TRUE(cuda::canMeasure(AttributeId::entropy, {0x7fff'ffffU, 1}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::entropy, {1, 0x8000'0000U}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::hu3, {6000, 4000}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::hu3, {60'000, 40'000}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::hu3, {1, 2'100'000}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::hu2, {60'000, 40'000}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::hu2, {1, 0xffff'ffffU}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::area, {1, 0xffff'ffffU}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::medium, {6000, 4000}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::hu1, {600, 400, 2}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::medium, {1024, 1024, 4095}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::medium, {1, 1, 2'097'151}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::centroidZ, {1, 1, 2'097'152}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::surface, {1, 1, 0x7fff'ffffU}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::surface, {1, 1, 0x8000'0000U}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::outerMean, {1, 1, 0x7fff'ffffU}));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::outerMean, {1, 1, 0x8000'0000U}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::border, {1, 1, 0x8000'0000U}));
    EXPECT_TRUE(cuda::canMeasure(AttributeId::euler, {9, 9, 9}, Connectivity::twentySix));
    EXPECT_FALSE(cuda::canMeasure(AttributeId::euler, {9, 9, 9}, Connectivity::eighteen));
}

/// All intervals and thresholds of some numbers, compared with a loop.
TEST(IntervalTable, AnswersAsALoopDoes) {
    struct Above {
        std::uint32_t limit;
        bool operator()(std::uint32_t value) const { return value > limit; }
    };
    using Join = cuda::Largest<std::uint32_t>;
    Random random(64);
    for (const std::uint32_t count : {1U, 2U, 3U, 4U, 5U, 15U, 16U, 17U, 63U, 64U, 65U, 150U}) {
        std::vector<std::uint32_t> values(count);
        for (auto& value : values) {
            value = random() % 50;
        }
        std::vector<std::uint32_t> groups(cuda::groupEntries(count));
        const std::uint32_t* from = values.data();
        std::uint32_t* to = groups.data();
        for (std::size_t size = count / cuda::kGroupSize; size > 0; size /= cuda::kGroupSize) {
            for (std::size_t g = 0; g < size; ++g) {
                cuda::JoinGroup<Join>{from, to}(g);
            }
            from = to;
            to += size;
        }
        ASSERT_EQ(to, groups.data() + groups.size());
        const cuda::IntervalTable<Join> table{values.data(), groups.data(), count};
        for (std::uint32_t end = 1; end <= count; ++end) {
            for (std::uint32_t begin = 0; begin < end; ++begin) {
                ASSERT_EQ(table.over(begin, end), *std::max_element(values.begin() + begin, values.begin() + end));
            }
            for (std::uint32_t limit = 0; limit < 50; ++limit) {
                std::uint32_t expected = 99;
                for (std::uint32_t i = 0; i < end; ++i) {
                    expected = values[i] > limit ? i : expected;
                }
                ASSERT_EQ(table.lastBefore(end, 99, Above{limit}), expected);
            }
        }
    }
}

} // namespace
} // namespace pollard::testing
