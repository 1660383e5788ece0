#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "image/value_mapping.hpp"
#include "io/write/npy_writer.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

class AtomicFile;

/// Writes a line of column names and a line per node of the tree, or of @p chosen: id, parent, level, canonical_x,
/// canonical_y (in a volume of the slice, and canonical_z) and the given attributes. The root is its own parent; every
/// other parent index is smaller than the id. Numbers have the shortest text that reads back to the same value. The
/// caller commits @p file.
/// @param values of the levels: levels and attributes of grey are values then
/// @throws Error(writeFailed), Cancelled
void writeNodeTable(AtomicFile& file, const ComponentTree& tree,
                    const std::vector<std::shared_ptr<const AttributeColumn>>& columns, const JobControl& control,
                    const NodeSet* chosen = nullptr, const std::optional<ValueMapping>& values = {});

/// Writes a structured NumPy array with the rows and columns of writeNodeTable(), each column in its own type, or as
/// doubles if values replace levels, packed.
/// The caller commits the file.
/// @throws Error(writeFailed), Cancelled
[[nodiscard]] std::unique_ptr<NpyFile>
writeNodeArray(const std::filesystem::path& path, const ComponentTree& tree,
               const std::vector<std::shared_ptr<const AttributeColumn>>& columns, const JobControl& control = {},
               const NodeSet* chosen = nullptr, const std::optional<ValueMapping>& values = {});

inline constexpr std::size_t kMostDotNodes = 100000;

/// The subtree of a component as a graph in GraphViz's DOT language, edges from parent to child: at most @p most nodes
/// in breadth-first order, siblings by index. Labels show the index, the grey level and the given attributes; nodes
/// with omitted children have a dashed border. (Gansner, North: "An open graph visualization system and its
/// applications to software engineering", 2000)
/// @throws Error(invalidArgument) if the node does not exist, or if @p most is 0 or above kMostDotNodes
[[nodiscard]] std::string subtreeDot(const ComponentTree& tree, std::uint32_t node, std::size_t most,
                                     const std::vector<std::shared_ptr<const AttributeColumn>>& columns,
                                     const std::optional<ValueMapping>& values = {});

} // namespace pollard
