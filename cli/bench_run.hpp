#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pollard::cli {

/// Median times of one algorithm on one image.
struct BenchRun {
    /// "build/STAGE" for the parts of the build, then "build", "attribute/area", "filter/STAGE", "filter", "total"
    /// (= build + attribute + filter).
    std::vector<StageTime> stages;
    TreeReport tree; ///< of the last repetition
};

/// Builds the tree of @p image, measures area, and filters by area >= 100 (direct), once to warm up and then
/// @p repeat times; every stage's time is its median over the repetitions.
/// @throws Error, Cancelled
[[nodiscard]] BenchRun benchTree(Session& session, const TreeSpec& spec, const std::shared_ptr<const Image>& image,
                                 int repeat, const JobControl& control);

} // namespace pollard::cli
