#pragma once

#include "jobs/filter_job.hpp"
#include "parts/picture_filter.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// Why a picture is filtered in chunks though no option asks for it: "the picture of 100,000 x 100,000 px takes about
/// 480 GB, 21 GB are free". Empty if it fits the memory, cannot be read or cannot be filtered in chunks.
[[nodiscard]] std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked);

/// The request as a filter in chunks. @throws UsageError for options that need the whole tree
[[nodiscard]] PictureFilter pictureFilter(const FilterRequest& request, const FilterSpec& asked,
                                          const Context& context);

/// @throws UsageError if the target is the picture or no TIFF; Error(writeFailed) if it cannot be written
void requireTarget(const FilterRequest& request);

/// What a report has at its end.
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
