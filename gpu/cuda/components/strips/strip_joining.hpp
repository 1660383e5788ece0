#pragma once

#include "cuda/components/object_atomics.hpp"

#include <cstdint>

namespace pollard::cuda {

inline constexpr std::uint32_t kNoComponent = 0xffff'ffffU;

/// Joins the trees of two nodes of a forest in which every node points to itself or to an earlier one, while other
/// threads do the same; ways that are walked are halved. Linking the later root to any node of the other tree that is
/// earlier keeps the order. Entries are lowered alone, never raised, so that no link is lost.
/// @returns the root that became a child, so that each is returned once; kNoComponent if they were in one tree
POLLARD_DEVICE inline std::uint32_t joinTrees(std::uint32_t* parents, std::uint32_t one, std::uint32_t other) {
    // Most nodes point to their root, and most that touch have one already. Both parents are read at once.
    const std::uint32_t parentOfOne = loadFresh(parents + one);
    const std::uint32_t parentOfOther = loadFresh(parents + other);
    one = parentOfOne;
    other = parentOfOther;
    while (one != other) {
        if (one < other) {
            const std::uint32_t swapped = one;
            one = other;
            other = swapped;
        }
        const std::uint32_t parent = loadFresh(parents + one);
        if (parent == other) {
            break; // halving the way would leap over it, and so on up to the root
        }
        if (parent != one) {
            const std::uint32_t above = loadFresh(parents + parent);
            if (above != parent) {
                lowerTo(parents + one, above);
            }
            one = above;
            continue;
        }
        const std::uint32_t before = lowered(parents + one, other);
        if (before == one) {
            return one;
        }
        one = before; // another thread linked it first: its tree is left to be joined
    }
    return kNoComponent;
}

/// The first node of a tree.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootOf(const std::uint32_t* parents, std::uint32_t node) {
    std::uint32_t parent = loadFresh(parents + node);
    while (parent != node) {
        node = parent;
        parent = loadFresh(parents + node);
    }
    return node;
}

/// The same for nodes in global memory in a forest that nobody joins any more, and halves the way for others that walk
/// it. Parents are read as they were some time ago, perhaps: any ancestor will do.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootByHalving(std::uint32_t* parents, std::uint32_t node) {
    std::uint32_t parent = loadCached(parents + node);
    while (parent != node) {
        const std::uint32_t above = loadCached(parents + parent);
        if (above == parent) {
            return parent;
        }
        storeFresh(parents + node, above); // so writers need not agree
        node = above;
        parent = loadCached(parents + node);
    }
    return node;
}

} // namespace pollard::cuda
