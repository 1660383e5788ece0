#pragma once

#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "command.hpp"

#include <vector>

namespace pollard::cli {

class ProgressLine;

/// Times region snakes on the disc of makeDisc(), from a rectangle with a margin of an eighth of the picture, for every
/// algorithm of every usable engine: "sums/wall", the prefix sums; "evolution/wall", from start to end; on a device
/// preceded by "upload/wall". A row has the nodes of the final contour and its Dice coefficient with the disc. With
/// --apart, N x N discs and as many independent contours, for the algorithms that support them; nodes and Dice then
/// refer to all.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchRow> benchSnake(const BenchOptions& options, const Context& context,
                                               ProgressLine& progress);

} // namespace pollard::cli
