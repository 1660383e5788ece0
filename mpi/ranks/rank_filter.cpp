#include "ranks/rank_filter.hpp"

#include "io/tiff/tile_store.hpp"
#include "io/tiff/tiled_tiff.hpp"
#include "parts/chunk_rows.hpp"
#include "parts/part_folder.hpp"
#include "ranks/reduction.hpp"
#include "ranks/shared_tiff.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::mpi {

namespace {

/// Part of the whole time, for the progress.
constexpr double kFiltering = 0.9;

/// Text of a rank's job: another number of ranks gives it other chunks.
std::string jobText(const PictureChunks& chunks, const Ranks& ranks) {
    return chunks.plan().job + "rank " + std::to_string(ranks.rank()) + " of " + std::to_string(ranks.count()) + "\n";
}

void add(StreamedReport& sum, const StreamedReport& one) {
    sum.nodes += one.nodes;
    sum.keptNodes += one.keptNodes;
    sum.changedPixels += one.changedPixels;
    sum.components = std::max(sum.components, one.components);
    sum.openNodes += one.openNodes;
    sum.mergedNodes += one.mergedNodes;
    sum.largestMerge = std::max(sum.largestMerge, one.largestMerge);
    sum.largestFrontier = std::max(sum.largestFrontier, one.largestFrontier);
    sum.builtTrees += one.builtTrees;
    sum.folderBytes += one.folderBytes;
    sum.isCut = sum.isCut || one.isCut;
}

/// The working folder of a rank. It is removed after a failure, unless the request names one.
class RankFolder {
public:
    RankFolder(const PictureFilter& request, const PictureChunks& chunks, const Ranks& ranks)
        : folder_(rankFolder(request, ranks.rank()), jobText(chunks, ranks), request.resume),
          removes_(request.folder.empty()) {}
    ~RankFolder() {
        if (removes_) {
            folder_.remove();
        }
    }
    RankFolder(const RankFolder&) = delete;
    RankFolder& operator=(const RankFolder&) = delete;

    [[nodiscard]] const PartFolder& files() const noexcept { return folder_; }
    void remove() noexcept {
        folder_.remove();
        removes_ = false;
    }

private:
    PartFolder folder_;
    bool removes_;
};

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

} // namespace

PictureChunks planOverRanks(const PictureFilter& request, Ranks& ranks, const JobControl& control) {
    if (!ranks.isFirst()) {
        const PicturePlan plan{ranks.textFromFirst({}, {}), ranks.textFromFirst({}, {})};
        return {request, plan, control};
    }
    PictureChunks chunks(request, control);
    const PicturePlan plan = chunks.plan();
    (void)ranks.textFromFirst(plan.job, {});
    (void)ranks.textFromFirst(plan.facts, {});
    return chunks;
}

RanksReport filterOverRanks(const PictureFilter& request, const PictureChunks& chunks, Ranks& ranks,
                            const JobControl& control) {
    const PartJob& job = chunks.job;
    const JobControl filtering = control.part(0, kFiltering);
    RankFolder folder(request, chunks, ranks);
    const ChunkRows block =
        chunksOfBlock(job.grid, static_cast<std::uint64_t>(ranks.rank()), static_cast<std::uint64_t>(ranks.count()));
    RankFacts facts;
    facts.chunks = block.count();
    StreamedFilter filter(job, block, chunks.reader(), chunks.treeOptions(request), folder.files(),
                          chunks.mergeMemory());
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
    RanksReport report{reportOn(chunks, filter.bits()), {}};
    const TileLayout layout = resultLayout(job, request.compression, filter.bits());
    {
        TileStore tiles(rankTiles(request, ranks.rank()), layout, folder.files().identity(),
                        request.resume ? TileStore::Opening::resume : TileStore::Opening::create);
        add(facts.stream, filter.apply(writerInto(tiles), filtering));
        reduceCompleteTiles(tiles, filteredOptions(job, report.picture.info).reduction, control.part(kFiltering, 0));
        tiles.flush();
    }
    report.picture.engine = filter.engine();

    writeByAllRanks(request, chunks, ranks, layout, folder.files().identity(),
                    control.part(kFiltering, 1 - kFiltering));
    facts.sentBytes = ranks.sentBytes();
    facts.processorMilliseconds = ranks.processorMilliseconds();
    for (const auto& bytes : ranks.toFirst(std::as_bytes(std::span(&facts, 1)), control)) {
        report.ranks.push_back(valuesIn<RankFacts>(bytes).at(0));
        add(report.picture.stream, report.ranks.back().stream);
    }
    (void)ranks.fromFirst({}, control); // rank 0 has the file
    folder.remove();
    (void)ranks.toFirst({}, control); // all folders are removed
    return report;
}

} // namespace pollard::mpi
