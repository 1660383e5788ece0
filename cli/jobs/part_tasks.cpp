#include "jobs/part_tasks.hpp"

#include "base/error.hpp"
#include "chunks/chunk_grid.hpp"
#include "chunks/chunk_job.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/merge/part_values.hpp"
#include "chunks/part_files.hpp"
#include "chunks/work_folder.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "formats/tiff/tiles/tiled_tiff.hpp"
#include "io/write/text_file.hpp"
#include "jobs/chunk_run.hpp"
#include "json/json_file.hpp"
#include "json/json_members.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <memory>

namespace pollard::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWhat = "plan of a job";
constexpr std::size_t kMostPlanBytes = std::size_t{1} << 20;

// Files of a task's folder.
constexpr const char* kChunks = "chunks"; ///< numbers of its chunks, ascending
constexpr const char* kPart = "part";
constexpr const char* kStep = "step";             ///< of a merge
constexpr const char* kInputs = "inputs";         ///< first chunk of each part that was merged
constexpr const char* kResults = "results";       ///< of the open nodes of the part
constexpr const char* kLeaves = "leaves";         ///< see ProminentLeaves
constexpr const char* kValues = "values";         ///< of the open nodes of the part
constexpr const char* kDecisions = "decisions";   ///< of a merge, and about the open nodes of the part
constexpr const char* kComponents = "components"; ///< first pixels of the components that begin in the chunks
constexpr const char* kCounts = "counts";         ///< bits per pixel, changed pixels
constexpr const char* kTiles = "tiles";

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, what + ": " + why);
}

using Numbers = std::vector<std::uint64_t>;

void writeNumbers(const fs::path& path, std::uint64_t identity, const Numbers& numbers) {
    RecordWriter file(path, RecordKind::row, identity);
    file.add("nums", numbers);
    file.commit();
}

Numbers readNumbers(const fs::path& path, std::uint64_t identity) {
    RecordReader file(path, RecordKind::row, identity);
    const Buffer<std::uint64_t> numbers = file.take<std::uint64_t>("nums");
    file.requireEnd();
    return {numbers.begin(), numbers.end()};
}

/// Chunks of a folder. @throws Error(fileDamaged), Error(invalidArgument)
Numbers chunksIn(const PlannedJob& plan, const fs::path& folder) {
    Numbers chunks = readNumbers(WorkFolder::fileIn(folder, kChunks), plan.identity());
    if (chunks.empty() || chunks.back() >= plan.job.grid.count() ||
        std::ranges::adjacent_find(chunks, std::greater_equal<>{}) != chunks.end()) {
        refuse(folder.string(), "has chunks that the job has not");
    }
    return chunks;
}

/// Continues the work in a folder of `build`.
class ChunkTask {
public:
    ChunkTask(const PlannedJob& plan, const ChunkRequest& request, const fs::path& folder, const JobControl& control)
        : rows_(rowsOf(plan, folder)), chunks_(request, plan.image, control),
          job_(request, chunks_, rows_, folder, plan.image.job, false) {}

    [[nodiscard]] ChunkJob& job() noexcept { return job_; }
    [[nodiscard]] ChunkedFilter& filter() noexcept { return job_.filter(); }
    [[nodiscard]] const WorkFolder& files() const noexcept { return job_.folder(); }

    /// Decides on the open nodes of the part.
    [[nodiscard]] Summaries decide(const JobControl& control) {
        takeValues(filter().up(control));
        return filter().decideUpwards(control);
    }

    void takeResults(const JobControl& control) {
        const Part part = filter().up(control);
        takeValues(part);
        if (chunks_.job.decidesUpwards()) {
            (void)filter().decideUpwards(control); // keeps the results of decide()
        }
        PartResults results;
        if (!part.isWhole()) {
            results = std::move(readResults(files().file(kResults), files().identity(), chunks_.job).inputs.at(0));
        }
        filter().down(std::move(results), control);
    }

private:
    void takeValues(const Part& part) {
        const PartJob& job = chunks_.job;
        if (!job.values.any()) {
            return;
        }
        if (part.isWhole()) {
            filter().takeValues({job.values, 0, filter().leaves().last()});
            return;
        }
        const fs::path file = files().file(kValues);
        const PartValues values = std::move(readValues(file, files().identity(), job).at(0));
        if (values.count != part.nodeCount()) {
            refuse(file.string(), "has values of " + std::to_string(values.count) + " open nodes, the part has " +
                                      std::to_string(part.nodeCount()));
        }
        filter().takeValues(values);
    }

