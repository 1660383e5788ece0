// The steps of the device's numbering and filter, run in loops on the host.

#include "device_trees.hpp"
#include "tree_on_host.hpp"

#include "cuda/nodes/filter_steps.hpp"

#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace pollard::testing {
namespace {

TEST(TourCut, GivesEverySlotOneElementAndBack) {
    for (const std::uint32_t elements : {2U, 4U, 6U, 16U, 18U, 1000U, 131072U, 131074U, 3'000'000U}) {
        const cuda::TourCut cut(elements);
        std::uint32_t used = 0;
        for (std::uint32_t slot = 0; slot < cut.slots(); ++slot) {
            ASSERT_EQ(cut.slotOf(cut.elementOf(slot)), slot);
            used += cut.elementOf(slot) < elements ? 1 : 0;
        }
        std::uint32_t splitting = 0;
        for (std::uint32_t element = 0; element < elements; ++element) {
            splitting += cut.slotOf(element) < cut.slots() ? 1 : 0;
        }
        EXPECT_EQ(used, splitting) << elements;
    }
}

TEST(TourCut, ReachesTheLargestNumberOfNodes) {
    const cuda::TourCut cut(0xffff'fffeU);
    for (std::uint32_t slot = 0; slot < cut.slots(); slot += 997) {
        ASSERT_EQ(cut.slotOf(cut.elementOf(slot)), slot);
    }
    EXPECT_GT(cut.slots(), 0x00ff'ffffU);
}

TEST(JoinSegments, HasRoundsEnoughForEveryList) {
    for (const std::uint32_t slots : {1U, 2U, 9U, 10U, 81U, 82U, 0x0400'0001U}) {
        std::uint64_t reach = 1;
        for (int round = cuda::JoinSegments::rounds(slots); round > 0; --round) {
            reach *= cuda::JoinSegments::kSegmentsJoined + 1;
        }
        EXPECT_GE(reach, slots);
        EXPECT_LT(reach, std::uint64_t{slots} * (cuda::JoinSegments::kSegmentsJoined + 1));
    }
}

/// Preorder by definition: an explicit stack, children pushed last first.
void expectPreorder(const std::vector<std::uint32_t>& parent) {
    const auto n = static_cast<std::uint32_t>(parent.size());
    std::vector<std::vector<std::uint32_t>> children(n);
    std::uint32_t root = 0;
    for (std::uint32_t v = 0; v < n; ++v) {
        if (parent[v] == v) {
            root = v;
        } else {
            children[parent[v]].push_back(v);
        }
    }
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> number(n);
    std::vector<std::uint32_t> depth(n, 0);
    std::vector<std::uint32_t> stack{root};
    std::uint32_t deepest = 0;
    while (!stack.empty()) {
        const std::uint32_t v = stack.back();
        stack.pop_back();
        number[v] = static_cast<std::uint32_t>(order.size());
        order.push_back(v);
        deepest = std::max(deepest, depth[v]);
        for (std::size_t c = children[v].size(); c-- > 0;) {
            depth[children[v][c]] = depth[v] + 1;
            stack.push_back(children[v][c]);
        }
    }
    std::vector<std::uint32_t> size(n, 1);
    for (std::size_t k = n; k-- > 1;) {
        size[parent[order[k]]] += size[order[k]];
    }
    const TourResult tour = numberOnHost(parent);
    for (std::uint32_t v = 0; v < n; ++v) {
        ASSERT_EQ(tour.numberAndEnd[2 * v], number[v]) << "node " << v;
        ASSERT_EQ(tour.numberAndEnd[2 * v + 1], number[v] + size[v]) << "node " << v;
    }
    ASSERT_EQ(tour.depth, deepest);
    // 2^-40 or so for a hash that spreads well, 8 to 64 being the mean.
    EXPECT_LT(tour.longestSegment, 30U * (n > 200'000 ? 64 : 8));
}

TEST(EulerTour, NumbersRandomTrees) {
    Random random(31);
    for (int repeat = 0; repeat < 400; ++repeat) {
        const std::uint32_t n = 1 + random() % 300;
        const std::uint32_t back = 1 + random() % n; // small: deep trees
        std::vector<std::uint32_t> label(n);         // so that a parent's place is anywhere
        std::iota(label.begin(), label.end(), 0U);
        for (std::uint32_t v = n; v-- > 1;) {
            std::swap(label[v], label[random() % (v + 1)]);
        }
        std::vector<std::uint32_t> parent(n);
        parent[label[0]] = label[0];
        for (std::uint32_t v = 1; v < n; ++v) {
            parent[label[v]] = label[v - 1 - random() % std::min(back, v)];
        }
        ASSERT_NO_FATAL_FAILURE(expectPreorder(parent)) << "repeat " << repeat;
    }
}

TEST(EulerTour, NumbersChainsInAnyOrder) {
    constexpr std::uint32_t kNodes = 65536;
    // The root first, last, or every 4097th place: the strides of ramps along rows and columns.
    const std::function<std::uint32_t(std::uint32_t)> places[] = {
        [](std::uint32_t k) { return k; },
        [](std::uint32_t k) { return kNodes - 1 - k; },
        [](std::uint32_t k) { return k * 4097U % kNodes; },
        [](std::uint32_t k) { return k * 32769U % kNodes; },
        [](std::uint32_t k) { return k * 257U % kNodes; },
    };
    for (const auto& place : places) {
        std::vector<std::uint32_t> parent(kNodes);
        for (std::uint32_t k = 0; k < kNodes; ++k) {
            parent[place(k)] = place(k > 0 ? k - 1 : 0);
        }
        ASSERT_NO_FATAL_FAILURE(expectPreorder(parent));
    }
}

TEST(EulerTour, NumbersStarsCombsAndBinaryTrees) {
    constexpr std::uint32_t kNodes = 300'000;
    std::vector<std::uint32_t> star(kNodes, kNodes / 2);
    ASSERT_NO_FATAL_FAILURE(expectPreorder(star));
    std::vector<std::uint32_t> comb(kNodes);
    std::vector<std::uint32_t> binary(kNodes);
    for (std::uint32_t v = 1; v < kNodes; ++v) {
        comb[v] = v % 2 == 0 ? v - 2 : v - 1;
        binary[v] = (v - 1) / 2;
    }
    ASSERT_NO_FATAL_FAILURE(expectPreorder(comb));
    ASSERT_NO_FATAL_FAILURE(expectPreorder(binary));
}

using StepsOnHost = TreesOfBothKinds;

TEST_P(StepsOnHost, NumberAsTheCpuEngine) {
    Random random(32);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 70, 1 + random() % 40);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        SCOPED_TRACE(repeat);
        ASSERT_NO_FATAL_FAILURE(
            expectEqual(treeOnHost(*image, tree.kind, tree.connectivity, canonicalParentImage(tree)), tree));
    }
}

TEST_P(StepsOnHost, NumberARampOfAllLevels) {
    const auto image =
        makeImage(PixelType::u16, 256, 256, [](auto x, auto y) { return y * 256 + (y % 2 == 0 ? x : 255 - x); });
    const auto session = build(image);
    const ComponentTree& tree = *session->tree();
    expectEqual(treeOnHost(*image, tree.kind, tree.connectivity, canonicalParentImage(tree)), tree);
    EXPECT_EQ(tree.nodeCount(), 65536U);
}

POLLARD_FOR_BOTH_KINDS(StepsOnHost);

TEST(DecideNodes, HoldsSixtyFourBitIntegersExactly) {
    const std::uint64_t values[] = {(std::uint64_t{1} << 53), (std::uint64_t{1} << 53) + 1, ~std::uint64_t{0}, 0};
    const auto meets = [&](double minimum, double maximum) {
        std::vector<std::uint8_t> result(4, 9);
        forEach(cuda::DecideNodes<std::uint64_t>{values,
                                                 boundsOf<std::uint64_t>({AttributeId::volume, minimum, maximum}), true,
                                                 true, result.data()},
                4);
        return result;
    };
    using Bits = std::vector<std::uint8_t>;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(meets(0x1p53, 0x1p53), (Bits{1, 0, 0, 0}));
    EXPECT_EQ(meets(0x1p53 + 2, kInfinity), (Bits{0, 0, 1, 0}));
    EXPECT_EQ(meets(-kInfinity, 0x1p64), (Bits{1, 1, 1, 1}));
    EXPECT_EQ(meets(0x1p64, kInfinity), (Bits{0, 0, 0, 0}));
    EXPECT_EQ(meets(-5, -0.5), (Bits{0, 0, 0, 0}));
    EXPECT_EQ(meets(-0.5, 0.5), (Bits{0, 0, 0, 1}));
    EXPECT_EQ(meets(std::nan(""), kInfinity), (Bits{0, 0, 0, 0}));
}

TEST(DecideNodes, NanMeetsNothing) {
    const double values[] = {std::nan(""), 1};
    std::vector<std::uint8_t> meets(2, 9);
    forEach(cuda::DecideNodes<double>{values, boundsOf<double>({AttributeId::mean}), true, true, meets.data()}, 2);
    EXPECT_EQ(meets, (std::vector<std::uint8_t>{0, 1}));
    // ... and does not undo the result of another criterion.
    forEach(cuda::DecideNodes<double>{values, boundsOf<double>({AttributeId::mean}), false, false, meets.data()}, 2);
    EXPECT_EQ(meets, (std::vector<std::uint8_t>{0, 1}));
}

} // namespace
} // namespace pollard::testing
