#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "io/write/npy_writer.hpp"
#include "tree/component_tree.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace pollard {

/// Writes a structured NumPy array with a row per node and the columns of writeNodeTable(): id, parent, level,
/// canonical_x, canonical_y and the given attributes, each in its own type, packed. The caller commits the file.
/// @throws Error(writeFailed), Cancelled
[[nodiscard]] std::unique_ptr<NpyFile>
writeNodeArray(const std::filesystem::path& path, const ComponentTree& tree,
               const std::vector<std::shared_ptr<const AttributeColumn>>& columns, const JobControl& control = {});

} // namespace pollard
