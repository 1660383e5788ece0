#pragma once

#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

namespace pollard::vm {

/// The nodes that a filter keeps, or removes. The root is kept if the rule itself keeps it.
/// @throws Cancelled
[[nodiscard]] NodeSet decidedNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                   bool kept, const JobControl& control);

} // namespace pollard::vm
