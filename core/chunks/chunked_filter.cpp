#include "chunks/chunked_filter.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/merge/part_values.hpp"
#include "filter/analysis_image.hpp"
#include "image/mask.hpp"
#include "io/samples/value_levels.hpp"
#include "recipe/no_data.hpp"

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
constexpr const char* kLeaves = "leaves";
constexpr const char* kValues = "values";
constexpr const char* kDecisions = "decisions";
constexpr const char* kCut = "cut"; ///< a file without sections: parts of the job are cut

// Parts of the whole time, for the progress.
constexpr double kUp = 0.45;
constexpr double kDown = 0.05;
constexpr double kDeciding = 0.1;  ///< if the job decidesUpwards()
constexpr double kNumbering = 0.3; ///< of labels

/// Writes the values of the pixels' nodes. @return number of pixels whose node changes
template <class T> std::uint64_t writePixels(const ComponentTree& tree, const Buffer<T>& value,
                                             const Buffer<std::uint8_t>& changes, std::span<T> out,
                                             const JobControl& control) {
    std::atomic<std::uint64_t> changed{0};
    forEachRange(out.size(), control, [&](std::size_t begin, std::size_t end) {
        std::uint64_t here = 0;
        for (std::size_t p = begin; p != end; ++p) {
            const std::uint32_t node = tree.pixelNode[p];
            out[p] = value[node];
            here += changes[node];
        }
        changed += here;
    });
    return changed;
}

/// As writePixels(), by all results of a chunk. @param valueOf value of a node @param changed is increased
template <class T, class ValueOf> void gather(const PartJob& job, const ChunkTree& chunk, const PartResults& all,
                                              std::span<T> out, std::uint64_t& changed, const JobControl& control,
                                              ValueOf&& valueOf) {
    const ComponentTree& tree = chunk.tree();
    Buffer<T> value(tree.nodeCount());
    Buffer<std::uint8_t> changes(tree.nodeCount());
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        value[i] = valueOf(i);
        changes[i] = job.levelAt(all.height[i]) != tree.level[i] ? 1 : 0;
    });
    changed += writePixels(tree, value, changes, out, control);
}

/// Sets the labels of pixels without data to 0.
template <class T> void clearOutside(const Mask& valid, std::span<T> labels, std::size_t width) {
    for (std::uint32_t y = 0; y < valid.height(); ++y) {
        T* row = labels.data() + y * width;
        forEachRun(valid, y, false,
                   [&](std::uint32_t first, std::uint32_t last) { std::fill(row + first, row + last, T{0}); });
    }
}

/// @throws Error(outOfMemory)
void requireMemoryForLabels(std::uint64_t components, std::uint64_t memory) {
    const std::uint64_t needed = components * sizeof(std::uint64_t);
    if (needed > memory) {
        throw Error(ErrorCode::outOfMemory, "label components: " + std::to_string(components) + " of them need " +
                                                sizeText(needed) + ", " + sizeText(memory) + " are allowed");
    }
}

} // namespace

Image resultImage(const PartJob& job, const ChunkTree& chunk, const PartResults& all, std::uint64_t& changed,
                  const JobControl& control) {
    Image image(job.type, chunk.image().extent());
    const Buffer<std::uint16_t>& level = chunk.tree().level;
    dispatch(job.type, [&]<class T>(T) {
        gather(job, chunk, all, image.pixels<T>(), changed, control, [&](std::size_t i) {
            const int filteredLevel = job.levelAt(all.height[i]);
            switch (job.filter.output) {
            case Output::residue:
                return static_cast<T>(std::abs(filteredLevel - level[i]));
            case Output::mask:
                return static_cast<T>((all.flags[i] & NodeResult::kMarked) != 0 ? maxLevelOf(job.type) : 0);
            default:
                return static_cast<T>(filteredLevel);
            }
        });
    });
    return image;
}

