#include "parts/streamed_filter.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/analysis_image.hpp"
#include "parts/merge_parts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr const char* kStep = "step";
constexpr const char* kFrontier = "frontier";
constexpr const char* kResults = "results";
constexpr const char* kRow = "row";
constexpr const char* kFirst = "first";

// Parts of the whole time, for the progress.
constexpr double kUp = 0.45;
constexpr double kDown = 0.05;
constexpr double kNumbering = 0.3;

/// @throws Error(outOfMemory)
void requireMemoryForLabels(std::uint64_t components, std::uint64_t memory) {
    const std::uint64_t needed = components * sizeof(std::uint64_t);
    if (needed > memory) {
        throw Error(ErrorCode::outOfMemory, "label components: " + std::to_string(components) + " of them need " +
                                                sizeText(needed) + ", " + sizeText(memory) + " are allowed");
    }
}

} // namespace

StreamedFilter::StreamedFilter(const PartJob& job, ChunkRows chunks, ChunkReader reader, ChunkTreeOptions options,
                               const PartFolder& folder, std::uint64_t memory)
    : job_(job), chunks_(std::move(chunks)), trees_(job, std::move(reader), std::move(options)), folder_(folder),
      memory_(memory) {}

void StreamedFilter::prepare(const JobControl& control) {
    (void)up(control);
    down({}, control);
    if (job_.filter.output == Output::labels) {
        std::vector<std::uint64_t> components = findComponents(control);
        std::ranges::sort(components);
        numberComponents(std::move(components));
    }
}

int StreamedFilter::bits() const noexcept {
    if (job_.filter.output != Output::labels) {
        return bitsOf(job_.type);
    }
    return firstPixels_.size() > std::numeric_limits<std::uint32_t>::max() ? 64 : 32;
}

bool StreamedFilter::has(const char* name, std::uint64_t row) const {
    return std::filesystem::exists(folder_.file(name, row));
}

void StreamedFilter::report(const JobControl& control, double done, const char* stage) const {
    control.report(done, stage);
    control.throwIfStopped();
}

LoadedChunk StreamedFilter::takeForwards(std::size_t place, const JobControl& control) {
    const auto next = place + 1 < chunks_.count() ? std::optional(chunks_.chunk(place + 1)) : std::nullopt;
    return trees_.take(chunks_.chunk(place), next, control);
}

Part StreamedFilter::up(const JobControl& control) {
    std::uint64_t first = 0;
    while (first < rows() && has(kStep, first)) {
        ++first;
    }
    if (first > 0 && !has(kFrontier, first - 1)) {
        --first; // killed between both files of a row
    }
    Part frontier;
    frontier.own = Summaries(job_.needs, 0);
    if (first > 0) {
        frontier = readPart(folder_.file(kFrontier, first - 1), folder_.identity(), job_);
    }
    for (std::uint64_t row = first; row < rows(); ++row) {
        frontier = mergeRow(row, std::move(frontier), control);
        writePart(folder_.file(kFrontier, row), folder_.identity(), frontier);
        if (row > 0) {
            std::filesystem::remove(folder_.file(kFrontier, row - 1));
        }
        report_.folderBytes = std::max(report_.folderBytes, folder_.bytes());
    }
    return frontier;
}

Part StreamedFilter::mergeRow(std::uint64_t row, Part frontier, const JobControl& control) {
    std::vector<Part> parts;
    std::uint64_t vertices = 0;
    const auto add = [&](Part part) {
        vertices += part.nodeCount();
        requireMergeMemory(job_, vertices, memory_, "row " + std::to_string(row + 1) + " of " + std::to_string(rows()));
        parts.push_back(std::move(part));
    };
    if (row > 0) {
        add(std::move(frontier));
    }
    for (std::size_t place = chunks_.begin(row); place < chunks_.begin(row + 1); ++place) {
        report(control, kUp * shareBefore(place), "building trees");
        LoadedChunk taken = takeForwards(place, control);
        add(taken.tree->part(control));
        report_.openNodes += taken.tree->openCount();
        trees_.keep(std::move(taken));
    }
    report_.mergedNodes += vertices;
    report_.largestMerge = std::max(report_.largestMerge, vertices);
    std::vector<const Part*> inputs;
    std::ranges::transform(parts, std::back_inserter(inputs), [](const Part& part) { return &part; });
    MergeStep step;
    Part merged = mergeParts(job_, inputs, step, control);
    report_.largestFrontier = std::max<std::uint64_t>(report_.largestFrontier, merged.nodeCount());
    writeStep(folder_.file(kStep, row), folder_.identity(), step);
    return merged;
}

