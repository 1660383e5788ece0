#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pollard::cli {

/// Median times of one algorithm on one image. Stages carry the engine's own times (those of a GPU come from events on
/// the device); a name that ends in "/wall" is the wall time of the whole step as this process saw it.
struct BenchRun {
    /// In this order, each where it exists:
    /// "upload", "upload/wall"              copy to the device, its step with all that goes with it
    /// "build/STAGE", "build", "build/wall"
    /// "parents/STAGE"                      of a parent image alone, where trees are made without one
    /// "kernels", "parents"                 the stages up to and including "flatten", the parent image alone: on a
    ///                                      device with memory of its own, on the host
    /// "attribute/area", "attribute/wall"
    /// "filter/STAGE", "filter", "filter/wall"
    /// "download"                           all copies back to the host, within the steps' wall times
    /// "attribute/NAME", "attributes"       if they are asked for, each but the area in the order of allAttributes(),
    ///                                      with what it is the first to need; and their sum with the area
    /// "total", "total/wall"                build + attribute + filter, and everything from the upload on
    std::vector<StageTime> stages;
    TreeReport tree; ///< of the last repetition
};

/// Hands @p image to the session, builds its tree, measures area, and filters by area >= 100 (direct), once to warm up
/// and then @p repeat times; every stage's time is its median over the repetitions.
/// @param attributes whether to measure every attribute as well
/// @throws Error, also if another algorithm than the one that was asked for did the work; Cancelled
[[nodiscard]] BenchRun benchTree(Session& session, const TreeSpec& spec, const std::shared_ptr<const Image>& image,
                                 int repeat, bool attributes, const JobControl& control);

/// Median wall time per image of a stream of @p count images, after a short stream to warm up, ms.
/// @throws Error, Cancelled
[[nodiscard]] double benchStream(Engine& engine, const TreeSpec& spec, const std::shared_ptr<const Image>& image,
                                 int count, int repeat, const SessionOptions& options, const JobControl& control);

} // namespace pollard::cli
