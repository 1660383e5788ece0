#pragma once

#include "base/job_control.hpp"
#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "command.hpp"
#include "engine/engine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pollard::cli {

class ProgressLine;

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

/// Times all labelling algorithms of the engines selected by --engine on masks of the images or volumes (Otsu's
/// threshold) or of random squares. Variants: "labels/...", label image only; "shape/...", with measurements;
/// "grey/...", also with grey levels (16 bits). On a GPU each stage by name, "kernels", their sum without copies and
/// memory allocation, and "wall" with those; on the CPU only "wall". With --stream N, N frames are thresholded,
/// labelled and measured with grey levels, one at a time ("-1") and up to three ("-3"): "stream-records", and with the
/// label image "stream-labels"; for each "frame", the total wall time divided by N, and of the latencies the median
/// ("latency"), "p95" and "longest". The nodes of a row are objects.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchRow> benchComponents(const BenchOptions& options, const Context& context,
                                                    ProgressLine& progress);

/// Times region snakes on the disc of makeDisc(), from a rectangle with a margin of an eighth of the image, for every
/// algorithm of every usable engine: "sums/wall", the prefix sums; "evolution/wall", from start to end; on a device
/// preceded by "upload/wall". A row has the nodes of the final contour and its Dice coefficient with the disc. With
/// --apart, N x N discs and as many independent contours, for the algorithms that support them; nodes and Dice then
/// refer to all.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchRow> benchSnake(const BenchOptions& options, const Context& context,
                                               ProgressLine& progress);

} // namespace pollard::cli
