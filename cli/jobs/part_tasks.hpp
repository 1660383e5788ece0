#pragma once

#include "chunks/image_chunks.hpp"
#include "command.hpp"
#include "jobs/filter_job.hpp"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

// A filter in chunks as tasks that exchange files. Each task has a folder for its results. All functions
// throw Error with one line for files of another job, damaged files and files in the wrong order; Cancelled.

/// A planned job, in a file of JSON.
struct PlannedJob {
    ChunkPlan image;
    PartJob job;
    Json reading; ///< of the image: options of the command line
    std::string compression;

    /// Of the files of the job.
    [[nodiscard]] std::uint64_t identity() const;
    /// The filter for a task. @param options what the plan does not fix: image, threads, memory, algorithm
    [[nodiscard]] ChunkRequest request(FilterRequest options, const Context& context) const;
};
/// Finds the facts about the whole image, which may take passes over it, and writes the plan.
PlannedJob planJob(const FilterRequest& options, const std::filesystem::path& file, const Context& context,
                   const JobControl& control);
[[nodiscard]] PlannedJob readPlan(const std::filesystem::path& file);

struct TaskReport {
    std::uint64_t chunks = 0;
    std::uint64_t openNodes = 0;
    std::uint64_t mergedNodes = 0; ///< vertices
    std::uint64_t bytes = 0;       ///< of the folder
};
using Folders = std::vector<std::string>;

/// Builds the trees of chunks @p first to @p end - 1 and merges them into one part. Continues a stopped task.
TaskReport buildPart(const PlannedJob& plan, const ChunkRequest& request, std::uint64_t first, std::uint64_t end,
                     const std::string& folder, const JobControl& control);
/// Merges the parts of other folders.
TaskReport mergeTasks(const PlannedJob& plan, const Folders& inputs, std::uint64_t memory, const std::string& folder,
                      const JobControl& control);
/// Hands the results of a merged part back to the folders that were merged, in the same order. Any part but the part of
/// all chunks needs its own results first, from an earlier splitResults(). If the job decidesUpwards(), hands back the
/// values of nodes until collectDecisions() has decided on the merge, and then the results.
void splitResults(const PlannedJob& plan, const std::string& folder, const Folders& inputs);
/// The second sweep of a job that decidesUpwards(), after the values are there: decides on the nodes of a folder of
/// build.
void decideTask(const PlannedJob& plan, const ChunkRequest& request, const std::string& folder,
                const JobControl& control);
/// Decides on the nodes of a merge, after the nodes of the merged folders are decided.
void collectDecisions(const PlannedJob& plan, const std::string& folder, const Folders& inputs);
/// For labels, after the results are there: finds the components that begin in the chunks of a folder. @return their
/// number
std::uint64_t countComponents(const PlannedJob& plan, const ChunkRequest& request, const std::string& folder,
                              const JobControl& control);
/// Filters the chunks of a folder into a store of tiles there. @param numbered for labels: the folders of all chunks
ChunkCounts applyTask(const PlannedJob& plan, const ChunkRequest& request, const std::string& folder,
                      const Folders& numbered, const JobControl& control);
/// Writes the TIFF from the stores of folders that together have all chunks. @return pixels that the filter has changed
std::uint64_t finishJob(const PlannedJob& plan, const ChunkRequest& request, const Folders& folders,
                        const JobControl& control);

} // namespace pollard::cli
