#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "image/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// The object of another label image in which an object lies.
struct ObjectParent {
    std::uint32_t label = 0; ///< 0: none
    double overlap = 0;      ///< pixels in the parent / pixels of the object

    bool operator==(const ObjectParent&) const = default;
};

/// The parent of every object (index label - 1): the object of @p parents that shares most pixels with it; at a tie the
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

/// The objects of @p parents in ascending order, including objects without children.
/// @param found of parentsOf()
/// @param children labels of the children to count
[[nodiscard]] std::vector<ChildCount> countChildren(std::span<const std::uint32_t> parents,
                                                    std::span<const ObjectParent> found,
                                                    std::span<const std::uint32_t> children);

/// A channel whose objects are counted within the objects of an image.
struct CountedChannel {
    std::string channel;        ///< name
    std::optional<double> from; ///< lowest value of its objects; empty: the threshold that Otsu's method finds

    bool operator==(const CountedChannel&) const = default;
};

/// Column "count[RFP]": for each object the number of objects of a channel that have it as their parent, see
/// parentsOf(). Objects of the channel have 8 neighbours in images and 26 in volumes.
/// @param components with labels
/// @param from smallest value of the channel's objects; unset: Otsu's threshold
/// @throws Error(invalidArgument) for a plane of another size; Cancelled
[[nodiscard]] ObjectColumn countColumn(const Components& components, const ChannelPlane& plane,
                                       std::optional<double> from, const JobControl& control = {});

} // namespace pollard
