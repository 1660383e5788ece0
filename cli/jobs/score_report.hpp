#pragma once

#include "components/label_scores.hpp"
#include "report.hpp"

namespace pollard::cli {

/// The fields of a score for --json.
[[nodiscard]] Json scoreJson(const ScoreTotals& scored);

/// Adds the counts of objects, a table by threshold and the scores of the foreground to the text.
void addScore(Report& report, const ScoreTotals& scored);

} // namespace pollard::cli
