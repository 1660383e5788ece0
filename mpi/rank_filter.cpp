#include "rank_filter.hpp"

#include "base/job_control.hpp"
#include "chunks/chunk_grid.hpp"
#include "chunks/chunk_job.hpp"
#include "chunks/image_chunks.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/merge/part_values.hpp"
#include "chunks/part_files.hpp"
#include "chunks/work_folder.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "formats/tiff/tiles/tiled_tiff.hpp"
#include "ranks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::mpi {

namespace {

/// Merges the parts of all ranks, up and down a binary tree of ranks: in round s, rank r with bit s sends its part to
/// rank r - 2^s. The steps lie in memory. All functions throw as mergeParts() and Ranks, and Error(outOfMemory).
class Reduction {
public:
    /// @param facts receives counts @param chunks, ranks and facts outlive this
    Reduction(const ImageChunks& chunks, Ranks& ranks, RankFacts& facts);

    /// Merges the parts of other ranks with the part of this rank, and sends the merged part on.
    void mergeUp(Part part, ProminentLeaves leaves, const JobControl& control);

    /// For a job whose PartJob::values has any: brings down the values of nodes that depend on their ancestors.
    /// @return the values of this rank's part
    [[nodiscard]] PartValues valuesDown(const JobControl& control);

    /// For a job that decidesUpwards(): decides on the nodes of the merges.
    /// @param open decisions about this rank's part, see ChunkedFilter::decideUpwards()
    void decideUpwards(Summaries open, const JobControl& control);

    /// @return results of the open nodes of this rank's part
    [[nodiscard]] PartResults resultsDown(const JobControl& control);

private:
    struct Merge {
        int rank; ///< the other rank
        MergeStep step;
        PartValues values; ///< of all nodes of the step, after valuesDown()
    };

    [[nodiscard]] Part merged(Part mine, Merge& merge, ProminentLeaves& leaves, const JobControl& control);
    /// @param write of a record file, into memory
    template <class Write> void send(int to, const JobControl& control, Write&& write);
    /// @param read of such a file
    template <class Read> [[nodiscard]] auto receive(int from, const JobControl& control, Read&& read);

