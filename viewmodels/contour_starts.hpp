#pragma once

#include "object_listing.hpp"

#include "base/job_control.hpp"
#include "image/region_shape.hpp"
#include "snake/contour.hpp"
#include "snake/snake_spec.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pollard::vm {

/// Contours to start from; runs on a worker.
using MakeContours = std::function<std::vector<Contour>(const JobControl& control)>;

/// More are refused: every state asks all contours.
inline constexpr std::size_t kMostContours = 256;

/// The shapes as polygons on the corners of pixels.
[[nodiscard]] std::vector<Contour> contoursOf(const std::vector<RegionShape>& shapes, const SnakeSpec& spec,
                                              std::uint32_t width, std::uint32_t height);

/// The outlines of objects, thinned to nodes SnakeSpec::minLength apart; closer where thinned ones would hold the same
/// pixels.
[[nodiscard]] MakeContours outlinesOf(const std::shared_ptr<const FoundObjects>& objects,
                                      std::vector<std::uint32_t> labels, const SnakeSpec& spec);
/// The same for components of a tree; of those that another one of them holds nothing is made.
[[nodiscard]] MakeContours outlinesOf(const std::shared_ptr<const ComponentTree>& tree,
                                      const std::shared_ptr<const NodeSet>& nodes, const SnakeSpec& spec);

} // namespace pollard::vm
