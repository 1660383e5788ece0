#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// Sets the flag (0 or 1) of every node with a flagged descendant. O(nodes).
void spreadToAncestors(const ComponentTree& tree, Buffer<std::uint8_t>& flags) noexcept;

/// Replaces the decisions of the criteria (1 = meets them) by those of a rule. O(nodes).
/// - direct, subtractive: unchanged;
/// - min: a node stays if it and all its ancestors do;
/// - max: a node stays if it or a descendant does;
/// - viterbi: of all prunings (sets that contain the root and the parent of each node) the one that changes the fewest
///   decisions; at a tie the one that keeps most, which is the union of the tied ones.
/// keep[0] is the rule's decision for the root, always 1 under viterbi; callers that keep the root in any case set it
/// afterwards.
/// @param forced nodes with a decision of 1 that a pruning must keep, with their ancestors
/// Literature: P. Salembier, A. Oliveras, L. Garrido, "Antiextensive connected operators for image and sequence
/// processing", IEEE Trans. Image Processing 7(4), 1998.
/// @throws Cancelled
void applyRule(Rule rule, const ComponentTree& tree, std::span<const std::uint32_t> forced, Buffer<std::uint8_t>& keep,
               const JobControl& control);

} // namespace pollard