template <class T> void writeLabels(const PartJob& job, const ChunkTree& chunk, const PartResults& all,
                                    std::span<const std::uint64_t> firstPixels, std::span<T> labels,
                                    std::uint64_t& changed, const JobControl& control) {
    gather(job, chunk, all, labels, changed, control, [&](std::size_t i) {
        const std::uint64_t component = all.component[i];
        if (component == NodeResult::kNone) {
            return T{0};
        }
        return static_cast<T>(std::ranges::lower_bound(firstPixels, component) - firstPixels.begin() + 1);
    });
}
template void writeLabels(const PartJob&, const ChunkTree&, const PartResults&, std::span<const std::uint64_t>,
                          std::span<std::uint32_t>, std::uint64_t&, const JobControl&);
template void writeLabels(const PartJob&, const ChunkTree&, const PartResults&, std::span<const std::uint64_t>,
                          std::span<std::uint64_t>, std::uint64_t&, const JobControl&);

void ChunkCounts::add(const ChunkCounts& other) noexcept {
    nodes += other.nodes;
    keptNodes += other.keptNodes;
    changedPixels += other.changedPixels;
    components = std::max(components, other.components);
    openNodes += other.openNodes;
    mergedNodes += other.mergedNodes;
    largestMerge = std::max(largestMerge, other.largestMerge);
    largestFrontier = std::max(largestFrontier, other.largestFrontier);
    builtTrees += other.builtTrees;
    folderBytes += other.folderBytes;
    isCut = isCut || other.isCut;
}

FilteredChunk writtenChunk(const PartJob& job, const ChunkBox& box, Image image, const LoadedImage& source,
                           ResultValues values) {
    if (values == ResultValues::others || (!source.info.mapping && !job.written.mark)) {
        return {box, valueTypeOf(job.type), std::move(image)};
    }
    const PixelRows rows = resultRows(image, source, values, job.written);
    Buffer<std::byte> pixels(rows.rowBytes() * rows.extent.rows());
    rows.read(0, static_cast<std::uint32_t>(rows.extent.rows()), pixels.data());
    return {box, rows.type, std::move(pixels)};
}

ChunkedFilter::ChunkedFilter(const PartJob& job, ChunkRows chunks, ChunkReader reader, ChunkTreeOptions options,
                             const WorkFolder& folder, std::uint64_t memory)
    : job_(job), chunks_(std::move(chunks)), trees_(job, std::move(reader), std::move(options)), folder_(folder),
      memory_(memory), leaves_(job.filter.prominent ? job.filter.prominent->count : 0) {}

void ChunkedFilter::prepare(const JobControl& control) {
    (void)up(control);
    if (job_.values.any()) {
        takeValues({job_.values, 0, leaves_.last()});
    }
    if (job_.decidesUpwards()) {
        (void)decideUpwards(control);
    }
    down({}, control);
    if (job_.filter.output == Output::labels) {
        std::vector<std::uint64_t> components = findComponents(control);
        std::ranges::sort(components);
        numberComponents(std::move(components));
    }
}

ValueType ChunkedFilter::type() const noexcept {
    if (job_.filter.output != Output::labels) {
        return job_.written.type;
    }
    return firstPixels_.size() > std::numeric_limits<std::uint32_t>::max() ? ValueType::u64 : ValueType::u32;
}

bool ChunkedFilter::has(const char* name, std::uint64_t row) const {
    return std::filesystem::exists(folder_.file(name, row));
}

void ChunkedFilter::report(const JobControl& control, double done, const char* stage) const {
    control.report(done, stage);
    control.throwIfStopped();
}

LoadedChunk ChunkedFilter::takeForwards(std::size_t place, const JobControl& control) {
    const auto next = place + 1 < chunks_.count() ? std::optional(chunks_.chunk(place + 1)) : std::nullopt;
    return trees_.take(chunks_.chunk(place), next, control);
}

