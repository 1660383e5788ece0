// The steps of a filter on the device, run on the host: equal to the CPU engine's.

#include "kernels/filter_on_host.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "support/affordable.hpp"
#include "support/ranked_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace pollard::testing {
namespace {

bool equalPixels(const Image& a, const Image& b) { return std::equal(a.data(), a.data() + a.bytes(), b.data()); }

class FilterStepsOnHost : public ::testing::TestWithParam<std::tuple<TreeKind, Connectivity>> {
protected:
    static std::unique_ptr<Session> build(const std::shared_ptr<const Image>& image,
                                          const std::optional<ValueMapping>& mapping = {}) {
        auto session = makeCpuEngine()->openSession();
        session->open(image, nullptr, mapping);
        session->buildTree({std::get<0>(GetParam()), std::get<1>(GetParam()), {}});
        return session;
    }

    /// Compares every rule and every output with the CPU.
    template <class Machine> static void expectAsCpu(const Image& image, Session& session, FilterSpec spec) {
        const ComponentTree& tree = *session.tree();
        const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return session.attribute(id); });
        Image expected(image.type(), image.width(), image.height());
        Image actual(image.type(), image.width(), image.height());
        for (const Rule rule : kAllRules) {
            spec.rule = rule;
            for (const Output output : kAllOutputs) {
                SCOPED_TRACE(::testing::Message() << nameOf(rule) << ", " << nameOf(output));
                spec.output = output;
                const FilterReport wanted = session.filter(spec, expected);
                const FilterReport report = FilterOnHost<Machine>(tree, spec, columns).filter(image, actual);
                ASSERT_EQ(report.keptNodes, wanted.keptNodes);
                ASSERT_EQ(report.removedNodes, wanted.removedNodes);
                ASSERT_EQ(report.changedPixels, wanted.changedPixels);
                ASSERT_EQ(report.unknownPicks, wanted.unknownPicks);
                ASSERT_TRUE(equalPixels(actual, expected));
            }
            const LabelImage wanted = session.labels(spec);
            const LabelImage labels = FilterOnHost<Machine>(tree, spec, columns).labels();
            ASSERT_EQ(labels.count, wanted.count);
            ASSERT_TRUE(std::equal(wanted.labels.begin(), wanted.labels.end(), labels.labels.begin()));
        }
    }
};

TEST_P(FilterStepsOnHost, EqualTheCpuEngine) {
    Random random(33);
    for (std::uint32_t repeat = 0; repeat < affordable(300); ++repeat) {
        SCOPED_TRACE(repeat);
        const auto image = randomImage(random, 1 + random() % 40, 1 + random() % 40);
        const auto session = build(image);
        const FilterSpec spec =
            randomFilter(random, *session->tree(), [&](AttributeId id) { return session->attribute(id); });
        ASSERT_NO_FATAL_FAILURE(expectAsCpu<LoopMachineOf<32>>(*image, *session, spec));
        ASSERT_NO_FATAL_FAILURE(expectAsCpu<LoopMachineOf<64>>(*image, *session, spec));
    }
}

/// Columns of ranks are real numbers.
TEST_P(FilterStepsOnHost, CountProminentLeavesOfRanks) {
    Random random(35);
    const auto image = makeImage(PixelType::u16, 31, 27, [&](auto, auto) { return random() % 60; });
    const auto session = build(image, rankedMapping(ValueType::f32, unevenFloats(random, 60)));
    for (const Prominence measure : kAllProminences) {
        for (const std::uint32_t count : {1U, 7U, 40U}) {
            FilterSpec spec;
            spec.prominent = Prominent{measure, count};
            const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return session->attribute(id); });
            Image expected(image->type(), image->width(), image->height());
            Image actual(image->type(), image->width(), image->height());
            const FilterReport wanted = session->filter(spec, expected);
            const FilterReport report = FilterOnHost<>(*session->tree(), spec, columns).filter(*image, actual);
            ASSERT_EQ(report.keptNodes, wanted.keptNodes) << static_cast<int>(measure) << ' ' << count;
            ASSERT_TRUE(equalPixels(actual, expected));
        }
    }
}