    static ChunkRows rowsOf(const PlannedJob& plan, const fs::path& folder) {
        const Numbers chunks = chunksIn(plan, folder);
        if (chunks.back() - chunks.front() + 1 != chunks.size() || fs::exists(WorkFolder::fileIn(folder, kStep))) {
            refuse(folder.string(), "is the folder of a merge; name one of part build");
        }
        return chunksBetween(plan.job.grid, chunks.front(), chunks.back() + 1);
    }

    ChunkRows rows_;
    ImageChunks chunks_;
    ChunkJob job_;
};

/// @throws Error(invalidArgument) unless a folder was merged from others, in this order
void requireInputs(const PlannedJob& plan, const std::string& folder, const Folders& inputs) {
    const Numbers firsts = readNumbers(WorkFolder::fileIn(folder, kInputs), plan.identity());
    if (firsts.size() != inputs.size()) {
        refuse(folder,
               "was merged from " + std::to_string(firsts.size()) + " parts, not " + std::to_string(inputs.size()));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (chunksIn(plan, inputs[i]).front() != firsts[i]) {
            refuse(folder, "was merged from other parts, or in another order: " + inputs[i] + " is not part " +
                               std::to_string(i + 1) + " of it");
        }
    }
}

bool coversImage(const PlannedJob& plan, const fs::path& folder) {
    return chunksIn(plan, folder).size() == plan.job.grid.count();
}

/// Values of all nodes of a merge.
PartValues valuesOfMerge(const PlannedJob& plan, const fs::path& folder, const MergeStep& step) {
    const PartJob& job = plan.job;
    const auto file = [&](const char* name) { return WorkFolder::fileIn(folder, name); };
    if (!coversImage(plan, folder)) {
        return valuesOf(job, step, readValues(file(kValues), plan.identity(), job).at(0));
    }
    const LeafMeasure last =
        job.filter.prominent ? readLeaves(file(kLeaves), plan.identity(), job).last() : LeafMeasure{};
    return valuesOf(job, step, {job.values, 0, last});
}

/// @throws Error(invalidArgument) unless the job decidesUpwards()
void requireSecondSweep(const PlannedJob& plan, const char* verb) {
    if (!plan.job.decidesUpwards()) {
        refuse(verb, "is for jobs of two sweeps, see part plan");
    }
}

void splitValues(const PlannedJob& plan, const MergeStep& step, const PartValues& values, const Folders& inputs) {
    const std::vector<PartValues> ofInputs = valuesOfInputs(plan.job, step, values);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        writeValues(WorkFolder::fileIn(inputs[i], kValues), plan.identity(), {&ofInputs.at(i), 1});
    }
}

/// Calls visit(name, option) for the options of reading.
template <class Options, class Visit> void forEachReading(Options& image, Visit&& visit) {
    visit("channel", image.channel);
    visit("range", image.range);
    visit("region", image.region);
    visit("level", image.level);
    visit("raw", image.raw);
    visit("pixel_size", image.pixelSize);
    visit("max_pixels", image.maxPixels);
    visit("max_decoded", image.maxDecoded);
    visit("max_expansion", image.maxExpansion);
}

// Left out if they have their default.
constexpr const char* kIgnoreAlpha = "ignore_alpha";
constexpr const char* kAxes = "axes";

Json readingOf(const ImageOptions& image) {
    Json json;
    forEachReading(image, [&](const char* name, const auto& option) { json[name] = option; });
    if (image.ignoreAlpha) {
        json[kIgnoreAlpha] = true;
    }
    if (!image.axes.empty()) {
        json[kAxes] = image.axes;
    }
    return json;
}

void setReading(const Json& json, ImageOptions& image) {
    forEachReading(image, [&](const char* name, auto& option) { json.at(name).get_to(option); });
    image.ignoreAlpha = json.value(kIgnoreAlpha, false);
    image.axes = json.value(kAxes, std::string());
}

} // namespace

std::uint64_t PlannedJob::identity() const { return hashOf(image.job); }

ChunkRequest PlannedJob::request(FilterRequest options, const Context& context) const {
    setReading(reading, options.image);
    options.stream.compression = compression;
    options.stream.resume = true;
    options.tree.kind = job.kind == TreeKind::max ? "max" : "min";
    options.tree.connectivity = static_cast<int>(job.connectivity);
    return chunkRequest(options, job.filter, context);
}

PlannedJob planJob(const FilterRequest& options, const fs::path& file, const Context& context,
                   const JobControl& control) {
    const ChunkRequest request = chunkRequest(options, options.filter.spec(), context);
    const ImageChunks chunks(request, control);
    PlannedJob plan{chunks.plan(), chunks.job, readingOf(options.image), options.stream.compression};
    const Json json{{"job", Json::parse(plan.image.job)},
                    {"facts", plan.image.facts},
                    {"reading", plan.reading},
                    {"compression", plan.compression}};
    TextFile text(file, std::string("cannot write ") + kWhat);
    text << readableText(json);
    text.commit();
    return plan;
}

