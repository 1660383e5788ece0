#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/stage_timer.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Canonical parent image of the tree that buildComponentTree() builds (see pollard::canonicalParentImage()), without
/// building that tree: the same tiles and seams, without sorting and numbering. Stages: tiles, seams, nodes, flatten.
/// @throws Cancelled, Error(outOfMemory)
[[nodiscard]] Buffer<std::uint32_t> buildParentImage(const Image& image, const TreeSpec& spec,
                                                     const JobControl& control, StageTimer& timer);

} // namespace pollard::cpu
