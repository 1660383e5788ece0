#pragma once

#include "command.hpp"
#include "jobs/recipe_batch.hpp"

#include <filesystem>
#include <vector>

namespace pollard::cli {

/// What became of one picture, for scripts.
[[nodiscard]] Json jsonOf(const Recipe& recipe, const BatchItem& item, const BatchResult& result);

/// The same of all pictures as a table for people.
void printTable(const Recipe& recipe, const std::vector<BatchItem>& items, const std::vector<BatchResult>& results,
                Context& context);

/// The same as CSV, a line a picture in their order: file, state (done, skipped, failed), nodes, kept, changed_pixels,
/// objects, contour_nodes, energy, milliseconds, result, error. What there is not is empty; several steps of objects or
/// contours stand in one field, with ; between them.
/// @throws Error(writeFailed)
void writeSummary(const std::filesystem::path& file, const std::vector<BatchItem>& items,
                  const std::vector<BatchResult>& results);

} // namespace pollard::cli
