#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pollard::cli {

/// Median times of one algorithm on one image. Stages have the engine's own times (on a GPU from device events); names
/// ending in "/wall" are wall times of whole steps in this process.
struct BenchRun {
    /// Stages that exist, in this order:
    /// "upload", "upload/wall"              copy to the device, and its whole step
    /// "build/STAGE", "build", "build/wall"
    /// "parents/STAGE"                      of a parent image alone, if trees are built without one
    /// "kernels", "parents"                 the stages up to "flatten", the parent image alone: on a device with its
    ///                                      own memory, on the host
    /// "attribute/area", "attribute/wall"
    /// "filter/STAGE", "filter", "filter/wall"
    /// "download"                           all copies to the host, also included in the steps' wall times
    /// "attribute/NAME", "attributes"       on request, all except area in the order of allAttributes(), including
    ///                                      intermediate results on first use; and their sum with area
    /// "total", "total/wall"                build + attribute + filter, and everything from the upload on
    std::vector<StageTime> stages;
    TreeReport tree; ///< of the last repetition
};

/// Opens @p image, builds its tree, computes area, and filters by area >= 100 (direct), once to warm up and then
/// @p repeat times; times are medians over the repetitions.
/// @param attributes whether to time every attribute
/// @throws Error, also if an algorithm other than the requested one was used; Cancelled
[[nodiscard]] BenchRun benchTree(Session& session, const TreeSpec& spec, const std::shared_ptr<const Image>& image,
                                 int repeat, bool attributes, const JobControl& control);

/// Median wall time per image in ms for a stream of @p count images, after a short warm-up stream.
/// @throws Error, Cancelled
[[nodiscard]] double benchStream(Engine& engine, const TreeSpec& spec, const std::shared_ptr<const Image>& image,
                                 int count, int repeat, const SessionOptions& options, const JobControl& control);

} // namespace pollard::cli
