#pragma once

#include "command.hpp"
#include "options/snake_options.hpp"

#include "image/value_mapping.hpp"
#include "io/page_selection.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/snake_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

class ProgressLine;

/// Final contours of a page.
struct SnakePage {
    int page = 0;                   ///< 0-based, on SnakeOutcome::axis
    std::optional<AxisPosition> at; ///< on the axis along which contours are followed
    std::vector<SnakeState> contours;
    RegionSums background;              ///< pixels in no contour
    double energy = 0;                  ///< of the levels
    std::optional<ValueMapping> values; ///< of the levels
    double milliseconds = 0;            ///< sums and evolution, including output during the run
};

/// Result of `snake`.
struct SnakeOutcome {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bits = 0;
    std::uint32_t maxStep = 0; ///< px, as used
    std::string engine;
    std::string algorithm;
    std::string moves;
    std::string law;
    std::vector<SnakePage> pages; ///< one, or with --follow all from the first on
    std::string axis = "page";    ///< on which the numbers of the pages count
};

/// Evolves the contours on one page, or with --follow from page to page, and writes all files.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] SnakeOutcome runSnake(const SnakeOptions& options, const Context& context, ProgressLine& progress);

} // namespace pollard::cli
