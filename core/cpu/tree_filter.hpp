#pragma once

#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

namespace pollard::cpu {

/// Decides which nodes are kept and writes the requested output: a few passes over the nodes in the order of indices
/// and one gather over the pixels, independent of the tree's depth.
/// @param columns columnsOf() @p spec
/// @param out image of the type and size of @p image
/// @throws Error(invalidArgument) if columns are missing or have another size than the tree; Cancelled; @p out is then
/// undefined
[[nodiscard]] FilterReport filterTree(const ComponentTree& tree, const Image& image, const FilterSpec& spec,
                                      const FilterColumns& columns, Image& out, const JobControl& control);

} // namespace pollard::cpu
