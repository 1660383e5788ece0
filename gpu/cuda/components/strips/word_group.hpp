#pragma once

#include "cuda/components/strips/row_table.hpp"

#include <cstdint>

namespace pollard::cuda {

/// No component.
inline constexpr std::uint32_t kNobody = 0xffff'ffffU;

/// Adds the sums of the lanes of a warp to their components. If several lanes have the same component, one of them adds
/// for all. Called by all lanes of the warp.
/// @param k component, or kNobody
template <bool kGrey>
POLLARD_DEVICE inline void addOfWarp(const RowTable<kGrey>& table, std::uint32_t k, const WordSums& sums) {
#ifdef __CUDACC__
    namespace cg = cooperative_groups;
    constexpr unsigned kFewLanes = 2; // reduction in registers pays from the third lane on
    const auto group = cg::labeled_partition(cg::coalesced_threads(), k);
    if (k == kNobody) {
        return;
    }
    if (group.size() <= kFewLanes) {
        table.add(k, sums);
        return;
    }
    const auto added = [&](std::uint32_t value) { return cg::reduce(group, value, cg::plus<std::uint32_t>()); };
    const auto least = [&](std::uint32_t value) { return cg::reduce(group, value, cg::less<std::uint32_t>()); };
    const auto most = [&](std::uint32_t value) { return cg::reduce(group, value, cg::greater<std::uint32_t>()); };
    WordSums all;
    all.pixels = added(sums.pixels);
    all.sumX = cg::reduce(group, sums.sumX, cg::plus<std::uint64_t>());
    all.sumXX = cg::reduce(group, sums.sumXX, cg::plus<std::uint64_t>());
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
        table.add(k, all);
    }
#else
    if (k != kNobody) {
        table.add(k, sums);
    }
#endif
}

} // namespace pollard::cuda