    const PartJob& job_;
    std::uint64_t memory_;
    Ranks& ranks_;
    RankFacts& facts_;
    std::uint64_t identity_;
    std::vector<Merge> merges_;
    std::optional<int> parent_; ///< rank to which the part is sent; none in rank 0
    LeafMeasure lastProminent_; ///< in rank 0
};

Reduction::Reduction(const ImageChunks& chunks, Ranks& ranks, RankFacts& facts)
    : job_(chunks.job), memory_(chunks.mergeMemory()), ranks_(ranks), facts_(facts),
      identity_(hashOf(chunks.plan().job)) {}

template <class Write> void Reduction::send(int to, const JobControl& control, Write&& write) {
    std::vector<std::byte> message;
    write(message);
    ranks_.send(message, to, control);
}

template <class Read> auto Reduction::receive(int from, const JobControl& control, Read&& read) {
    const std::vector<std::byte> message = ranks_.receive(from, control);
    return read({message, "message of rank " + std::to_string(from)});
}

void Reduction::mergeUp(Part part, ProminentLeaves leaves, const JobControl& control) {
    for (int bit = 1; bit < ranks_.count(); bit *= 2) {
        if ((ranks_.rank() & bit) != 0) {
            parent_ = ranks_.rank() - bit;
            facts_.sentNodes = part.nodeCount();
            send(*parent_, control, [&](auto& to) {
                writePart(to, identity_, part);
                part = {};
            });
            if (job_.filter.prominent) {
                send(*parent_, control, [&](auto& to) { writeLeaves(to, identity_, leaves); });
            }
            return;
        }
        if (ranks_.rank() + bit < ranks_.count()) {
            merges_.push_back({ranks_.rank() + bit, {}, {}});
            part = merged(std::move(part), merges_.back(), leaves, control);
        }
    }
    lastProminent_ = leaves.last();
}

PartValues Reduction::valuesDown(const JobControl& control) {
    PartValues values =
        parent_ ? receive(*parent_, control,
                          [&](const RecordSource& from) { return std::move(readValues(from, identity_, job_).at(0)); })
                : PartValues(job_.values, 0, lastProminent_);
    for (auto merge = merges_.rbegin(); merge != merges_.rend(); ++merge) {
        merge->values = valuesOf(job_, merge->step, values);
        std::vector<PartValues> inputs = valuesOfInputs(job_, merge->step, merge->values);
        send(merge->rank, control, [&](auto& to) { writeValues(to, identity_, {&inputs[1], 1}); });
        values = std::move(inputs[0]);
        if (!job_.decidesUpwards()) {
            (void)decideStep(job_, merge->values, {}, merge->step);
        }
    }
    return values;
}

void Reduction::decideUpwards(Summaries open, const JobControl& control) {
    for (Merge& merge : merges_) {
        std::array inputs{std::move(open), receive(merge.rank, control, [&](const RecordSource& from) {
                              return std::move(readDecisions(from, identity_, job_).open);
                          })};
        open = decideStep(job_, merge.values, inputs, merge.step);
    }
    if (parent_) {
        send(*parent_, control, [&](auto& to) { writeDecisions(to, identity_, {}, open); });
    }
}

PartResults Reduction::resultsDown(const JobControl& control) {
    PartResults results;
    if (parent_) {
        results = receive(*parent_, control, [&](const RecordSource& from) {
            return std::move(readResults(from, identity_, job_).inputs.at(0));
        });
    }
    for (auto merge = merges_.crbegin(); merge != merges_.crend(); ++merge) {
        std::vector<PartResults> inputs = resultsOf(job_, merge->step, results, facts_.counts.keptNodes);
        facts_.counts.nodes += static_cast<std::uint64_t>(std::ranges::count(merge->step.openNode.span(), Part::kNone));
        StepResults theirs;
        theirs.inputs.push_back(std::move(inputs[1]));
        send(merge->rank, control, [&](auto& to) { writeResults(to, identity_, theirs); });
        results = std::move(inputs[0]);
    }
    return results;
}

Part Reduction::merged(Part mine, Merge& merge, ProminentLeaves& leaves, const JobControl& control) {
    PartMerge both(job_, "rank " + std::to_string(ranks_.rank()), memory_);
    both.add(std::move(mine));
    both.add(receive(merge.rank, control, [&](const RecordSource& from) { return readPart(from, identity_, job_); }));
    facts_.mergedNodes += both.nodes();
    facts_.counts.addMerge(both.nodes(), 0);
    facts_.counts.isCut = facts_.counts.isCut || both.isCut();
    if (job_.filter.prominent) {
        leaves.add(
            receive(merge.rank, control, [&](const RecordSource& from) { return readLeaves(from, identity_, job_); }));
    }
    return both.merged(merge.step, leaves, control);
}

/// Share of filtering in the whole time, for the progress.
constexpr double kFiltering = 0.9;
/// Share of the reduced versions in the time of writing.
constexpr double kReducing = 0.6;

using StorePointer = std::unique_ptr<TileStore>;

/// The working folder of a rank.
std::filesystem::path folderOf(const ChunkRequest& request, int rank) {
    return workFolder(request) / ("rank-" + std::to_string(rank));
}

/// First pixels of the components of all ranks, ascending.
std::vector<std::uint64_t> joinedComponents(const std::vector<std::uint64_t>& mine, Ranks& ranks,
                                            const JobControl& control) {
    std::vector<std::uint64_t> all;
    for (const auto& bytes : ranks.toFirst(std::as_bytes(std::span(mine)), control)) {
        const auto values = valuesIn<std::uint64_t>(bytes);
        all.insert(all.end(), values.begin(), values.end());
    }
    std::ranges::sort(all);
    return valuesIn<std::uint64_t>(ranks.fromFirst(bytesIn(std::span<const std::uint64_t>(all)), control));
}

/// The store of the filtered tiles of a rank.
StorePointer openStore(const ChunkRequest& request, int rank, const TileLayout& layout, std::uint64_t job) {
    return std::make_unique<TileStore>(WorkFolder::fileIn(folderOf(request, rank), "tiles"), layout, job,
                                       TileStore::OpenMode::resume);
}

/// The file with room for all tiles. @param jobs of the stores of all ranks
std::unique_ptr<TiledTiff> makeRoom(const ChunkRequest& request, const ImageChunks& chunks, const TileLayout& layout,
                                    const std::vector<std::uint64_t>& jobs, const JobControl& control) {
    std::vector<StorePointer> stores;
    for (const std::uint64_t job : jobs) {
        stores.push_back(openStore(request, static_cast<int>(stores.size()), layout, job));
    }
    std::vector<const TileStore*> all;
    std::ranges::transform(stores, std::back_inserter(all), [](const StorePointer& store) { return store.get(); });
    const TiledPage page{all, stores.front().get(), filteredFacts(chunks.job, chunks.regions->info())};
    auto tiff = std::make_unique<TiledTiff>(request.target, std::span(&page, 1), control);
    stores.front()->flush();
    return tiff;
}

/// All ranks write the target, with the bytes of filterImage(): each rank copies the tiles of its store. Rank 0
/// computes the tiles of reduced versions that no store has, writes the directories, and gives the file its name when
/// all tiles are durable.
/// @param layout of all stores, which are closed @param job of the store of this rank
void writeByAllRanks(const ChunkRequest& request, const ImageChunks& chunks, Ranks& ranks, const TileLayout& layout,
                     std::uint64_t job, const JobControl& control) {
    std::vector<std::uint64_t> jobs;
    for (const auto& bytes : ranks.toFirst(std::as_bytes(std::span(&job, 1)), control)) {
        jobs.push_back(valuesIn<std::uint64_t>(bytes).at(0));
    }
    std::unique_ptr<TiledTiff> tiff;
    std::vector<std::uint64_t> places;
    if (ranks.isFirst()) {
        tiff = makeRoom(request, chunks, layout, jobs, control.part(0, kReducing));
        places = tiff->places(0).front().offsets;
        for (int rank = 1; rank < ranks.count(); ++rank) {
            const auto& offsets = tiff->places(0).at(static_cast<std::size_t>(rank)).offsets;
            ranks.send(std::as_bytes(std::span(offsets)), rank, control);
        }
    } else {
        places = valuesIn<std::uint64_t>(ranks.receive(0, control));
    }
    const std::string file = ranks.textFromFirst(tiff ? tiff->temporary().string() : std::string(), control);
    {
        const StorePointer store = openStore(request, ranks.rank(), layout, job);
        TileWriter writer(file, request.target);
        writer.copy(*store, places, control.part(kReducing, 1 - kReducing));
        writer.sync();
    }
    (void)ranks.toFirst({}, control); // all tiles are durable
    if (tiff) {
        control.throwIfStopped();
        tiff->commit();
    }
}

} // namespace

