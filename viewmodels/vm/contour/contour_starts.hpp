#pragma once

#include "vm/objects/object_listing.hpp"

#include "base/job_control.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_starts.hpp"
#include "snake/snake_spec.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pollard::vm {

/// Makes contours to start from; called on a worker.
using MakeContours = std::function<std::vector<Contour>(const JobControl& control)>;

/// The outlines of objects, thinned by ThinnedOutlines.
[[nodiscard]] MakeContours outlinesOf(const std::shared_ptr<const FoundObjects>& objects,
                                      std::vector<std::uint32_t> labels, const SnakeSpec& spec);
/// The same for components of a tree, without those that are inside another one of them.
[[nodiscard]] MakeContours outlinesOf(const std::shared_ptr<const ComponentTree>& tree,
                                      const std::shared_ptr<const NodeSet>& nodes, const SnakeSpec& spec);

} // namespace pollard::vm
