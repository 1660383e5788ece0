#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "tree/component_tree.hpp"
#include "tree/tree_sweeps.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

/// The components that survive where components meet.
struct Survivors {
    Buffer<std::uint32_t> heir; ///< per node its surviving child; 0, which is no child, for leaves
    Buffer<std::uint32_t> leaf; ///< per node the canonical pixel of its surviving leaf
};

/// Survivors for a measure that increases from a node to its parent: where components meet, the one with the largest
/// measure survives, at a tie the one whose surviving leaf has the smaller canonical pixel. O(nodes), parallel.
template <class T>
[[nodiscard]] Survivors survivorsOf(const ComponentTree& tree, const Buffer<T>& measure, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Survivors of{Buffer<std::uint32_t>(n), Buffer<std::uint32_t>(n)};
    forEachIndex(n, control, [&](std::size_t i) {
        of.heir[i] = 0;
        of.leaf[i] = tree.canonical[i];
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        const std::uint32_t rival = of.heir[parent];
        if (rival == 0 || measure[i] > measure[rival] ||
            (measure[i] == measure[rival] && of.leaf[i] < of.leaf[rival])) {
            of.heir[parent] = i;
            of.leaf[parent] = of.leaf[i];
        }
    });
    return of;
}

/// Extinction values for a measure that increases from a node to its parent (Vachier, Meyer 1995): if a component does
/// not survive where components meet, see survivorsOf(), its measure is its extinction value. The extinction value of
/// the root is its measure.
/// @return per node, in the memory of @p measure, the value of its surviving leaf. For the height this is the dynamics
/// (Grimaud 1992). O(nodes), parallel.
template <class T>
[[nodiscard]] Buffer<T> extinctionsOf(const ComponentTree& tree, Buffer<T> measure, const JobControl& control) {
    const Buffer<std::uint32_t> heir = survivorsOf(tree, measure, control).heir;
    // A surviving node has its parent's value; the others keep their measure.
    sweepDown(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        if (heir[parent] == i) {
            measure[i] = measure[parent];
        }
    });
    return measure;
}

} // namespace pollard
