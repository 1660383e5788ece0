#pragma once

#include "base/job_control.hpp"
#include "chunks/chunk_grid.hpp"
#include "chunks/chunk_trees.hpp"
#include "chunks/merge/part_values.hpp"
#include "chunks/part_files.hpp"
#include "chunks/part_job.hpp"
#include "chunks/work_folder.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

/// A filtered chunk.
struct FilteredChunk {
    ChunkBox box;
    ValueType type = ValueType::u8;                ///< u32 of labels, u64 if there are more than 2^32 - 1
    std::variant<Image, Buffer<std::byte>> pixels; ///< an image, or labels

    /// Row by row.
    [[nodiscard]] const std::byte* data() const noexcept {
        return std::visit([](const auto& held) { return held.data(); }, pixels);
    }
};

/// A chunk of a result in samples, see resultRows().
/// @param source of the chunk @param values of the image
[[nodiscard]] FilteredChunk writtenChunk(const PartJob& job, const ChunkBox& box, Image image,
                                         const LoadedImage& source, ResultValues values);

/// The pixels of a chunk in a result other than labels, in levels. @param all results of all nodes of the chunk
/// @param changed is increased by the number of pixels whose level changes
[[nodiscard]] Image resultImage(const PartJob& job, const ChunkTree& chunk, const PartResults& all,
                                std::uint64_t& changed, const JobControl& control);
/// Writes the labels of the pixels of a chunk, a number from 1 on or 0. @param firstPixels of the maximal kept
/// components of the whole image, ascending @param labels of an unsigned type
template <class T> void writeLabels(const PartJob& job, const ChunkTree& chunk, const PartResults& all,
                                    std::span<const std::uint64_t> firstPixels, std::span<T> labels,
                                    std::uint64_t& changed, const JobControl& control);

/// Receives filtered chunks in any order, on any thread, but not concurrently.
struct ChunkSink {
    std::function<void(const FilteredChunk& chunk, const JobControl& control)> put;
    /// Makes the chunks of a row durable before it counts as done; may be empty.
    std::function<void()> flush;
};

/// Counts of a filter. Counts of chunks and merges do not include a run that is resumed.
struct ChunkCounts {
    std::uint64_t nodes = 0;
    std::uint64_t keptNodes = 0;
    std::uint64_t changedPixels = 0;
    std::uint64_t components = 0;      ///< maximal kept components; only for labels
    std::uint64_t openNodes = 0;       ///< of all chunks
    std::uint64_t mergedNodes = 0;     ///< vertices of all merges
    std::uint64_t largestMerge = 0;    ///< vertices
    std::uint64_t largestFrontier = 0; ///< open nodes between two rows of chunks
    std::uint64_t builtTrees = 0;      ///< of chunks
    std::uint64_t folderBytes = 0;     ///< largest size of the working folder
    /// Whether parts were cut, see cutPart(). Then nodes and keptNodes omit or repeat some kept nodes; their difference
    /// is right.
    bool isCut = false;

    /// Adds the counts of another task.
    void add(const ChunkCounts& other) noexcept;
    /// @param vertices of the merge @param frontier remaining open nodes
    void addMerge(std::uint64_t vertices, std::uint64_t frontier) noexcept {
        mergedNodes += vertices;
        largestMerge = std::max(largestMerge, vertices);
        largestFrontier = std::max(largestFrontier, frontier);
    }
};

/// Filters an image or volume larger than memory, or a task's share of its chunks, exactly, chunk by chunk (Pollard):
/// 1. up: row by row of chunks, each chunk becomes a part, and the parts of a row are merged with the part of all rows
///    before, the frontier. Later rows need its open nodes only.
/// 2. down: from the last row to the first, the results of the open nodes go back to the parts that were merged.
/// 3. apply: each chunk's tree is built again unless it was kept, its closed nodes get their results from the open
///    ones, and its pixels are written.
///
/// Labels are numbered between 2 and 3; this builds the trees once more. Values that depend on ancestors, see
/// ValueNeeds, are passed down in 2. If the job decidesUpwards(), they are passed down before 2, and a second sweep
/// upwards, which builds the trees once more, decides on the nodes of the steps.
///
/// Tasks that share an image merge their parts and leaves() between 1 and 2, takeValues() of their parts, decide on the
/// merges with the results of decideUpwards(), and join their lists of components before 3.
///
/// Steps and results are files of the working folder. A job that was stopped or killed continues after the last
/// complete row.
class ChunkedFilter {
public:
    /// @param chunks of this task
    /// @param folder of this job and task
    /// @param memory that merges may take, in bytes
    ChunkedFilter(const PartJob& job, ChunkRows chunks, ChunkReader reader, ChunkTreeOptions options,
                  const WorkFolder& folder, std::uint64_t memory);
    /// For all chunks. @param folder of textOf(job, reader.identity)
    ChunkedFilter(const PartJob& job, ChunkReader reader, ChunkTreeOptions options, const WorkFolder& folder,
                  std::uint64_t memory)
        : ChunkedFilter(job, allChunks(job.grid), std::move(reader), std::move(options), folder, memory) {}

