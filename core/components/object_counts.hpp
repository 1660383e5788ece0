#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "image/channel.hpp"

#include <optional>
#include <string>

namespace pollard {

/// Objects of a channel that are counted in the objects of an image.
struct CountedChannel {
    std::string channel;        ///< name
    std::optional<double> from; ///< lowest value of its objects; empty: the threshold that Otsu's method finds

    bool operator==(const CountedChannel&) const = default;
};

/// Column "count[RFP]": the number of objects of a channel that have most of their pixels in each object, as
/// `components --parents` counts children. They have 8 neighbours in images and 26 in volumes.
/// @param components with labels
/// @param from their smallest value; unset: Otsu's threshold
/// @throws Error(invalidArgument) for a plane of another size; Cancelled
[[nodiscard]] ObjectColumn countColumn(const Components& components, const ChannelPlane& plane,
                                       std::optional<double> from, const JobControl& control = {});

} // namespace pollard
