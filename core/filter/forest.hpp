#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pollard {

inline constexpr std::size_t kMostDecisionTrees = 256;
inline constexpr std::size_t kMostQuestions = 1000; ///< of a decision tree
inline constexpr std::uint32_t kMostAround = 1'000'000;

/// The smallest component around a node with at least this multiple of its area; the root if there is none.
[[nodiscard]] std::uint32_t componentAround(const ComponentTree& tree, const AttributeColumn& area, std::uint32_t node,
                                            std::uint32_t multiple) noexcept;
/// An attribute of a component relative to the one around it: their difference if it is measured on grey levels, else
/// their ratio; NaN if that is not finite.
[[nodiscard]] double relativeTo(double around, double own, AttributeId id) noexcept;

/// Why a forest cannot decide: a limit that it exceeds, or a question that leads to none or to an earlier one; empty if
/// it can.
[[nodiscard]] std::string forestProblem(const Forest& forest);

/// Parses `area>=100 around 2 ? keep : 1`: a criterion, ForestNode::around unless it is 1, and what follows if the
/// criterion is met and if it is not.
/// @throws Error(invalidArgument) naming the text and the problem
[[nodiscard]] ForestNode parseQuestion(const std::string& text);
/// Text that parseQuestion() parses to an equal question.
[[nodiscard]] std::string toString(const ForestNode& node);

/// The nodes that FilterSpec::criteria and FilterSpec::forest keep, 1 or 0. A comparison of its own attribute is exact
/// in the type of the column. One pass in the order of the nodes finds the components around a node, by bisection on
/// its ancestors; it needs memory for 65,536 nodes and the ancestors of one.
/// @param columns columnsOf() @p spec, in pixels
/// @throws Error(invalidArgument) for a forestProblem(), or if a column is missing or has another size than the tree;
/// Cancelled
[[nodiscard]] Buffer<std::uint8_t> meetForest(const ComponentTree& tree, const FilterSpec& spec,
                                              const FilterColumns& columns, const JobControl& control);

} // namespace pollard
