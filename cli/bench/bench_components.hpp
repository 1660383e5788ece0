#pragma once

#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "command.hpp"

#include <vector>

namespace pollard::cli {

class ProgressLine;

/// Times all labelling algorithms of the engines that --engine names on the masks of the images (Otsu's threshold) or
/// of random squares. For each: "labels/...", the label image alone; "shape/...", with measurements; "grey/...", with
/// those of the grey levels (16 bits) as well. On a GPU each stage by its name, "kernels", their sum without copies and
/// the taking of memory, and "wall" with those; on the CPU "wall" alone. With --stream N, N frames are thresholded,
/// labelled and measured, grey levels too, one at a time ("-1") and up to three ("-3"): "stream-records", and with the
/// label image "stream-labels"; of each "frame", the wall time of all by N, and of the latencies the median
/// ("latency"), "p95" and "longest". A row's nodes are objects.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchRow> benchComponents(const BenchOptions& options, const Context& context,
                                                    ProgressLine& progress);

} // namespace pollard::cli
