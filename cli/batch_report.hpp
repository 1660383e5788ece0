#pragma once

#include "command.hpp"
#include "recipe_batch.hpp"

#include <vector>

namespace pollard::cli {

/// What became of one picture, for scripts.
[[nodiscard]] Json jsonOf(const Recipe& recipe, const BatchItem& item, const BatchResult& result);

/// The same of all pictures as a table for people.
void printTable(const Recipe& recipe, const std::vector<BatchItem>& items, const std::vector<BatchResult>& results,
                Context& context);

} // namespace pollard::cli
