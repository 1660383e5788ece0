#pragma once

#include "base/job_control.hpp"
#include "chunks/image_chunks.hpp"
#include "command.hpp"
#include "jobs/filter_job.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/stream_options.hpp"

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// Notes that the result has tiles, and which programs open them.
void printTilesNote(const Context& context);

/// Why an image is worked on in chunks though no option asks for it: "the image of 100,000 x 100,000 px takes about
/// 480 GB of memory, 21 GB are free". Empty if it fits the memory, cannot be read, or cannot be worked on in chunks
/// because of its options.
/// @param pixelBytes that the work takes in memory, per pixel
/// @param takesVolumes whether the command works on volumes in chunks, too
[[nodiscard]] std::string memoryReason(const ImageOptions& image, std::uint64_t pixelBytes = bytesInMemory(1),
                                       bool takesVolumes = false);

/// @throws UsageError for a volume, and for options that need the whole image
void refuseInChunks(const ImageOptions& image);
/// @param allChannels whether each channel is filtered by its own tree
/// @throws UsageError for options of a filter that need the whole image, its tree or several channels
void refuseInChunks(const FilterRequest& request, bool allChannels);

/// Whether a command works in chunks: if an option asks for it, or for a reason, which is printed as a note.
/// @param reasonOf as memoryReason() @param how "worked on in chunks", for the note
[[nodiscard]] bool worksInChunks(const StreamOptions& stream, const std::function<std::string()>& reasonOf,
                                 const char* how, const Context& context);

/// The image, tree, engines, memory and working files of a job in chunks, without a filter and a target.
/// @throws UsageError, Error
[[nodiscard]] ChunkRequest chunkRequest(const ImageOptions& image, const TreeSpec& tree, const StreamOptions& stream,
                                        const Context& context);
/// The same without a tree.
[[nodiscard]] ChunkRequest chunkRequest(const ImageOptions& image, const StreamOptions& stream, const Context& context);

/// Runs a job in chunks by run(progress), and prints the notes of its report.
/// @param writesTiles whether it writes a tiled TIFF
/// @return the report and the time in ms
template <class Run> [[nodiscard]] auto runInChunks(const Context& context, bool writesTiles, Run&& run) {
    StageTimer timer;
    ProgressLine progress(context.err, context.showProgress, context.pace);
    auto report = run(progress);
    progress.clear();
    timer.finish("all");
    printNotes(context, report.info.notes);
    if (writesTiles) {
        printTilesNote(context);
    }
    return std::pair{std::move(report), timer.totalMilliseconds()};
}

/// Facts for the report of a command, in memory or in chunks.
struct WorkFacts {
    Extent extent;
    int bits = 8;
    std::string tree; ///< for display
    Json fields = Json::object();
};

/// "10,000 x 8,000 px", "512 x 512 x 200 px"
[[nodiscard]] std::string sidesText(const Extent& extent);
/// "40 trees, 12,345 nodes over seams, image read at most 2 times"
[[nodiscard]] std::string chunksText(const ChunkReport& report);
/// Adds the fields that all commands in chunks report.
void addChunkFields(Json& object, const ChunkReport& report);
/// Of a command that does not filter: the tree is "12,345 nodes in chunks of 512 x 512 px (cpu, 40 trees, .., 1.5 s)".
/// @param fields before the others
[[nodiscard]] WorkFacts chunkFacts(const TreeSpec& tree, const ChunkReport& report, double milliseconds,
                                   Json fields = Json::object());

/// A number of nodes for a report: null if it is not known because parts were cut, see ChunkCounts::isCut.
[[nodiscard]] Json countJson(std::uint64_t nodes, bool isCut);

/// memoryReason() of a filter that can be applied in chunks; else empty.
[[nodiscard]] std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked);

/// The request as a filter in chunks. @throws UsageError for options that need the whole tree
[[nodiscard]] ChunkRequest chunkRequest(const FilterRequest& request, const FilterSpec& asked, const Context& context,
                                        bool takesVolumes = false);

/// @param byRows the target may be any result, see writesRows() @param orImage or, with byRows, a PNG or JPEG
/// @throws UsageError if the target is the image or no TIFF; Error(writeFailed) if it cannot be written
void requireTarget(const FilterRequest& request, bool byRows = false, bool orImage = false);

/// Further fields and rows of a report.
struct ReportDetails {
    Json fields = Json::object();                          ///< of --json
    std::vector<std::pair<std::string, std::string>> rows; ///< of the table: name and value
};
void printChunkReport(const FilterRequest& request, const FilterSpec& asked, const ChunkReport& report,
                      double milliseconds, const Context& context, const ReportDetails& details = {});

/// Filters the image of a request in chunks, and prints the result.
/// @throws UsageError for options that need the whole tree; Error, Cancelled
void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context);

} // namespace pollard::cli