Part ChunkedFilter::up(const JobControl& control) {
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
        if (job_.filter.prominent) {
            leaves_ = readLeaves(folder_.file(kLeaves, first - 1), folder_.identity(), job_);
        }
    }
    for (std::uint64_t row = first; row < rows(); ++row) {
        frontier = mergeRow(row, std::move(frontier), control);
        writePart(folder_.file(kFrontier, row), folder_.identity(), frontier);
        if (row > 0) {
            std::filesystem::remove(folder_.file(kFrontier, row - 1));
            std::filesystem::remove(folder_.file(kLeaves, row - 1));
        }
        report_.folderBytes = std::max(report_.folderBytes, folder_.bytes());
    }
    return frontier;
}

Part ChunkedFilter::mergeRow(std::uint64_t row, Part frontier, const JobControl& control) {
    PartMerge merge(job_, row, rows(), memory_);
    if (row > 0) {
        merge.add(std::move(frontier));
    }
    for (std::size_t place = chunks_.begin(row); place < chunks_.begin(row + 1); ++place) {
        report(control, kUp * shareBefore(place), "building trees");
        LoadedChunk taken = takeForwards(place, control);
        Part part = taken.tree->part(control);
        report_.openNodes += part.nodeCount();
        if (job_.filter.prominent) {
            taken.tree->addLeaves(part, leaves_);
            leaves_.requireMemory(memory_);
        }
        merge.addChunk(std::move(part));
        trees_.keep(std::move(taken));
    }
    MergeStep step;
    Part merged = merge.merged(step, leaves_, control);
    report_.addMerge(merge.nodes(), merged.nodeCount());
    if (merge.isCut()) {
        RecordWriter(folder_.file(kCut), RecordKind::row, folder_.identity()).commit();
    }
    if (job_.filter.prominent) {
        writeLeaves(folder_.file(kLeaves, row), folder_.identity(), leaves_);
    }
    writeStep(folder_.file(kStep, row), folder_.identity(), step);
    return merged;
}

void ChunkedFilter::takeValues(const PartValues& values) {
    writeValues(folder_.file(kValues, rows()), folder_.identity(), {&values, 1});
}

PartValues ChunkedFilter::valuesAbove(std::uint64_t row) const {
    return std::move(readValues(folder_.file(kValues, row + 1), folder_.identity(), job_).at(0));
}

PartValues ChunkedFilter::carryValues(std::uint64_t row, const MergeStep& step) const {
    PartValues values = valuesOf(job_, step, valuesAbove(row));
    writeValues(folder_.file(kValues, row), folder_.identity(), valuesOfInputs(job_, step, values));
    return values;
}

void ChunkedFilter::valuesDown(const JobControl& control) {
    for (std::uint64_t row = rows(); row-- > 0;) {
        report(control, kUp, "deciding on nodes over the seams");
        if (!has(kValues, row)) {
            (void)carryValues(row, readStep(folder_.file(kStep, row), folder_.identity(), job_));
        }
    }
}

Summaries ChunkedFilter::decideUpwards(const JobControl& control) {
    valuesDown(control);
    std::uint64_t first = 0;
    while (first < rows() && has(kDecisions, first)) {
        ++first;
    }
    Summaries frontier(job_.ruleNeeds(), 0);
    if (first > 0) {
        frontier = std::move(readDecisions(folder_.file(kDecisions, first - 1), folder_.identity(), job_).open);
    }
    for (std::uint64_t row = first; row < rows(); ++row) {
        StepDecisions decisions = decideRow(row, std::move(frontier), control);
        writeDecisions(folder_.file(kDecisions, row), folder_.identity(), decisions.bits, decisions.open);
        frontier = std::move(decisions.open);
    }
    return frontier;
}

