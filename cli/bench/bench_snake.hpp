#pragma once

#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "command.hpp"

#include <vector>

namespace pollard::cli {

class ProgressLine;

/// Times region snakes on the disc of makeDisc(), from a rectangle that has an eighth of the picture on every side
/// outside, by every algorithm of every usable engine: "sums/wall", the sums over rows; "evolution/wall", from the
/// start to the end; on a device "upload/wall" before. A row's nodes are those of the last contour, its Dice that with
/// the disc. With --apart, of N x N discs and as many contours apart from each other, by the algorithms that do that;
/// then nodes and Dice are those of all.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchRow> benchSnake(const BenchOptions& options, const Context& context,
                                               ProgressLine& progress);

} // namespace pollard::cli