TEST_P(FilterStepsOnHost, FindTheNearestKeptAncestorInDeepTrees) {
    const auto image =
        makeImage(PixelType::u16, 256, 256, [](auto x, auto y) { return y * 256 + (y % 2 == 0 ? x : 255 - x); });
    const auto session = build(image);
    FilterSpec spec;
    spec.match = Match::any;
    spec.criteria = {{AttributeId::area, 65536}, {AttributeId::level, 30000, 30010}, {AttributeId::area, 0, 1}};
    ASSERT_NO_FATAL_FAILURE(expectAsCpu<LoopMachineOf<32>>(*image, *session, spec));
    spec.criteria = {{AttributeId::area, 0, 0}}; // none is kept
    spec.removed = {session->tree()->canonical[40'000]};
    spec.kept = {session->tree()->canonical[100], session->tree()->canonical[50'000], 65'536};
    ASSERT_NO_FATAL_FAILURE(expectAsCpu<LoopMachineOf<64>>(*image, *session, spec));
}

/// A machine on which blocks cannot wait for each other.
struct MachineWithoutRoom : LoopMachine {
    template <class Team> [[nodiscard]] std::uint32_t climbBlocks() { return 0; }
};

TEST(ClimbTeam, IsRefusedWhereBlocksCannotWaitForEachOther) {
    Random random(81);
    const auto session = makeCpuEngine()->openSession();
    session->open(randomImage(random, 12, 9));
    session->buildTree({});
    const ComponentTree& tree = *session->tree();
    MachineWithoutRoom machine;
    const auto ranked =
        FilterOnHost<>::Ranked::make(machine, tree.subtreeEnd.data(), static_cast<std::uint32_t>(tree.nodeCount()));
    std::vector<std::uint64_t> below(tree.nodeCount());
    std::vector<std::uint8_t> keep(tree.nodeCount());
    try {
        cuda::climb(machine, ranked, tree.parent.data(),
                    cuda::PruningLaw{tree.parent.data(), below.data(), keep.data()});
        ADD_FAILURE() << "it climbs without a block";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::deviceFailed) << "another engine is to take over";
    }
}

/// The decisions of PruningLaw by blocks of so many threads.
template <std::uint32_t kThreads>
std::vector<std::uint8_t> climbed(const ComponentTree& tree, std::vector<std::uint8_t> keep) {
    LoopMachineOf<kThreads> machine;
    const auto ranked =
        FilterOnHost<>::Ranked::make(machine, tree.subtreeEnd.data(), static_cast<std::uint32_t>(tree.nodeCount()));
    std::vector<std::uint64_t> below(tree.nodeCount());
    cuda::climb(machine, ranked, tree.parent.data(), cuda::PruningLaw{tree.parent.data(), below.data(), keep.data()});
    return keep;
}

TEST(ClimbTeam, JoinsPathsOfManyChunksInBlocksOfAnySize) {
    Random random(82);
    const auto session = makeCpuEngine()->openSession();
    session->open(makeImage(PixelType::u16, 64, 64, [](auto x, auto y) { return y * 64 + (y % 2 == 0 ? x : 63 - x); }));
    session->buildTree({});
    const ComponentTree& tree = *session->tree();
    ASSERT_EQ(tree.nodeCount(), 4096) << "one path";
    std::vector<std::uint8_t> keep(tree.nodeCount());
    std::ranges::generate(keep, [&] { return random() % 2; });
    std::vector<std::uint8_t> expected = keep;
    for (std::int64_t node = 4095, excess = 0; node >= 0; --node) {
        excess = (keep[node] != 0 ? -1 : 1) + std::min<std::int64_t>(excess, 0);
        expected[node] = excess <= 0 ? 1 : 0;
    }
    EXPECT_TRUE(climbed<32>(tree, keep) == expected);
    EXPECT_TRUE(climbed<64>(tree, keep) == expected);
}

TEST_P(FilterStepsOnHost, RefuseWhatTheyCannotDo) {
    const auto image = makeImage(PixelType::u8, 9, 7, [](auto x, auto y) { return x * y; });
    const auto session = build(image);
    FilterSpec spec;
    EXPECT_NO_THROW(FilterOnHost(*session->tree(), spec, {}));
    spec.criteria = {{AttributeId::area, 3}};
    EXPECT_THROW(FilterOnHost(*session->tree(), spec, {}), Error) << "a column is missing";
    spec.criteria.clear();
    spec.prominent = Prominent{Prominence::dynamics, 1};
    EXPECT_THROW(FilterOnHost(*session->tree(), spec, {}), Error) << "the column of prominence is missing";
}

INSTANTIATE_TEST_SUITE_P(All, FilterStepsOnHost,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)));

} // namespace
} // namespace pollard::testing
