#pragma once

#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/region_measures.hpp"
#include "hierarchy/region_tree.hpp"
#include "io/write/text_file.hpp"
#include "options/image_argument.hpp"

#include <cstdint>
#include <vector>

namespace pollard::cli {

/// Writes a line for each node of a tree of regions that has pixels with data: its number, its parent's (empty for a
/// root) and all numbers of RegionMeasures. Numbers of grey levels are values of the image.
/// @param measures of the tree @param loaded the image of the tree
void writeRegionTable(TextFile& file, RegionMeasures& measures, const RegionTree& tree, const HierarchySpec& spec,
                      const LoadedImage& loaded, const JobControl& control);

/// Which nodes have at least @p least and at most @p most pixels, per node.
[[nodiscard]] std::vector<std::uint8_t> regionsOfSize(RegionMeasures& measures, std::uint64_t least, std::uint64_t most,
                                                      const JobControl& control);

} // namespace pollard::cli