PlannedJob readPlan(const fs::path& file) {
    PlannedJob plan;
    namingFile(file, kWhat, [&] {
        const nlohmann::json json = parseJson(readSmallFile(file, kWhat, kMostPlanBytes), kWhat, {});
        try {
            NamedPartJob named = parsePartJob(json.at("job").dump());
            plan.image = {textOf(named.job, named.source), json.at("facts").get<std::string>()};
            plan.job = std::move(named.job);
            plan.reading = json.at("reading");
            ImageOptions image;
            setReading(plan.reading, image);
            plan.compression = json.at("compression").get<std::string>();
        } catch (const nlohmann::json::exception&) {
            refuse(kWhat, "is no file of part plan");
        }
    });
    return plan;
}

TaskReport buildPart(const PlannedJob& plan, const ChunkRequest& request, std::uint64_t first, std::uint64_t end,
                     const std::string& folder, const JobControl& control) {
    const ChunkRows rows = chunksBetween(plan.job.grid, first, end);
    const fs::path chunksFile = WorkFolder::fileIn(folder, kChunks);
    const bool continues = fs::exists(chunksFile) && readNumbers(chunksFile, plan.identity()) == rows.chunks();
    { // a folder of the same job, with other chunks, is emptied
        const WorkFolder files(folder, plan.image.job, continues);
        writeNumbers(chunksFile, plan.identity(), rows.chunks());
    }
    ChunkTask task(plan, request, folder, control);
    const Part part = task.filter().up(control);
    writePart(task.files().file(kPart), plan.identity(), part);
    if (plan.job.filter.prominent) {
        writeLeaves(task.files().file(kLeaves), plan.identity(), task.filter().leaves());
    }
    return {rows.count(), part.nodeCount(), 0, task.files().bytes()};
}

TaskReport mergeTasks(const PlannedJob& plan, const Folders& inputs, std::uint64_t memory, const std::string& folder,
                      const JobControl& control) {
    Numbers all;
    Numbers firsts;
    PartMerge merge(plan.job, {}, memory);
    for (const fs::path input : inputs) {
        std::error_code ignored;
        if (fs::equivalent(input, folder, ignored)) {
            refuse("part merge", folder + ": is the folder of the result and of a part");
        }
        const Numbers chunks = chunksIn(plan, input);
        all.insert(all.end(), chunks.begin(), chunks.end());
        firsts.push_back(chunks.front());
        merge.setPlace("merge of " + input.string());
        merge.add(readPart(WorkFolder::fileIn(input, kPart), plan.identity(), plan.job));
    }
    std::ranges::sort(all);
    if (const auto twice = std::ranges::adjacent_find(all); twice != all.end()) {
        refuse("part merge", "two of the parts have chunk " + std::to_string(*twice));
    }
    const auto& prominent = plan.job.filter.prominent;
    ProminentLeaves leaves(prominent ? prominent->count : 0);
    if (prominent) {
        for (const fs::path input : inputs) {
            leaves.add(readLeaves(WorkFolder::fileIn(input, kLeaves), plan.identity(), plan.job));
            leaves.requireMemory(memory);
        }
    }
    MergeStep step;
    const Part merged = merge.merged(step, leaves, control);
    const WorkFolder files(folder, plan.image.job, false);
    writeNumbers(files.file(kChunks), plan.identity(), all);
    writeNumbers(files.file(kInputs), plan.identity(), firsts);
    writeStep(files.file(kStep), plan.identity(), step);
    writePart(files.file(kPart), plan.identity(), merged);
    if (prominent) {
        writeLeaves(files.file(kLeaves), plan.identity(), leaves);
    }
    return {all.size(), merged.nodeCount(), merge.nodes(), files.bytes()};
}

void splitResults(const PlannedJob& plan, const std::string& folder, const Folders& inputs) {
    requireInputs(plan, folder, inputs);
    const PartJob& job = plan.job;
    const auto file = [&](const char* name) { return WorkFolder::fileIn(folder, name); };
    MergeStep step = readStep(file(kStep), plan.identity(), job);
    if (job.decidesUpwards()) {
        if (!fs::exists(file(kDecisions))) {
            splitValues(plan, step, valuesOfMerge(plan, folder, step), inputs);
            return;
        }
        step.bits = std::move(readDecisions(file(kDecisions), plan.identity(), job).bits);
        if (step.bits.size() != step.nodeCount()) {
            refuse(folder, "its decisions do not fit the merge");
        }
    } else if (job.values.any()) {
        const PartValues values = valuesOfMerge(plan, folder, step);
        splitValues(plan, step, values, inputs);
        (void)decideStep(job, values, {}, step);
    }
    PartResults results;
    if (!coversImage(plan, folder)) {
        results = std::move(readResults(file(kResults), plan.identity(), job).inputs.at(0));
    }
    std::uint64_t kept = 0;
    std::vector<PartResults> ofInputs = resultsOf(job, step, results, kept);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        StepResults one;
        one.inputs.push_back(std::move(ofInputs.at(i)));
        writeResults(WorkFolder::fileIn(inputs[i], kResults), plan.identity(), one);
    }
}

