#pragma once

#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

namespace pollard::cpu {

/// Decides for every node whether it stays, and writes what the filter is asked for: a few passes over the nodes in the
/// order of their numbers and one gather over the pixels, whatever the depth of the tree.
/// @param columns as columnsOf() collects them for @p spec
/// @param out image of the type and size of @p image
/// @throws Error(invalidArgument) if columns are missing or have another size than the tree; Cancelled; @p out is then
///         undefined
[[nodiscard]] FilterReport filterTree(const ComponentTree& tree, const Image& image, const FilterSpec& spec,
                                      const FilterColumns& columns, Image& out, const JobControl& control);

} // namespace pollard::cpu
