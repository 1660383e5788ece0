#pragma once

#include "cuda/components/object_atomics.hpp"

#include <cstdint>

namespace pollard::cuda {

inline constexpr std::uint32_t kNoComponent = 0xffff'ffffU;

/// Joins the trees of two nodes while other threads do so, in a forest in which every node points to itself or to an
/// earlier one; halves the paths that it walks. Linking the later root to any earlier node of the other tree keeps the
/// order. Entries are only lowered, so no link is lost.
/// @return the root that became a child, so each is returned once; kNoComponent if the nodes were in one tree
POLLARD_DEVICE inline std::uint32_t joinTrees(std::uint32_t* parents, std::uint32_t one, std::uint32_t other) {
    // Most nodes point to their root, and most that touch have one already. Both parents are loaded together.
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
            break; // path halving would skip this node, and climb to the root
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
        one = before; // another thread linked it first: its tree remains to be joined
    }
    return kNoComponent;
}

/// Root of a tree: its first node.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootOf(const std::uint32_t* parents, std::uint32_t node) {
    std::uint32_t parent = loadFresh(parents + node);
    while (parent != node) {
        node = parent;
        parent = loadFresh(parents + node);
    }
    return node;
}

/// The same in global memory for a forest that no thread joins, with path halving. Loads may be stale: any ancestor is
/// correct.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootByHalving(std::uint32_t* parents, std::uint32_t node) {
    std::uint32_t parent = loadCached(parents + node);
    while (parent != node) {
        const std::uint32_t above = loadCached(parents + parent);
        if (above == parent) {
            return parent;
        }
        storeFresh(parents + node, above); // any ancestor is correct, so concurrent stores need no order
        node = above;
        parent = loadCached(parents + node);
    }
    return node;
}

} // namespace pollard::cuda
