#pragma once

#include "batch/recipe_batch.hpp"
#include "command.hpp"

#include <filesystem>
#include <vector>

namespace pollard::cli {

/// Result of one picture for --json.
[[nodiscard]] Json jsonOf(const Recipe& recipe, const BatchItem& item, const BatchResult& result);

/// Prints the results of all pictures as a table.
void printTable(const Recipe& recipe, const std::vector<BatchItem>& items, const std::vector<BatchResult>& results,
                Context& context);

/// Writes the results as CSV, a line per picture in order: file, state (done, skipped, failed), nodes, kept,
/// changed_pixels, objects, contour_nodes, energy, milliseconds, result, error. Missing values are empty; values of
/// several steps share a field, separated by ;.
/// @throws Error(writeFailed)
void writeSummary(const std::filesystem::path& file, const std::vector<BatchItem>& items,
                  const std::vector<BatchResult>& results);

} // namespace pollard::cli
