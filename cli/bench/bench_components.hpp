#pragma once

#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "command.hpp"

#include <vector>

namespace pollard::cli {

class ProgressLine;

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

} // namespace pollard::cli