void StreamedFilter::down(PartResults above, const JobControl& control) {
    std::uint64_t end = rows(); // rows from here on have results
    while (end > 0 && has(kResults, end - 1)) {
        --end;
    }
    if (end > 0 && end < rows()) {
        above = std::move(readResults(folder_.file(kResults, end), folder_.identity(), job_).inputs.at(0));
    }
    for (std::uint64_t row = end; row-- > 0;) {
        report(control, kUp + kDown * static_cast<double>(rows() - row) / static_cast<double>(rows()),
               "deciding on nodes over the seams");
        const MergeStep step = readStep(folder_.file(kStep, row), folder_.identity(), job_);
        StepResults results;
        results.inputs = resultsOf(job_, step, above, results.kept);
        results.nodes = static_cast<std::uint64_t>(std::ranges::count(step.openNode.span(), Part::kNone));
        writeResults(folder_.file(kResults, row), folder_.identity(), results);
        if (row > 0) {
            above = std::move(results.inputs.at(0));
        }
    }
    report_.folderBytes = std::max(report_.folderBytes, folder_.bytes());
}

StepResults StreamedFilter::resultsOfRow(std::uint64_t row) const {
    StepResults results = readResults(folder_.file(kResults, row), folder_.identity(), job_);
    if (row > 0 && !results.inputs.empty()) {
        results.inputs.erase(results.inputs.begin()); // the frontier
    }
    if (results.inputs.size() != chunks_.size(row)) {
        throw Error(ErrorCode::fileDamaged,
                    "cannot read part: " + folder_.file(kResults, row).string() + ": has another number of chunks");
    }
    return results;
}

std::vector<std::uint64_t> StreamedFilter::findComponents(const JobControl& control) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t row = 0; row < rows(); ++row) {
        const std::filesystem::path path = folder_.file(kFirst, row);
        std::vector<std::uint64_t> firsts;
        if (has(kFirst, row)) {
            RecordReader file(path, RecordKind::row, folder_.identity());
            const Buffer<std::uint64_t> saved = file.take<std::uint64_t>("firs");
            firsts.assign(saved.begin(), saved.end());
        } else {
            const StepResults results = resultsOfRow(row);
            for (std::size_t i = 0; i < chunks_.size(row); ++i) {
                const std::size_t place = chunks_.begin(row) + i;
                report(control, kUp + kDown + kNumbering * shareBefore(place), "numbering components");
                LoadedChunk taken = takeForwards(place, control);
                const std::vector<std::uint64_t> found = taken.tree->firstPixels(results.inputs[i]);
                firsts.insert(firsts.end(), found.begin(), found.end());
                trees_.keep(std::move(taken));
            }
            RecordWriter file(path, RecordKind::row, folder_.identity());
            file.add("firs", firsts);
            file.commit();
        }
        requireMemoryForLabels(all.size() + firsts.size(), memory_);
        all.insert(all.end(), firsts.begin(), firsts.end());
    }
    return all;
}

std::uint64_t StreamedFilter::labelOf(std::uint64_t component) const noexcept {
    const auto at = std::ranges::lower_bound(firstPixels_, component);
    return static_cast<std::uint64_t>(at - firstPixels_.begin()) + 1;
}

StreamedReport StreamedFilter::apply(const ChunkWriter& writer, const JobControl& control) {
    for (std::uint64_t row = rows(); row-- > 0;) { // the last rows may be kept
        if (!has(kRow, row)) {
            applyRow(row, writer, control);
        }
        RecordReader file(folder_.file(kRow, row), RecordKind::row, folder_.identity());
        const Buffer<std::uint64_t> facts = file.take<std::uint64_t>("fact", 3);
        const StepResults results = readResults(folder_.file(kResults, row), folder_.identity(), job_);
        report_.nodes += facts[0] + results.nodes;
        report_.keptNodes += facts[1] + results.kept;
        report_.changedPixels += facts[2];
    }
    report_.components = firstPixels_.size();
    report_.builtTrees = trees_.built();
    return report_;
}

