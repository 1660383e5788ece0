#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "tree/component_tree.hpp"
#include "tree/tree_sweeps.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Extinction values by a measure that grows from a node to its parent (Vachier, Meyer 1995): where components meet,
/// the one with the largest measure goes on, and of equal ones the one whose surviving leaf has the smaller canonical
/// pixel; the others are extinct, with their measure there as their extinction value. The root's is its measure.
/// @return per node, in the memory of @p measure, the value of the leaf that survives in it. By height this is the
/// dynamics (Grimaud 1992). O(nodes), parallel.
template <class T>
[[nodiscard]] Buffer<T> extinctionsOf(const ComponentTree& tree, Buffer<T> measure, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint32_t> heir(n); // the child that goes on; 0, which is no child, for leaves
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
    // A node that goes on has its parent's value; the others keep their measure.
    sweepDown(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        if (heir[parent] == i) {
            measure[i] = measure[parent];
        }
    });
    return measure;
}

} // namespace pollard::cpu
