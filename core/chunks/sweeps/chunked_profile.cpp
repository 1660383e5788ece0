#include "chunks/sweeps/chunked_profile.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "chunks/chunk_job.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/part_files.hpp"
#include "filter/analysis_image.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "formats/tiff/tiles/tiled_tiff.hpp"
#include "io/read_support.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_tags.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace pollard {

namespace {

constexpr const char* kStep = "step";
constexpr const char* kResults = "results";

// Parts of the whole time, for the progress.
constexpr double kUp = 0.45;
constexpr double kDown = 0.05;
constexpr double kFiltering = 0.8; ///< of a profile in a file

/// Counts of the page of the threshold with this number.
std::uint8_t bitsOf(std::uint32_t rank, std::size_t page) noexcept {
    return rank > page ? NodeBits::kKept | NodeBits::kMeets : 0;
}

/// Number of pixels that belong to each node itself.
Buffer<std::uint32_t> ownPixels(const ComponentTree& tree) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    std::ranges::fill(count.span(), 0U);
    for (const std::uint32_t node : tree.pixelNode) {
        ++count[node];
    }
    return count;
}

/// A store of tiles per page.
std::vector<std::unique_ptr<TileStore>> makeStores(const WorkFolder& folder, const TileLayout& layout,
                                                   std::size_t count) {
    std::vector<std::unique_ptr<TileStore>> stores;
    for (std::size_t page = 0; page < count; ++page) {
        stores.push_back(std::make_unique<TileStore>(folder.file("page", page), layout, folder.identity(),
                                                     TileStore::OpenMode::create));
    }
    return stores;
}

/// @param facts about all pages @param tags of each page besides
void writePages(const ChunkRequest& request, const PlaneFacts& facts,
                const std::vector<std::unique_ptr<TileStore>>& stores, const std::vector<std::vector<CopiedTag>>& tags,
                const JobControl& control) {
    std::vector<const TileStore*> tiles;
    std::vector<TiledPage> pages;
    tiles.reserve(stores.size());
    for (std::size_t page = 0; page < stores.size(); ++page) {
        tiles.push_back(stores[page].get());
        pages.push_back({{&tiles.back(), 1}, stores[page].get(), facts});
        std::ranges::copy(tags.at(page), std::back_inserter(pages.back().facts.carried));
    }
    if (request.strips) {
        const auto page = [&](int number, const JobControl&) {
            const auto at = static_cast<std::size_t>(number);
            return Plane{pixelRowsOf(*stores[at]), pages[at].facts};
        };
        writeTiff(request.target, {static_cast<int>(stores.size()), page},
                  {.compression = request.compression, .arePages = true}, control);
    } else {
        writeTiledTiff(request.target, pages, control);
    }
}

} // namespace

std::string profileProblem(const ProfileSpec& spec, bool isVolume) {
    FilterSpec filter;
    filter.criteria = {{.attribute = spec.attribute}};
    if (std::string problem = chunkProblem(filter, isVolume); !problem.empty()) {
        return problem;
    }
    const AttributeInfo& info = attributeInfo(spec.attribute);
    if (!isKnownAtClosing(spec.attribute, isVolume)) {
        return "a profile of '" + std::string(info.name) + "' is not made in parts of an image";
    }
    if (!info.increasing && (spec.rule == Rule::max || spec.rule == Rule::viterbi)) {
        return "a profile of '" + std::string(info.name) + "' with the rule '" + std::string(nameOf(spec.rule)) +
               "' is not made in parts of an image";
    }
    return {};
}

PartJob profileJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity,
                   const ProfileSpec& spec) {
    if (const std::string problem = profileProblem(spec, grid.whole().isVolume()); !problem.empty()) {
        throw Error(ErrorCode::invalidArgument, problem);
    }
    return measuringJob(grid, type, kind, connectivity, {spec.attribute});
}

ChunkedProfile::ChunkedProfile(const PartJob& job, ProfileSpec spec, ChunkReader reader, ChunkTreeOptions options,
                               const WorkFolder& folder, std::uint64_t memory,
                               const std::optional<ValueMapping>& mapping)
    : decision_(job), spec_(std::move(spec)), bounds_(columnBoundsOf(spec_, mapping)),
      sweep_(job, std::move(reader), std::move(options), memory), folder_(folder), memory_(memory) {
    // All rules are one for an attribute that never decreases to the parent.
    decision_.filter.rule = attributeInfo(spec_.attribute).increasing ? Rule::direct : spec_.rule;
    for (const double threshold : spec_.thresholds) {
        pages_.push_back({.threshold = threshold});
    }
}

