#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "tree/component_tree.hpp"
#include "tree/tree_sweeps.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Extinction values for a measure that increases from a node to its parent (Vachier, Meyer 1995): where components
/// meet, the one with the largest measure survives, at a tie the one whose surviving leaf has the smaller canonical
/// pixel; the measure of the others there is their extinction value. That of the root is its measure.
/// @return per node, in the memory of @p measure, the value of its surviving leaf. For the height this is the dynamics
/// (Grimaud 1992). O(nodes), parallel.
template <class T>
[[nodiscard]] Buffer<T> extinctionsOf(const ComponentTree& tree, Buffer<T> measure, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint32_t> heir(n); // the surviving child; 0, which is no child, for leaves
    Buffer<std::uint32_t> leaf(n); // canonical pixel of the surviving leaf
    forEachIndex(n, control, [&](std::size_t i) {
        heir[i] = 0;
        leaf[i] = tree.canonical[i];
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        const std::uint32_t rival = heir[parent];
        if (rival == 0 || measure[i] > measure[rival] || (measure[i] == measure[rival] && leaf[i] < leaf[rival])) {
            heir[parent] = i;
            leaf[parent] = leaf[i];
        }
    });
    // A surviving node has its parent's value; the others keep their measure.
    sweepDown(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        if (heir[parent] == i) {
            measure[i] = measure[parent];
        }
    });
    return measure;
}

} // namespace pollard::cpu
