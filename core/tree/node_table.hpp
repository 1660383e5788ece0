#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace pollard {

class AtomicFile;

/// Writes a line of column names and a line per node of the tree, or of @p chosen: id, parent, level, canonical_x,
/// canonical_y and the given attributes. The root is its own parent; every other parent index is smaller than the id.
/// Numbers have the shortest text that reads back to the same value. The caller commits @p file.
/// @throws Error(writeFailed), Cancelled
void writeNodeTable(AtomicFile& file, const ComponentTree& tree,
                    const std::vector<std::shared_ptr<const AttributeColumn>>& columns, const JobControl& control,
                    const NodeSet* chosen = nullptr);

} // namespace pollard