std::uint64_t ChunkedProfile::fileOf(std::uint64_t row, std::size_t page) const noexcept {
    return row * pages_.size() + page;
}

std::uint32_t ChunkedProfile::rankOf(double value) const noexcept {
    return std::isnan(value) ? 0
                             : static_cast<std::uint32_t>(std::ranges::upper_bound(bounds_, value) - bounds_.begin());
}

std::vector<ProfilePage> ChunkedProfile::run(const Writer& write, const JobControl& control) {
    sweep_.run({[](const ChunkTree&) {},
                [&](std::uint64_t row, const MergeStep& step) {
                    writeStep(folder_.file(kStep, row), folder_.identity(), step);
                }},
               control.part(0, kUp));
    const std::uint64_t needed =
        sweep_.report().largestMerge * pages_.size() * (sizeof(std::uint16_t) + sizeof(std::uint8_t));
    if (needed > memory_) {
        throw Error(ErrorCode::outOfMemory, "profile in chunks: results of " + std::to_string(pages_.size()) +
                                                " thresholds need " + sizeText(needed) + ", " + sizeText(memory_) +
                                                " are allowed; allow more memory or take fewer thresholds");
    }
    down(control.part(kUp, kDown));
    for (std::uint64_t row = rows(); row-- > 0;) { // the last trees may be kept
        applyRow(row, write, control.part(kUp + kDown, 1 - kUp - kDown));
    }
    report_ = sweep_.report();
    report_.builtTrees = sweep_.trees().built();
    report_.folderBytes = folder_.bytes();
    return pages_;
}

void ChunkedProfile::down(const JobControl& control) {
    std::vector<PartResults> above(pages_.size()); // of the part that a row became
    for (std::uint64_t row = rows(); row-- > 0;) {
        control.report(static_cast<double>(rows() - row) / static_cast<double>(rows()),
                       "deciding on nodes over the seams");
        MergeStep step = readStep(folder_.file(kStep, row), folder_.identity(), decision_);
        std::vector<std::uint32_t> rank(step.nodeCount());
        for (std::size_t node = 0; node < rank.size(); ++node) {
            rank[node] = step.openNode[node] == Part::kNone ? rankOf(step.values[node]) : 0;
        }
        for (std::size_t page = 0; page < pages_.size(); ++page) {
            control.throwIfStopped();
            std::ranges::transform(rank, step.bits.begin(), [&](std::uint32_t r) { return bitsOf(r, page); });
            StepResults results;
            results.inputs = pollard::resultsOf(decision_, step, above[page], results.kept);
            pages_[page].keptNodes += results.kept;
            if (row > 0) {
                above[page] = std::move(results.inputs.front());
                results.inputs.erase(results.inputs.begin());
            }
            writeResults(folder_.file(kResults, fileOf(row, page)), folder_.identity(), results);
        }
        std::filesystem::remove(folder_.file(kStep, row));
    }
}

void ChunkedProfile::applyRow(std::uint64_t row, const Writer& write, const JobControl& control) {
    std::vector<StepResults> results;
    for (std::size_t page = 0; page < pages_.size(); ++page) {
        results.push_back(readResults(folder_.file(kResults, fileOf(row, page)), folder_.identity(), decision_));
    }
    const std::uint64_t count = decision_.grid.count();
    for (std::uint64_t column = decision_.grid.across(); column-- > 0;) {
        const std::uint64_t chunk = row * decision_.grid.across() + column;
        control.report(static_cast<double>(count - chunk - 1) / static_cast<double>(count), "filtering");
        const LoadedChunk taken =
            sweep_.trees().take(chunk, chunk > 0 ? std::optional(chunk - 1) : std::nullopt, control);
        std::vector<PartResults> open;
        for (StepResults& page : results) {
            open.push_back(std::move(page.inputs.at(column)));
        }
        applyChunk(taken, open, write, control);
    }
}

PartResults ChunkedProfile::resultsOf(const ChunkTree& chunk, const std::vector<std::uint32_t>& rank,
                                      const PartResults& open, std::size_t page) {
    const ComponentTree& tree = chunk.tree();
    requireResults(open, chunk.openCount());
    PartResults all(tree.nodeCount(), false);
    std::size_t nextOpen = 0;
    for (std::size_t i = 0; i < tree.nodeCount(); ++i) {
        if (chunk.isOpen(i)) {
            all.set(i, open.at(nextOpen++));
            continue;
        }
        const std::uint16_t height = decision_.height(tree.level[i]);
        const std::uint16_t parentHeight = i == 0 ? height : decision_.height(tree.level[tree.parent[i]]);
        const NodeResult above = i == 0 ? NodeResult{} : all.at(tree.parent[i]);
        const NodeResult result = resultOf(decision_.filter.rule, bitsOf(rank[i], page), height, NodeResult::kNone,
                                           parentHeight, i == 0 ? nullptr : &above);
        pages_[page].keptNodes += i == 0 || (result.flags & NodeResult::kStays) != 0 ? 1 : 0;
        all.set(i, result);
    }
    return all;
}

