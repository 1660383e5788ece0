#pragma once

#include "command.hpp"
#include "options/snake_options.hpp"

#include "snake/contour/contour_files.hpp"
#include "snake/snake_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace pollard::cli {

class ProgressLine;

/// Where the contours of a page ended.
struct SnakePage {
    int page = 0; ///< 0-based
    std::vector<SnakeState> contours;
    RegionSums background; ///< what no contour holds
    double energy = 0;
    double milliseconds = 0; ///< sums and evolution, with what is written on the way
};

/// What `snake` found.
struct SnakeOutcome {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bits = 0;
    std::uint32_t maxStep = 0; ///< px, as used
    std::string engine;
    std::string algorithm;
    std::string moves;
    std::vector<SnakePage> pages; ///< one, or with --follow all from the first one on
};

/// Evolves the contours on the page that is named, or with --follow from page to page, and writes all files.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] SnakeOutcome runSnake(const SnakeOptions& options, const Context& context, ProgressLine& progress);

} // namespace pollard::cli
