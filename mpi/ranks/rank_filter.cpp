#include "ranks/rank_filter.hpp"

#include "base/error.hpp"
#include "io/tiff/tile_store.hpp"
#include "parts/chunk_rows.hpp"
#include "parts/merge_parts.hpp"
#include "parts/part_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace pollard::mpi {

namespace {

/// Part of the whole time, for the progress.
constexpr double kFiltering = 0.9;

std::filesystem::path folderOf(const PictureFilter& request, int rank) {
    return workFolder(request) / ("rank-" + std::to_string(rank));
}

/// Text of a rank's job: another number of ranks gives it other chunks.
std::string jobText(const PictureChunks& chunks, const Ranks& ranks) {
    return chunks.plan().job + "rank " + std::to_string(ranks.rank()) + " of " + std::to_string(ranks.count()) + "\n";
}

std::string textIn(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string textFromFirst(const std::string& text, Ranks& ranks) {
    return textIn(ranks.fromFirst(bytesIn(std::span(text)), {}));
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
        : folder_(folderOf(request, ranks.rank()), jobText(chunks, ranks), request.resume),
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

/// Merges of a rank with others, and the way of the results back.
class Reduction {
public:
    Reduction(const PictureChunks& chunks, Ranks& ranks, RankFacts& facts)
        : chunks_(chunks), ranks_(ranks), facts_(facts), identity_(hashOf(chunks.plan().job)) {}

    /// @return results of the open nodes of this rank's part
    [[nodiscard]] PartResults run(Part part, const JobControl& control) {
        const int rank = ranks_.rank();
        PartResults results;
        std::vector<std::pair<int, MergeStep>> steps; // with these ranks
        for (int bit = 1; bit < ranks_.count(); bit *= 2) {
            if ((rank & bit) != 0) {
                results = fromBelow(std::move(part), rank - bit, control);
                break;
            }
            if (rank + bit < ranks_.count()) {
                steps.emplace_back(rank + bit, MergeStep{});
                part = merged(part, rank + bit, steps.back().second, control);
            }
        }
        while (!steps.empty()) {
            const auto& [other, step] = steps.back();
            std::vector<PartResults> inputs = resultsOf(chunks_.job, step, results, facts_.stream.keptNodes);
            facts_.stream.nodes += static_cast<std::uint64_t>(std::ranges::count(step.openNode.span(), Part::kNone));
            results = std::move(inputs[0]);
            StepResults theirs;
            theirs.inputs.push_back(std::move(inputs[1]));
            std::vector<std::byte> message;
            writeResults(message, identity_, theirs);
            ranks_.send(message, other, control);
            steps.pop_back();
        }
        return results;
    }

private:
    /// Hands the part over. @return results of its open nodes
    PartResults fromBelow(Part part, int other, const JobControl& control) {
        facts_.sentNodes = part.nodeCount();
        std::vector<std::byte> message;
        writePart(message, identity_, part);
        part = {};
        ranks_.send(message, other, control);
        message = ranks_.receive(other, control);
        return std::move(readResults({message, nameOf(other)}, identity_, chunks_.job).inputs.at(0));
    }

    Part merged(const Part& mine, int other, MergeStep& step, const JobControl& control) {
        const std::vector<std::byte> message = ranks_.receive(other, control);
        const Part theirs = readPart({message, nameOf(other)}, identity_, chunks_.job);
        const std::uint64_t vertices = mine.nodeCount() + theirs.nodeCount();
        requireMergeMemory(chunks_.job, vertices, chunks_.mergeMemory(), "rank " + std::to_string(ranks_.rank()));
        facts_.mergedNodes += vertices;
        facts_.stream.mergedNodes += vertices;
        facts_.stream.largestMerge = std::max(facts_.stream.largestMerge, vertices);
        const std::array inputs{&mine, &theirs};
        Part part = mergeParts(chunks_.job, inputs, step, control);
        if (isCutWorthwhile(chunks_.job, vertices, chunks_.mergeMemory())) {
            cutMerged(chunks_.job, part, step);
            facts_.stream.isCut = true;
        }
        return part;
    }

    static std::string nameOf(int rank) { return "message of rank " + std::to_string(rank); }

    const PictureChunks& chunks_;
    Ranks& ranks_;
    RankFacts& facts_;
    std::uint64_t identity_;
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

/// Writes the file from the stores of all ranks, which are closed.
void assemble(const PictureFilter& request, const PictureChunks& chunks, const Ranks& ranks, const TileLayout& layout,
              const std::vector<std::uint64_t>& jobs, const JobControl& control) {
    std::vector<std::unique_ptr<TileStore>> stores;
    for (int rank = 0; rank < ranks.count(); ++rank) {
        stores.push_back(std::make_unique<TileStore>(PartFolder::fileIn(folderOf(request, rank), "tiles"), layout,
                                                     jobs[static_cast<std::size_t>(rank)], TileStore::Opening::resume));
    }
    std::vector<const TileStore*> all;
    std::ranges::transform(stores, std::back_inserter(all), [](const auto& store) { return store.get(); });
    writeFiltered(request.target, chunks.job.filter.output, chunks.regions->info(), all, *stores.front(), control);
}

} // namespace

PictureChunks planOverRanks(const PictureFilter& request, Ranks& ranks, const JobControl& control) {
    if (!ranks.isFirst()) {
        const PicturePlan plan{textFromFirst({}, ranks), textFromFirst({}, ranks)};
        return {request, plan, control};
    }
    PictureChunks chunks(request, control);
    const PicturePlan plan = chunks.plan();
    (void)textFromFirst(plan.job, ranks);
    (void)textFromFirst(plan.facts, ranks);
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
    Part part = filter.up(filtering);
    filter.down(Reduction(chunks, ranks, facts).run(std::move(part), filtering), filtering);
    if (job.filter.output == Output::labels) {
        filter.numberComponents(joinedComponents(filter.findComponents(filtering), ranks, filtering));
    }
    RanksReport report{reportOn(chunks, filter.bits()), {}};
    const TileLayout layout = resultLayout(job, request.compression, filter.bits());
    {
        TileStore tiles(folder.files().file("tiles"), layout, folder.files().identity(),
                        request.resume ? TileStore::Opening::resume : TileStore::Opening::create);
        add(facts.stream, filter.apply(writerInto(tiles), filtering));
    }
    report.picture.engine = filter.engine();

    const std::uint64_t storeJob = folder.files().identity();
    std::vector<std::uint64_t> jobs;
    for (const auto& bytes : ranks.toFirst(std::as_bytes(std::span(&storeJob, 1)), filtering)) {
        jobs.push_back(valuesIn<std::uint64_t>(bytes).at(0));
    }
    if (ranks.isFirst()) {
        assemble(request, chunks, ranks, layout, jobs, control.part(kFiltering, 1 - kFiltering));
    }
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