void ChunkedProfile::applyChunk(const LoadedChunk& chunk, const std::vector<PartResults>& open, const Writer& write,
                                const JobControl& control) {
    const ComponentTree& tree = chunk.tree->tree();
    const std::size_t nodes = tree.nodeCount();
    const ChunkBox box = decision_.grid.boxOf(chunk.tree->chunk());
    std::vector<std::uint32_t> rank(nodes);
    if (!chunk.tree->measured().empty()) {
        const AttributeColumn& column = *chunk.tree->measured().front();
        forEachIndex(nodes, control, [&](std::size_t i) { rank[i] = rankOf(column.at(i)); });
    }
    const Buffer<std::uint32_t> own = ownPixels(tree);
    Buffer<std::uint16_t> before(nodes); // levels of the page before
    std::ranges::copy(tree.level.span(), before.begin());
    for (std::size_t page = 0; page < pages_.size(); ++page) {
        const PartResults all = resultsOf(*chunk.tree, rank, open[page], page);
        Buffer<std::uint16_t> value(nodes);
        ProfilePage& facts = pages_[page];
        for (std::size_t i = 0; i < nodes; ++i) {
            const std::uint16_t level = decision_.levelAt(all.height[i]);
            const auto change = static_cast<std::uint64_t>(std::abs(int{level} - int{tree.level[i]}));
            value[i] = spec_.differential ? static_cast<std::uint16_t>(std::abs(int{level} - int{before[i]})) : level;
            facts.changedPixels += change != 0 ? own[i] : 0U;
            facts.changedMass += change * own[i];
            facts.pageMass += std::uint64_t{value[i]} * own[i];
            before[i] = level;
        }
        Image out(decision_.type, box.extent);
        dispatch(decision_.type, [&]<class T>(T) {
            const std::span<T> pixels = out.pixels<T>();
            forEachIndex(pixels.size(), control,
                         [&](std::size_t p) { pixels[p] = static_cast<T>(value[tree.pixelNode[p]]); });
        });
        if (chunk.loaded.valid) {
            restoreOutside(*chunk.loaded.image, *chunk.loaded.valid,
                           spec_.differential ? Output::residue : Output::filtered, out, control);
        }
        write(page, writtenChunk(decision_, box, std::move(out), chunk.loaded, resultValuesOf(spec_)));
    }
}

ImageProfileReport profileOfImage(const ChunkRequest& asked, const ProfileSpec& spec,
                                  const std::vector<std::vector<CopiedTag>>& tags, const JobControl& control) {
    ChunkRequest request = asked;
    request.read.keepSamples = true;
    request.read.mapping.proportional = true; // masses are sums of distances of values
    ImageChunks chunks(request, control.part(0, kPassShare));
    const JobControl working = chunks.afterPasses(control);
    PartJob& job = chunks.job;
    job = profileJob(job.grid, job.type, job.kind, job.connectivity, spec);
    job.measureValues(chunks.regions->info().mapping);
    job.written = resultSamples(*chunks.regions, resultValuesOf(spec), control.withoutProgress());
    const ChunkReader reader = chunks.reader();
    WorkFolder folder(workFolder(request), textOf(job, reader.identity), false);
    folder.removeAtEnd();
    const TileLayout layout = resultLayout(job, request.compression, job.written.type);
    const auto stores = makeStores(folder, layout, spec.thresholds.size());
    ChunkedProfile profile(job, spec, reader, chunks.treeOptions(request), folder, chunks.mergeMemory(),
                           chunks.regions->info().mapping);
    const auto write = [&](std::size_t page, const FilteredChunk& chunk) {
        sinkInto(*stores[page]).put(chunk, control.withoutProgress());
    };
    ImageProfileReport report{reportOn(chunks, bitsOf(job.written.type)), {}};
    ThreadArena arena(request.threads);
    arena.execute([&] {
        report.pages = profile.run(write, working.part(0, kFiltering));
        writePages(request, resultFacts(chunks.regions->info(), {resultValuesOf(spec), job.written}), stores, tags,
                   working.part(kFiltering, 1 - kFiltering));
    });
    report.counts = profile.report();
    report.engine = profile.engine();
    return report;
}

} // namespace pollard
