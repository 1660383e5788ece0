#pragma once

#include "components/strips/part_sums.hpp"

#include <cstdint>

namespace pollard::cuda {

/// No component.
inline constexpr std::uint32_t kNobody = 0xffff'ffffU;

/// Adds what the words of a warp give to components. Where several lanes have the same one, one of them adds it for
/// all. All lanes of the warp call this for words of one row.
/// @param k component, or kNobody
template <bool kGrey, bool kWide> POLLARD_DEVICE inline void
addOfWarp(const PartTable<kGrey, kWide>& table, std::uint32_t k, const WordSums& sums, std::uint32_t row) {
#ifdef __CUDACC__
    namespace cg = cooperative_groups;
    constexpr unsigned kFewLanes = 2; // adding up in registers pays from the third lane on
    const auto group = cg::labeled_partition(cg::coalesced_threads(), k);
    if (k == kNobody) {
        return;
    }
    if (group.size() <= kFewLanes) {
        table.add(k, sums, row);
        return;
    }
    const auto added = [&](std::uint32_t value) { return cg::reduce(group, value, cg::plus<std::uint32_t>()); };
    const auto least = [&](std::uint32_t value) { return cg::reduce(group, value, cg::less<std::uint32_t>()); };
    const auto most = [&](std::uint32_t value) { return cg::reduce(group, value, cg::greater<std::uint32_t>()); };
    WordSums all;
    all.pixels = added(sums.pixels);
    all.sumX = added(sums.sumX);
    if constexpr (kWide) {
        all.sumXX = cg::reduce(group, sums.sumXX, cg::plus<std::uint64_t>());
    } else { // two sums that fit words
        all.sumXX = added(static_cast<std::uint32_t>(sums.sumXX & 0xffffU)) +
                    (std::uint64_t{added(static_cast<std::uint32_t>(sums.sumXX >> 16U))} << 16U);
    }
    all.left = least(sums.left);
    all.right = most(sums.right);
    all.sides = added(sums.sides);
    all.euler = added(sums.euler);
    if constexpr (kGrey) {
        all.greyMin = least(sums.greyMin);
        all.greyMax = most(sums.greyMax);
        all.greySum = added(sums.greySum);
    }
    if (group.thread_rank() == 0) {
        table.add(k, all, row);
    }
#else
    if (k != kNobody) {
        table.add(k, sums, row);
    }
#endif
}

} // namespace pollard::cuda