    /// Up, down, and the numbers of labels, for all chunks.
    /// @throws Error(outOfMemory) if the open nodes or the chosen leaves need more memory than allowed; exceptions of
    /// the reader, engines and files; Cancelled
    void prepare(const JobControl& control);

    /// The part of all chunks of the task. @throws as prepare()
    [[nodiscard]] Part up(const JobControl& control);
    /// After up(), for FilterSpec::prominent: the best leaves that do not survive in the task's part.
    [[nodiscard]] const ProminentLeaves& leaves() const noexcept { return leaves_; }
    /// For a job whose PartJob::values has any, before decideUpwards() and down().
    /// @param values of the open nodes of the part @throws exceptions of files
    void takeValues(const PartValues& values);
    /// Second sweep of a job that decidesUpwards(). @return PartJob::ruleNeeds() of the open nodes of the part
    /// @throws as prepare()
    [[nodiscard]] Summaries decideUpwards(const JobControl& control);
    /// @param results of the open nodes of that part @throws as prepare()
    void down(PartResults results, const JobControl& control);
    /// After down(), for labels: first pixels of the maximal kept components that begin in the chunks. @throws as
    /// prepare()
    [[nodiscard]] std::vector<std::uint64_t> findComponents(const JobControl& control);
    /// Numbers the components of the whole image. @param firstPixels ascending
    void numberComponents(std::vector<std::uint64_t> firstPixels) { firstPixels_ = std::move(firstPixels); }

    /// Type of the written samples, after prepare().
    [[nodiscard]] ValueType type() const noexcept;

    /// Name of the engine that built the last tree; empty if none was built.
    [[nodiscard]] std::string engine() const { return trees_.engine(); }

    /// Whether an earlier run has written chunks.
    [[nodiscard]] bool hasApplied() const;

    /// Writes all chunks except in rows that an earlier run has written. @throws as prepare()
    [[nodiscard]] ChunkCounts apply(const ChunkSink& sink, const JobControl& control);

private:
    struct RowFacts {
        std::uint64_t nodes = 0; ///< closed in its chunks
        std::uint64_t kept = 0;
        std::uint64_t changed = 0; ///< pixels
    };

    [[nodiscard]] std::uint64_t rows() const noexcept { return chunks_.rows(); }
    /// Share of the chunks before a place.
    [[nodiscard]] double shareBefore(std::size_t place) const noexcept {
        return static_cast<double>(place) / static_cast<double>(chunks_.count());
    }
    /// Takes the chunk at a place and prefetches the next one.
    [[nodiscard]] LoadedChunk takeForwards(std::size_t place, const JobControl& control);
    [[nodiscard]] bool has(const char* name, std::uint64_t row) const;

    [[nodiscard]] Part mergeRow(std::uint64_t row, Part frontier, const JobControl& control);
    /// Passes values down, before a second sweep upwards.
    void valuesDown(const JobControl& control);
    /// Computes the values of all nodes in a row's step and writes the values of its inputs to a file.
    [[nodiscard]] PartValues carryValues(std::uint64_t row, const MergeStep& step) const;
    /// Values of the open nodes of the part that a row became.
    [[nodiscard]] PartValues valuesAbove(std::uint64_t row) const;
    [[nodiscard]] StepDecisions decideRow(std::uint64_t row, Summaries frontier, const JobControl& control);
    /// The step of a row with the final bits.
    [[nodiscard]] MergeStep decidedStep(std::uint64_t row) const;
    [[nodiscard]] double beforeNumbering() const noexcept; ///< part of the whole time
    void applyRow(std::uint64_t row, const ChunkSink& sink, const JobControl& control);
    [[nodiscard]] FilteredChunk filtered(const LoadedChunk& chunk, const PartResults& results, const PartValues& values,
                                         RowFacts& facts, const JobControl& control) const;
    /// Results of the frontier and, after them, of the chunks of a row.
    [[nodiscard]] StepResults resultsOfRow(std::uint64_t row) const;
    /// As resultsOfRow(), for values; they are empty unless the job needs values.
    [[nodiscard]] std::vector<PartValues> valuesOfRow(std::uint64_t row) const;
    /// Drops the element of the frontier. @throws Error(fileDamaged) unless one element per chunk remains
    template <class T>
    void keepChunks(std::uint64_t row, const std::filesystem::path& path, std::vector<T>& inputs) const;
    void report(const JobControl& control, double done, const char* stage) const;

    const PartJob& job_;
    ChunkRows chunks_;
    ChunkTrees trees_;
    const WorkFolder& folder_;
    std::uint64_t memory_;
    ChunkCounts report_;
    ProminentLeaves leaves_;                 ///< of the rows that are merged
    std::vector<std::uint64_t> firstPixels_; ///< of the kept components, ascending
};

} // namespace pollard
