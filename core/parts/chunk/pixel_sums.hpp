#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "parts/chunk/open_nodes.hpp"
#include "parts/part_job.hpp"
#include "parts/summaries.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Joins the summaries of each pixel of a chunk to those of the nearest open node that has it, except PixelCount and
/// LevelTotal.
/// @param surroundings of the chunk, see ChunkImage; may be null unless the job needs OutlineTotals
/// @param own of the open nodes
void joinPixels(const PartJob& job, const ChunkBox& box, const Image& image, const Image* surroundings,
                const ComponentTree& tree, const OpenNodes& open, Summaries& own, const JobControl& control);

} // namespace pollard