StepDecisions ChunkedFilter::decideRow(std::uint64_t row, Summaries frontier, const JobControl& control) {
    std::vector<Summaries> inputs;
    if (row > 0) {
        inputs.push_back(std::move(frontier));
    }
    const std::vector<PartValues> values = valuesOfRow(row);
    for (std::size_t i = 0; i < chunks_.size(row); ++i) {
        const std::size_t place = chunks_.begin(row) + i;
        report(control, kUp + kDeciding * shareBefore(place), "deciding on nodes of chunks");
        LoadedChunk taken = takeForwards(place, control);
        inputs.push_back(taken.tree->decisions(values[i], control));
        trees_.keep(std::move(taken));
    }
    MergeStep step = readStep(folder_.file(kStep, row), folder_.identity(), job_);
    Summaries open = decideStep(job_, valuesOf(job_, step, valuesAbove(row)), inputs, step);
    return {std::move(step.bits), std::move(open)};
}

MergeStep ChunkedFilter::decidedStep(std::uint64_t row) const {
    MergeStep step = readStep(folder_.file(kStep, row), folder_.identity(), job_);
    if (job_.decidesUpwards()) {
        const std::filesystem::path path = folder_.file(kDecisions, row);
        step.bits = std::move(readDecisions(path, folder_.identity(), job_).bits);
        if (step.bits.size() != step.nodeCount()) {
            throw Error(ErrorCode::fileDamaged, "cannot read part: " + path.string() + ": has another number of nodes");
        }
    } else if (job_.values.any()) {
        (void)decideStep(job_, carryValues(row, step), {}, step);
    }
    return step;
}

