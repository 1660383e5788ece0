#pragma once

#include "jobs/filter_job.hpp"
#include "options/stream_options.hpp"

#include <string>
#include <vector>

namespace pollard::cli {

/// Why a picture is filtered in chunks though no option asks for it: "the picture of 100,000 x 100,000 px takes about
/// 480 GB, 21 GB are free". Empty if it fits the memory, cannot be read or cannot be filtered in chunks.
[[nodiscard]] std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked);

/// Filters the picture of a request in chunks, and prints the result.
/// @throws UsageError for options that need the whole tree; Error, Cancelled
void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context);

} // namespace pollard::cli
