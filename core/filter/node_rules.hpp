#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// Sets the flag (0 or 1) of every node whose component holds a node with the flag. O(nodes).
void spreadToAncestors(const ComponentTree& tree, Buffer<std::uint8_t>& flags) noexcept;

/// Turns decisions of the criteria (1 = meets them) into those of a rule; all are O(nodes).
///  - direct, subtractive: as they are;
///  - min: a node stays if it and all its ancestors do;
///  - max: a node stays if it or any descendant does;
///  - viterbi: of all prunings (sets with the root in which the parent of each node is too) the one that changes the
///    fewest decisions; of several the one that keeps most, which is their union.
/// keep[0] is the root's decision by the rule, which under viterbi is always 1; callers that keep the root whatever
/// the rule says set it afterwards.
/// @param forced nodes with a decision of 1 that a pruning has to keep, hence their ancestors too
/// Literature: P. Salembier, A. Oliveras, L. Garrido, "Antiextensive connected operators for image and sequence
/// processing", IEEE Trans. Image Processing 7(4), 1998.
/// @throws Cancelled
void applyRule(Rule rule, const ComponentTree& tree, std::span<const std::uint32_t> forced, Buffer<std::uint8_t>& keep,
               const JobControl& control);

} // namespace pollard
