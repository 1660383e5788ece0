#pragma once

#include "jobs/filter_job.hpp"
#include "options/stream_options.hpp"

#include <string>
#include <vector>

namespace pollard::cli {

/// memoryReason() of a filter that can be applied in chunks; else empty.
[[nodiscard]] std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked);

/// Filters the picture of a request in chunks, and prints the result.
/// @throws UsageError for options that need the whole tree; Error, Cancelled
void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context);

} // namespace pollard::cli
