#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/nodes/climb_team.hpp"

#include <cstddef>
#include <cstdint>

// Extinction values for a measure that grows from a node to its parent (Vachier, Meyer 1995), with the definition of
// core: where components meet, the one with the largest measure survives, of equal ones the one whose surviving leaf
// has the smaller canonical pixel.

namespace pollard::cuda {

/// Finds the largest measure among the children of each node.
template <class T> struct RaiseToMeasure {
    const std::uint32_t* parent;
    const T* measure;
    T* largest; ///< per node; 0 at the start

    POLLARD_HOST_DEVICE void operator()(std::size_t child) const noexcept {
        raiseInStep(largest + parent[child + 1], measure[child + 1]); // skips the root, which has no parent
    }
};

/// x -> min(x, leaf), or the constant leaf.
struct SurvivorChoice {
    std::uint32_t leaf;
    std::uint32_t ignores; ///< 1: the constant function
};

/// As a law of climb(): the canonical pixel of the leaf that survives in each node. The children with the largest
/// measure compete.
template <class T> struct SurvivorLaw {
    using Value = SurvivorChoice;

    const std::uint32_t* parent;
    const std::uint32_t* subtreeEnd;
    const std::uint32_t* canonical;
    const T* measure;
    const T* largest;    ///< among a node's children
    std::uint32_t* leaf; ///< 0xffffffff (larger than every pixel) at the start; the best of the children of smaller
                         ///< rank until the node is finished

    [[nodiscard]] POLLARD_HOST_DEVICE static Value join(const Value& first, const Value& then) noexcept {
        if (then.ignores != 0) {
            return then;
        }
        return {first.leaf < then.leaf ? first.leaf : then.leaf, first.ignores};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE Value of(std::uint32_t node, std::uint32_t child) const noexcept {
        if (subtreeEnd[node] == node + 1) {
            return {canonical[node], 1};
        }
        // If another child is larger than the one on the path, its leaf is already stored.
        const bool competes = child != kNoChild && measure[child] == largest[node];
        return {leaf[node], competes ? 0U : 1U};
    }
    POLLARD_HOST_DEVICE void finish(std::uint32_t node, const Value& joined, bool endsPath) const noexcept {
        leaf[node] = joined.leaf;
        if (endsPath && node > 0 && measure[node] == largest[parent[node]]) {
            lowerInStep(leaf + parent[node], joined.leaf);
        }
    }
};

/// A component whose leaf does not survive in its parent assigns its measure to its leaf; so does the root.
template <class T> struct LeaveExtinction {
    const std::uint32_t* parent;
    const std::uint32_t* pixelNode;
    const std::uint32_t* leaf; ///< surviving leaf of each node
    const T* measure;
    T* extinction; ///< per node; each leaf's entry is written once

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (node == 0 || leaf[parent[node]] != leaf[node]) {
            extinction[pixelNode[leaf[node]]] = measure[node];
        }
    }
};
/// A node has the value of the leaf that survives in it.
template <class T> struct ExtinctionOf {
    using Value = T;
    const std::uint32_t* pixelNode;
    const std::uint32_t* leaf;
    const T* extinction; ///< per leaf

    [[nodiscard]] POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return extinction[pixelNode[leaf[node]]];
    }
};

} // namespace pollard::cuda
