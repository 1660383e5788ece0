#pragma once

#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Sweeps that pass values from child to parent or from parent to child, on all threads of the arena, at a cost
// independent of the tree's depth. Blocks of consecutive nodes are swept in parallel: a component within one block
// depends on nothing else. A sweep up continues with larger and larger blocks and the nodes that are left: nodes whose
// component crosses the end of their block, and nodes whose parent is in another block. A sweep down begins with the
// nodes whose components cross ends of blocks, on one thread.

namespace pollard {

inline constexpr std::size_t kSweepBlock = 1U << 16;

/// Calls `give(node, parent)` once for every node but the root, after all calls with the node as the parent. Calls with
/// the same parent are serialised, in no particular order.
/// @throws Cancelled
template <class Give>
void sweepUp(const ComponentTree& tree, const JobControl& control, Give&& give, std::size_t block = kSweepBlock) {
    constexpr std::size_t kJoined = 16; // blocks that become one
    const std::size_t n = tree.nodeCount();
    using Nodes = std::vector<std::uint32_t>; // descending
    const auto sweep = [&](std::size_t b, std::uint32_t node, Nodes& left) {
        const std::uint32_t parent = tree.parent[node];
        if (parent >= b * block && tree.subtreeEnd[node] <= std::min(n, (b + 1) * block)) {
            give(node, parent);
        } else {
            left.push_back(node);
        }
    };
    std::vector<Nodes> left((n + block - 1) / block);
    forEachIndex(
        left.size(), control,
        [&](std::size_t b) {
            const std::size_t begin = std::max<std::size_t>(b * block, 1); // the root has no parent
            for (std::size_t i = std::min(n, (b + 1) * block); i-- > begin;) {
                sweep(b, static_cast<std::uint32_t>(i), left[b]);
            }
        },
        1);
    while (left.size() > 1) {
        block *= kJoined;
        std::vector<Nodes> next((left.size() + kJoined - 1) / kJoined);
        forEachIndex(
            next.size(), control,
            [&](std::size_t b) {
                for (std::size_t part = std::min(left.size(), (b + 1) * kJoined); part-- > b * kJoined;) {
                    control.throwIfStopped();
                    for (const std::uint32_t node : left[part]) {
                        sweep(b, node, next[b]);
                    }
                }
            },
            1);
        left = std::move(next);
    }
}

/// Calls `take(node, parent)` once for every node but the root, after the call for the parent.
/// @throws Cancelled
template <class Take>
void sweepDown(const ComponentTree& tree, const JobControl& control, Take&& take, std::size_t block = kSweepBlock) {
    const std::size_t n = tree.nodeCount();
    // Per block the nodes whose component crosses its end, ascending: the ancestors, within the block, of the first
    // node after it.
    std::vector<std::vector<std::uint32_t>> crossing((n + block - 1) / block);
    for (std::size_t b = 0; b + 1 < crossing.size(); ++b) {
        control.throwIfStopped();
        for (std::uint32_t i = tree.parent[(b + 1) * block]; i >= b * block && i != 0; i = tree.parent[i]) {
            crossing[b].push_back(i);
        }
        std::ranges::reverse(crossing[b]);
        for (const std::uint32_t i : crossing[b]) {
            take(i, tree.parent[i]);
        }
    }
    forEachIndex(
        crossing.size(), control,
        [&](std::size_t b) {
            auto i = static_cast<std::uint32_t>(std::max<std::size_t>(b * block, 1));
            const auto takeUntil = [&](std::size_t end) {
                for (; i < end; ++i) {
                    take(i, tree.parent[i]);
                }
            };
            for (const std::uint32_t taken : crossing[b]) {
                takeUntil(taken);
                i = taken + 1;
            }
            takeUntil(std::min(n, (b + 1) * block));
        },
        1);
}

} // namespace pollard
