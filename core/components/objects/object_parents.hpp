#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// The object of another label image that an object lies in.
struct ObjectParent {
    std::uint32_t label = 0; ///< 0: none
    double overlap = 0;      ///< pixels in the parent / pixels of the object

    bool operator==(const ObjectParent&) const = default;
};

/// The parent of every object (index label - 1): the object of @p parents with most of its pixels; of equal ones the
/// smallest label. Parallel over objects.
/// @param children with labels
/// @param parents labels of another image of the same size, 0 = background
/// @throws Error(invalidArgument) for images of different sizes; Cancelled
[[nodiscard]] std::vector<ObjectParent> parentsOf(const Components& children, std::span<const std::uint32_t> parents,
                                                  const JobControl& control = {});

/// An object with its number of children.
struct ChildCount {
    std::uint32_t parent = 0;
    std::uint32_t children = 0;

    bool operator==(const ChildCount&) const = default;
};

/// The objects of @p parents in ascending order, those without children included.
/// @param found of parentsOf()
/// @param children labels of the children to count
[[nodiscard]] std::vector<ChildCount> countChildren(std::span<const std::uint32_t> parents,
                                                    std::span<const ObjectParent> found,
                                                    std::span<const std::uint32_t> children);

} // namespace pollard
