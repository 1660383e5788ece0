#pragma once

#include "jobs/filter_job.hpp"
#include "parts/picture_filter.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// memoryReason() of a filter that can be applied in chunks; else empty.
[[nodiscard]] std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked);

/// The request as a filter in chunks. @throws UsageError for options that need the whole tree
[[nodiscard]] PictureFilter pictureFilter(const FilterRequest& request, const FilterSpec& asked,
                                          const Context& context);

/// @throws UsageError if the target is the picture or no TIFF; Error(writeFailed) if it cannot be written
void requireTarget(const FilterRequest& request);

/// Further fields and rows of a report.
struct ReportDetails {
    Json fields = Json::object();                          ///< of --json
    std::vector<std::pair<std::string, std::string>> rows; ///< of the table: name and value
};
void printChunkReport(const FilterRequest& request, const FilterSpec& asked, const PictureFilterReport& report,
                      double milliseconds, const Context& context, const ReportDetails& details = {});

/// Filters the picture of a request in chunks, and prints the result.
/// @throws UsageError for options that need the whole tree; Error, Cancelled
void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context);

} // namespace pollard::cli