ImageChunks planOverRanks(const ChunkRequest& request, Ranks& ranks, const JobControl& control) {
    if (!ranks.isFirst()) {
        const ChunkPlan plan{ranks.textFromFirst({}, {}), ranks.textFromFirst({}, {})};
        return {request, plan, control};
    }
    ImageChunks chunks(request, control);
    const ChunkPlan plan = chunks.plan();
    (void)ranks.textFromFirst(plan.job, {});
    (void)ranks.textFromFirst(plan.facts, {});
    return chunks;
}

RanksReport filterOverRanks(const ChunkRequest& request, const ImageChunks& chunks, Ranks& ranks,
                            const JobControl& control) {
    const PartJob& job = chunks.job;
    const JobControl filtering = control.part(0, kFiltering);
    const ChunkRows block =
        chunksOfBlock(job.grid, static_cast<std::uint64_t>(ranks.rank()), static_cast<std::uint64_t>(ranks.count()));
    RankFacts facts;
    facts.chunks = block.count();
    const std::string text = chunks.plan().job + "rank " + std::to_string(ranks.rank()) + " of " +
                             std::to_string(ranks.count()) + "\n"; // another number of ranks gives it other chunks
    ChunkJob task(request, chunks, block, folderOf(request, ranks.rank()), text, request.folder.empty());
    ChunkedFilter& filter = task.filter();
    Reduction reduction(chunks, ranks, facts);
    Part part = filter.up(filtering);
    reduction.mergeUp(std::move(part), filter.leaves(), filtering);
    if (job.values.any()) {
        filter.takeValues(reduction.valuesDown(filtering));
    }
    if (job.decidesUpwards()) {
        reduction.decideUpwards(filter.decideUpwards(filtering), filtering);
    }
    filter.down(reduction.resultsDown(filtering), filtering);
    if (job.filter.output == Output::labels) {
        filter.numberComponents(joinedComponents(filter.findComponents(filtering), ranks, filtering));
    }
    const TileLayout layout = resultLayout(job, request.compression, filter.type());
    RanksReport report;
    {
        TileStore tiles = task.openTiles();
        report.total = task.apply(sinkInto(tiles), filtering);
        facts.counts.add(std::exchange(report.total.counts, {}));
        reduceCompleteTiles(tiles, filteredFacts(job, report.total.info).means, control.part(kFiltering, 0));
        tiles.flush();
    }
    writeByAllRanks(request, chunks, ranks, layout, task.folder().identity(), control.part(kFiltering, 1 - kFiltering));
    facts.sentBytes = ranks.sentBytes();
    facts.processorMilliseconds = ranks.processorMilliseconds();
    for (const auto& bytes : ranks.toFirst(std::as_bytes(std::span(&facts, 1)), control)) {
        report.ranks.push_back(valuesIn<RankFacts>(bytes).at(0));
        report.total.counts.add(report.ranks.back().counts);
    }
    (void)ranks.fromFirst({}, control); // rank 0 has the file
    task.folder().remove();
    (void)ranks.toFirst({}, control); // all folders are removed
    return report;
}

} // namespace pollard::mpi