void StreamedFilter::applyRow(std::uint64_t row, const ChunkWriter& writer, const JobControl& control) {
    const StepResults results = resultsOfRow(row);
    const double before = kUp + kDown + (job_.filter.output == Output::labels ? kNumbering : 0);
    RowFacts facts;
    std::future<void> writing;
    for (std::size_t i = chunks_.size(row); i-- > 0;) {
        const std::size_t place = chunks_.begin(row) + i;
        report(control, before + (1 - before) * (1 - shareBefore(place + 1)), "filtering");
        const auto next = place > 0 ? std::optional(chunks_.chunk(place - 1)) : std::nullopt;
        LoadedChunk taken = trees_.take(chunks_.chunk(place), next, control);
        auto made = std::make_shared<FilteredChunk>(filtered(taken, results.inputs[i], facts, control));
        if (writing.valid()) {
            writing.get();
        }
        writing = std::async(std::launch::async, [&writer, made = std::move(made), quiet = control.withoutProgress()] {
            writer.write(*made, quiet);
        });
    }
    writing.get();
    if (writer.flush) {
        writer.flush();
    }
    const std::array<std::uint64_t, 3> saved{facts.nodes, facts.kept, facts.changed};
    RecordWriter file(folder_.file(kRow, row), RecordKind::row, folder_.identity());
    file.add("fact", std::span<const std::uint64_t>(saved));
    file.commit();
}

FilteredChunk StreamedFilter::filtered(const LoadedChunk& chunk, const PartResults& results, RowFacts& facts,
                                       const JobControl& control) const {
    const PartResults all = chunk.tree->resultsOf(results, facts.kept);
    facts.nodes += chunk.tree->closedCount();
    FilteredChunk out{job_.grid.boxOf(chunk.tree->chunk()), bits(), {}};
    const std::size_t pixels = out.box.extent.pixelCount();
    out.pixels = Buffer<std::byte>(pixels * static_cast<std::size_t>(out.bits / 8));
    if (job_.filter.output == Output::labels) {
        gatherLabels(chunk, all, out, facts, control);
        return out;
    }
    Image image(job_.type, out.box.extent);
    dispatch(job_.type, [&]<class T>(T) { gather(chunk, all, image.pixels<T>(), facts, control); });
    if (chunk.loaded.valid) {
        restoreOutside(*chunk.loaded.image, *chunk.loaded.valid, job_.filter.output, image, control);
    }
    std::copy_n(image.data(), image.bytes(), out.pixels.begin());
    return out;
}

template <class T> void StreamedFilter::gather(const LoadedChunk& chunk, const PartResults& all, std::span<T> out,
                                               RowFacts& facts, const JobControl& control) const {
    const std::size_t nodes = chunk.tree->tree().nodeCount();
    Buffer<T> value(nodes);
    Buffer<std::uint8_t> changes(nodes);
    const auto& level = chunk.tree->tree().level;
    forEachIndex(nodes, control, [&](std::size_t i) {
        const int filteredLevel = job_.levelAt(all.height[i]);
        changes[i] = filteredLevel != level[i] ? 1 : 0;
        switch (job_.filter.output) {
        case Output::residue:
            value[i] = static_cast<T>(std::abs(filteredLevel - level[i]));
            break;
        case Output::mask:
            value[i] = static_cast<T>((all.flags[i] & NodeResult::kMarked) != 0 ? maxLevelOf(job_.type) : 0);
            break;
        default:
            value[i] = static_cast<T>(filteredLevel);
            break;
        }
    });
    const auto& node = chunk.tree->tree().pixelNode;
    std::atomic<std::uint64_t> changed{0};
    forEachRange(out.size(), control, [&](std::size_t begin, std::size_t end) {
        std::uint64_t here = 0;
        for (std::size_t p = begin; p != end; ++p) {
            out[p] = value[node[p]];
            here += changes[node[p]];
        }
        changed += here;
    });
    facts.changed += changed;
}

void StreamedFilter::gatherLabels(const LoadedChunk& chunk, const PartResults& all, FilteredChunk& out, RowFacts& facts,
                                  const JobControl& control) const {
    const ComponentTree& tree = chunk.tree->tree();
    Buffer<std::uint64_t> label(tree.nodeCount());
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        const std::uint64_t component = all.component[i];
        label[i] = component == NodeResult::kNone ? 0 : labelOf(component);
    });
    const auto write = [&]<class T>(T* pixels) {
        forEachIndex(tree.pixelCount(), control,
                     [&](std::size_t p) { pixels[p] = static_cast<T>(label[tree.pixelNode[p]]); });
        if (chunk.loaded.valid) {
            for (std::uint32_t p = 0; p < tree.pixelCount(); ++p) {
                if (!chunk.loaded.valid->test(p % tree.width, p / tree.width)) {
                    pixels[p] = 0;
                }
            }
        }
    };
    if (out.bits == 64) {
        write(reinterpret_cast<std::uint64_t*>(out.pixels.data()));
    } else {
        write(reinterpret_cast<std::uint32_t*>(out.pixels.data()));
    }
    for (std::size_t p = 0; p < tree.pixelCount(); ++p) {
        const std::uint32_t node = tree.pixelNode[p];
        facts.changed += job_.levelAt(all.height[node]) != tree.level[node] ? 1U : 0U;
    }
}

} // namespace pollard
