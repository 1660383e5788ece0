#include "cuda/boruvka/bricks/brick_domain.hpp"
#include "cuda/boruvka/bricks/brick_work.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/boruvka/tile_work.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

// Packed words of `boruvka`.

namespace pollard::cuda {
namespace {

TEST(Direction, LeadsToEachNeighbourAndBack) {
    std::set<std::pair<int, int>> seen;
    for (std::uint32_t d = 0; d < 8; ++d) {
        seen.insert({stepRight(d), stepDown(d)});
        EXPECT_EQ(stepRight(opposite(d)), -stepRight(d)) << d;
        EXPECT_EQ(stepDown(opposite(d)), -stepDown(d)) << d;
        EXPECT_EQ(stepRight(d) != 0 && stepDown(d) != 0, d % 2 == 1) << d;
    }
    EXPECT_EQ(seen.size(), 8U);
    EXPECT_EQ(seen.count({0, 0}), 0U);
}

TEST(SpaceDirection, LeadsToEachNeighbourAndBack) {
    using Direction = SpaceDirection;
    std::set<std::tuple<int, int, int>> seen;
    for (std::uint32_t d = 0; d < Direction::kCount; ++d) {
        seen.insert({Direction::x(d), Direction::y(d), Direction::z(d)});
        EXPECT_EQ(Direction::x(Direction::opposite(d)), -Direction::x(d)) << d;
        EXPECT_EQ(Direction::y(Direction::opposite(d)), -Direction::y(d)) << d;
        EXPECT_EQ(Direction::z(Direction::opposite(d)), -Direction::z(d)) << d;
    }
    EXPECT_EQ(seen.size(), 27U);
    EXPECT_EQ(std::popcount(Neighbourhood<6>::directions()), 6);
    EXPECT_EQ(std::popcount(Neighbourhood<18>::directions()), 18);
    EXPECT_EQ(std::popcount(Neighbourhood<26>::directions()), 26);
}

TEST(Neighbourhood, HasDetoursThatAreShorterOrLater) {
    for (std::uint32_t d = 0; d < SpaceDirection::kCount; ++d) {
        if (Neighbourhood<6>::has(d)) {
            EXPECT_EQ(Neighbourhood<6>::detours(d), 0U) << "straight edges make no triangles";
        }
        for (std::uint32_t by = 0; by < SpaceDirection::kCount; ++by) {
            const bool isDetour = (Neighbourhood<26>::detours(d) >> by & 1U) != 0;
            EXPECT_FALSE(isDetour && (Neighbourhood<26>::detours(by) >> d & 1U) != 0) << "one of the two comes first";
            EXPECT_FALSE(isDetour && by == SpaceDirection::kNowhere);
        }
    }
    // The body diagonal has the six other voxels of its cube.
    EXPECT_EQ(Neighbourhood<26>::detours(26), 1U << 14U | 1U << 16U | 1U << 17U | 1U << 22U | 1U << 23U | 1U << 25U);
}

TEST(RotatedLevels, CountFromTheEnd) {
    const std::vector<std::uint8_t> pixels{3, 5, 250};
    const RotatedLevels<std::uint8_t> turned{pixels.data() + 2, 0};
    const RotatedLevels<std::uint8_t> reversed{pixels.data() + 2, 255};
    EXPECT_EQ(turned[0], 250);
    EXPECT_EQ(turned[2], 3);
    EXPECT_EQ(reversed[0], 5);
    EXPECT_EQ(reversed[1], 250);
}

TEST(EdgeKey, IsTheLowerEndAndTheWayToTheOther) {
    constexpr std::uint32_t kLast = 0xffff'fffe;
    EXPECT_EQ(EdgeKey::between(7, 100, 9, 101, kEast), EdgeKey::make(7, 100, kEast));
    EXPECT_EQ(EdgeKey::between(9, 100, 7, 101, kEast), EdgeKey::make(7, 101, kWest));
    EXPECT_EQ(EdgeKey::between(7, 100, 7, 101, kEast),
              EdgeKey::make(7, 100, kEast)); // equal levels: the first pixel counts as lower
    EXPECT_EQ(EdgeKey::saddle(EdgeKey::make(65535, kLast, kNorthEast)), kLast);
    EXPECT_NE(EdgeKey::make(0, 0, kEast), EdgeKey::kNone);
}

TEST(EdgeKey, OrdersByLevelThenPixelThenDirection) {
    std::uint64_t previous = EdgeKey::kNone;
    for (const std::uint32_t level : {0U, 1U, 65535U}) {
        for (const std::uint32_t pixel : {0U, 1U, 0x8000'0000U, 0xffff'fffeU}) {
            for (std::uint32_t d = 0; d < SpaceDirection::kCount; ++d) {
                const std::uint64_t key = EdgeKey::make(level, pixel, d);
                EXPECT_GT(key, previous);
                previous = key;
                EXPECT_TRUE(EdgeKey::reaches(key, pixelKey(level, pixel)));
                EXPECT_FALSE(EdgeKey::reaches(key, pixelKey(level, pixel) + 1));
            }
        }
    }
}

TEST(KeyLayout, KeepsBranchLevelAndPixelApart) {
    for (const bool mayPack : {true, false}) {
        for (const std::uint32_t levelBits : {8U, 16U}) {
            const KeyLayout layout = KeyLayout::of(1000, levelBits, 70000, mayPack);
            EXPECT_EQ(layout.isPacked(), mayPack);
            EXPECT_EQ(layout.branchBits, 10U);
            EXPECT_LE(layout.sortedBits().end, 64);
            const std::uint32_t top = (1U << levelBits) - 1;
            const std::vector<std::uint64_t> keys{layout.make(0, 0, 69999), layout.make(0, top, 1),
                                                  layout.make(999, 0, 2), layout.make(999, top, 69999),
                                                  layout.make(999, top, 69999)};
            const std::vector<std::uint32_t> pixels{69999, 1, 2, 69999, 69999};
            const SortedPixels sorted{keys.data(), mayPack ? nullptr : pixels.data(), layout};
            for (std::size_t k = 0; k < keys.size(); ++k) {
                EXPECT_EQ(sorted.pixel(k), pixels[k]);
                EXPECT_EQ(sorted.branch(k), k < 2 ? 0U : 999U);
                EXPECT_EQ(sorted.level(k), k % 2 == 0 && k < 4 ? 0U : top);
                EXPECT_EQ(sorted.startsBranch(k), k == 0 || k == 2);
                EXPECT_EQ(sorted.startsRun(k), k < 4);
                EXPECT_EQ(StartsRun{sorted}(static_cast<std::uint32_t>(k)), k < 4 ? 1U : 0U);
            }
        }
    }
}

TEST(KeyLayout, PutsThePixelBesideTheKeyWhenBitsRunOut) {
    EXPECT_TRUE(KeyLayout::of(1U << 23U, 16, 1U << 25U).isPacked());
    EXPECT_FALSE(KeyLayout::of((1U << 23U) + 1, 16, 1U << 25U).isPacked());
    EXPECT_FALSE(KeyLayout::of(1U << 23U, 16, (1U << 25U) + 1).isPacked());
    const KeyLayout widest = KeyLayout::of(1U << 30U, 16, std::numeric_limits<std::int32_t>::max());
    EXPECT_FALSE(widest.isPacked());
    EXPECT_EQ(widest.sortedBits().end, 46);
    EXPECT_EQ(widest.branch(widest.make((1U << 30U) - 1, 65535, 5)), (1U << 30U) - 1);
    const KeyLayout smallest = KeyLayout::of(1, 8, 1);
    EXPECT_TRUE(smallest.isPacked());
}

TEST(SortedPixels, FindTheStartOfEveryRun) {
    for (const bool mayPack : {true, false}) {
        const KeyLayout layout = KeyLayout::of(300, 8, 5000, mayPack);
        std::vector<std::uint64_t> keys;
        std::vector<std::uint32_t> starts;
        std::vector<std::uint32_t> pixels;
        for (std::uint32_t run = 0; run < 70; ++run) { // runs of 1 to 70 pixels, not ordered by length
            const auto start = static_cast<std::uint32_t>(keys.size());
            for (std::uint32_t i = 0; i <= run * 37 % 70; ++i) {
                pixels.push_back(static_cast<std::uint32_t>(keys.size()));
                keys.push_back(layout.make(run / 3, 100 + run % 3, pixels.back()));
                starts.push_back(start);
            }
        }
        const SortedPixels sorted{keys.data(), mayPack ? nullptr : pixels.data(), layout};
        for (std::uint32_t k = 0; k < keys.size(); ++k) {
            ASSERT_EQ(sorted.startOfRun(k), starts[k]) << k;
        }
    }
}

TEST(BranchCapacity, CountsTilesMaximaAndPairs) {
    const auto capacity = BranchCapacity::of<EngineTile>(130, 65, false);
    EXPECT_EQ(capacity.tileColumns, 3U);
    EXPECT_EQ(capacity.tileRows, 2U);
    EXPECT_EQ(capacity.maxima, (130U * 65 + 6) / 2);
    EXPECT_EQ(capacity.frozen, 6U * 256);
    EXPECT_EQ(capacity.edges, 6U * 256 + 2 * 65 + 130);
    EXPECT_EQ(capacity.labels, 2U * (2 * 130 + 3 * 65));
    EXPECT_EQ(BranchCapacity::of<EngineTile>(130, 65, true).edges, 6U * 256 + 2 * (2 * 65 + 130));
    EXPECT_EQ(BranchCapacity::of<EngineTile>(1, 1, true).frozen, 1U);
}

TEST(BranchCapacity, CountsBricksFacesAndTheirCrossings) {
    constexpr Extent kVolume{33, 16, 17}; // 3 x 1 x 2 bricks
    constexpr std::uint64_t kAcrossX = 2 * 16 * 17;
    constexpr std::uint64_t kAcrossZ = 33 * 16;
    const auto capacity = BrickDomain<EngineBrick, 6>::capacity(kVolume);
    EXPECT_EQ(capacity.maxima, (33U * 16 * 17 + 6) / 2);
    EXPECT_EQ(capacity.frozen, capacity.maxima);
    EXPECT_EQ(capacity.edges, capacity.frozen + kAcrossX + kAcrossZ);
    EXPECT_EQ(capacity.labels, 2U * (3 * 16 * 17 + 33 * 17 + 2 * 33 * 16));
    EXPECT_EQ((BrickDomain<EngineBrick, 18>::capacity(kVolume).edges),
              capacity.frozen + 3 * (kAcrossX + kAcrossZ) + 2 * 16);
    EXPECT_EQ((BrickDomain<EngineBrick, 26>::capacity(kVolume).edges),
              capacity.frozen + kAcrossX + kAcrossZ + 2 * 2 * 16);
    EXPECT_EQ((BrickDomain<EngineBrick, 26>::capacity({1, 1, 1}).frozen), 1U);
}

} // namespace
} // namespace pollard::cuda
