#pragma once

#include "command.hpp"
#include "jobs/filter_job.hpp"

namespace pollard::cli {

/// Whether the request concerns all channels of its file.
[[nodiscard]] bool filtersAllChannels(const FilterRequest& request);

/// Filters all channels of a file, each with its own tree, or keeps the pixels that the tree of the guide keeps.
/// Writes a file with the layout of the source and prints the result. Has one tree in memory at a time.
/// @throws UsageError for an output that has no channels; Error, Cancelled
void filterChannels(const FilterRequest& request, const Context& context);

} // namespace pollard::cli