void ChunkedFilter::down(PartResults above, const JobControl& control) {
    std::uint64_t end = rows(); // rows from here on have results
    while (end > 0 && has(kResults, end - 1)) {
        --end;
    }
    if (end > 0 && end < rows()) {
        above = std::move(readResults(folder_.file(kResults, end), folder_.identity(), job_).inputs.at(0));
    }
    for (std::uint64_t row = end; row-- > 0;) {
        report(control,
               beforeNumbering() - kDown + kDown * static_cast<double>(rows() - row) / static_cast<double>(rows()),
               "deciding on nodes over the seams");
        const MergeStep step = decidedStep(row);
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

StepResults ChunkedFilter::resultsOfRow(std::uint64_t row) const {
    const std::filesystem::path path = folder_.file(kResults, row);
    StepResults results = readResults(path, folder_.identity(), job_);
    keepChunks(row, path, results.inputs);
    return results;
}

std::vector<PartValues> ChunkedFilter::valuesOfRow(std::uint64_t row) const {
    if (!job_.values.any()) {
        return std::vector<PartValues>(chunks_.size(row));
    }
    const std::filesystem::path path = folder_.file(kValues, row);
    std::vector<PartValues> values = readValues(path, folder_.identity(), job_);
    keepChunks(row, path, values);
    return values;
}

template <class T>
void ChunkedFilter::keepChunks(std::uint64_t row, const std::filesystem::path& path, std::vector<T>& inputs) const {
    if (row > 0 && !inputs.empty()) {
        inputs.erase(inputs.begin()); // the frontier
    }
    if (inputs.size() != chunks_.size(row)) {
        throw Error(ErrorCode::fileDamaged, "cannot read part: " + path.string() + ": has another number of chunks");
    }
}

double ChunkedFilter::beforeNumbering() const noexcept { return kUp + kDown + (job_.decidesUpwards() ? kDeciding : 0); }

std::vector<std::uint64_t> ChunkedFilter::findComponents(const JobControl& control) {
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
            const std::vector<PartValues> values = valuesOfRow(row);
            for (std::size_t i = 0; i < chunks_.size(row); ++i) {
                const std::size_t place = chunks_.begin(row) + i;
                report(control, beforeNumbering() + kNumbering * shareBefore(place), "numbering components");
                LoadedChunk taken = takeForwards(place, control);
                const std::vector<std::uint64_t> found = taken.tree->firstPixels(results.inputs[i], values[i], control);
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

bool ChunkedFilter::hasApplied() const { return has(kRow, rows() - 1); } // the last row is the first

ChunkCounts ChunkedFilter::apply(const ChunkSink& sink, const JobControl& control) {
    for (std::uint64_t row = rows(); row-- > 0;) { // the last rows may be kept
        if (!has(kRow, row)) {
            applyRow(row, sink, control);
        }
        RecordReader file(folder_.file(kRow, row), RecordKind::row, folder_.identity());
        const Buffer<std::uint64_t> facts = file.take<std::uint64_t>("fact", 3);
        const StepResults results = readResults(folder_.file(kResults, row), folder_.identity(), job_);
        report_.nodes += facts[0] + results.nodes;
        report_.keptNodes += facts[1] + results.kept;
        report_.changedPixels += facts[2];
    }
    report_.components = firstPixels_.size();
    report_.isCut = std::filesystem::exists(folder_.file(kCut));
    report_.builtTrees = trees_.built();
    return report_;
}

void ChunkedFilter::applyRow(std::uint64_t row, const ChunkSink& sink, const JobControl& control) {
    const StepResults results = resultsOfRow(row);
    const std::vector<PartValues> values = valuesOfRow(row);
    const double before = beforeNumbering() + (job_.filter.output == Output::labels ? kNumbering : 0);
    RowFacts facts;
    std::future<void> writing;
    for (std::size_t i = chunks_.size(row); i-- > 0;) {
        const std::size_t place = chunks_.begin(row) + i;
        report(control, before + (1 - before) * (1 - shareBefore(place + 1)), "filtering");
        const auto next = place > 0 ? std::optional(chunks_.chunk(place - 1)) : std::nullopt;
        LoadedChunk taken = trees_.take(chunks_.chunk(place), next, control);
        auto made = std::make_shared<FilteredChunk>(filtered(taken, results.inputs[i], values[i], facts, control));
        if (writing.valid()) {
            writing.get();
        }
        writing = std::async(std::launch::async, [&sink, made = std::move(made), quiet = control.withoutProgress()] {
            sink.put(*made, quiet);
        });
    }
    writing.get();
    if (sink.flush) {
        sink.flush();
    }
    const std::array<std::uint64_t, 3> saved{facts.nodes, facts.kept, facts.changed};
    RecordWriter file(folder_.file(kRow, row), RecordKind::row, folder_.identity());
    file.add("fact", std::span<const std::uint64_t>(saved));
    file.commit();
}

FilteredChunk ChunkedFilter::filtered(const LoadedChunk& chunk, const PartResults& results, const PartValues& values,
                                      RowFacts& facts, const JobControl& control) const {
    const PartResults all = chunk.tree->resultsOf(results, values, facts.kept, control);
    facts.nodes += chunk.tree->closedCount();
    const ChunkBox box = job_.grid.boxOf(chunk.tree->chunk());
    const std::size_t pixels = box.extent.pixelCount();
    if (job_.filter.output == Output::labels) {
        Buffer<std::byte> labels(pixels * bytesOf(type()));
        const auto fill = [&]<class T>(T) {
            const std::span<T> out(reinterpret_cast<T*>(labels.data()), pixels);
            writeLabels(job_, *chunk.tree, all, firstPixels_, out, facts.changed, control);
            if (chunk.loaded.valid) {
                clearOutside(*chunk.loaded.valid, out, box.extent.width);
            }
        };
        type() == ValueType::u64 ? fill(std::uint64_t{}) : fill(std::uint32_t{});
        return {box, type(), std::move(labels)};
    }
    Image image = resultImage(job_, *chunk.tree, all, facts.changed, control);
    if (chunk.loaded.valid) {
        restoreOutside(*chunk.loaded.image, *chunk.loaded.valid, job_.filter.output, image, control);
    }
    return writtenChunk(job_, box, std::move(image), chunk.loaded, resultValuesOf(job_.filter));
}

} // namespace pollard