void decideTask(const PlannedJob& plan, const ChunkRequest& request, const std::string& folder,
                const JobControl& control) {
    requireSecondSweep(plan, "part decide");
    ChunkTask task(plan, request, folder, control);
    writeDecisions(task.files().file(kDecisions), plan.identity(), {}, task.decide(control));
}

void collectDecisions(const PlannedJob& plan, const std::string& folder, const Folders& inputs) {
    requireSecondSweep(plan, "part collect");
    requireInputs(plan, folder, inputs);
    std::vector<Summaries> decisions;
    for (const fs::path input : inputs) {
        decisions.push_back(
            std::move(readDecisions(WorkFolder::fileIn(input, kDecisions), plan.identity(), plan.job).open));
    }
    MergeStep step = readStep(WorkFolder::fileIn(folder, kStep), plan.identity(), plan.job);
    const Summaries open = decideStep(plan.job, valuesOfMerge(plan, folder, step), decisions, step);
    writeDecisions(WorkFolder::fileIn(folder, kDecisions), plan.identity(), step.bits, open);
}

std::uint64_t countComponents(const PlannedJob& plan, const ChunkRequest& request, const std::string& folder,
                              const JobControl& control) {
    if (plan.job.filter.output != Output::labels) {
        refuse("part count", "is for jobs with --output labels");
    }
    ChunkTask task(plan, request, folder, control);
    task.takeResults(control);
    const Numbers firsts = task.filter().findComponents(control);
    writeNumbers(task.files().file(kComponents), plan.identity(), firsts);
    return firsts.size();
}

ChunkCounts applyTask(const PlannedJob& plan, const ChunkRequest& request, const std::string& folder,
                      const Folders& numbered, const JobControl& control) {
    ChunkTask task(plan, request, folder, control);
    task.takeResults(control);
    if (plan.job.filter.output == Output::labels) {
        Numbers all;
        std::uint64_t chunks = 0;
        for (const fs::path other : numbered) {
            const Numbers firsts = readNumbers(WorkFolder::fileIn(other, kComponents), plan.identity());
            all.insert(all.end(), firsts.begin(), firsts.end());
            chunks += chunksIn(plan, other).size();
        }
        if (chunks != plan.job.grid.count()) {
            refuse("part apply", "labels need --numbered with the folders of all chunks, after part count; they have " +
                                     std::to_string(chunks) + " of " + std::to_string(plan.job.grid.count()));
        }
        std::ranges::sort(all);
        task.filter().numberComponents(std::move(all));
    }
    TileStore tiles = task.job().openTiles();
    const ChunkReport report = task.job().apply(sinkInto(tiles), control);
    writeNumbers(task.files().file(kCounts), plan.identity(),
                 {static_cast<std::uint64_t>(report.bits), report.counts.changedPixels});
    return report.counts;
}

std::uint64_t finishJob(const PlannedJob& plan, const ChunkRequest& request, const Folders& folders,
                        const JobControl& control) {
    const ImageChunks chunks(request, plan.image, control.withoutProgress());
    std::vector<std::unique_ptr<TileStore>> stores;
    std::vector<const TileStore*> pointers;
    std::uint64_t changed = 0;
    std::uint64_t present = 0;
    for (const fs::path folder : folders) {
        const Numbers counts = readNumbers(WorkFolder::fileIn(folder, kCounts), plan.identity());
        const ValueType type = plan.job.filter.output == Output::labels ? unsignedType(static_cast<int>(counts.at(0)))
                                                                        : plan.job.written.type;
        changed += counts.at(1);
        present += chunksIn(plan, folder).size();
        stores.push_back(std::make_unique<TileStore>(WorkFolder::fileIn(folder, kTiles),
                                                     resultLayout(plan.job, request.compression, type), plan.identity(),
                                                     TileStore::OpenMode::resume));
        pointers.push_back(stores.back().get());
    }
    if (present != plan.job.grid.count()) {
        refuse("part finish", "the folders have " + std::to_string(present) + " of " +
                                  std::to_string(plan.job.grid.count()) + " chunks");
    }
    const TiledPage page{pointers, stores.front().get(), filteredFacts(plan.job, chunks.regions->info())};
    writeTiledTiff(request.target, {&page, 1}, control);
    return changed;
}

} // namespace pollard::cli
