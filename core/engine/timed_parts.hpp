#pragma once

#include "base/job_control.hpp"
#include "base/stage_timer.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

// Parts that only benchmarks measure. Sessions and engines with such parts derive from these interfaces, too.

namespace pollard {

/// Parts of a Session.
class TimedParts {
public:
    virtual ~TimedParts() = default;

    /// Times since the last call that no report contains: copies between host and device ("upload", "download") and
    /// attributes ("area", ...), summed by name. Empty if the device is the host.
    [[nodiscard]] virtual std::vector<StageTime> takeTransferStages() { return {}; }

    /// Builds only the canonical parent image of the open image, discards it and returns the times of its stages. Empty
    /// if there is no such algorithm.
    /// @throws as Session::buildTree()
    [[nodiscard]] virtual std::vector<StageTime> timeParentImage(const TreeSpec& /*spec*/,
                                                                 const JobControl& /*control*/ = {}) {
        return {};
    }
};

/// Throughput of an engine that builds trees of consecutive images.
struct StreamReport {
    std::string algorithm;
    int images = 0;
    double milliseconds = 0; ///< wall time from the first image submitted to the last parent image received
};

/// An Engine that overlaps the transfers of an image with the computation of others.
class TreeStreamer {
public:
    virtual ~TreeStreamer() = default;

    /// Builds the canonical parent image of @p count images, cycling through @p images of one type and size.
    /// @throws Error, Cancelled
    [[nodiscard]] virtual StreamReport streamTrees(std::span<const std::shared_ptr<const Image>> images,
                                                   const TreeSpec& spec, int count, const JobControl& control = {}) = 0;
};

} // namespace pollard
