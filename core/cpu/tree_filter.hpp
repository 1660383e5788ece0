#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <memory>
#include <span>

namespace pollard::cpu {

/// Decides for every node whether it stays, and rebuilds the picture: a few passes over the nodes in the order of
/// their numbers and one gather over the pixels, whatever the depth of the tree.
/// @param columns the attribute of each criterion of @p spec, in the same order
/// @param out image of the type and size of @p image
/// @throws Cancelled; @p out is then undefined
[[nodiscard]] FilterReport filterTree(const ComponentTree& tree, const Image& image, const FilterSpec& spec,
                                      std::span<const std::shared_ptr<const AttributeColumn>> columns, Image& out,
                                      const JobControl& control);

} // namespace pollard::cpu
