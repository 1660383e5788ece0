#include "command.hpp"
#include "io/read_support.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/part_tasks.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

constexpr const char* kHelp =
    R"(The filter of an image as tasks of a cluster or a build tool that share a file system. Each task is a pure function
of files and writes a folder of its own:
  part plan IMAGE -o job.json --keep 'area>=100' --chunk 8192     once; prints the number of chunks
  part build job.json IMAGE --chunks 0:63 -o p0                   for all chunks, at the same time
  part merge job.json p0 p1 p2 p3 -o m0                           until one folder has all chunks, in any grouping
  part split job.json m0 p0 p1 p2 p3                              the same groups backwards, the last merge first
  part apply job.json IMAGE p0                                    for all folders of build, at the same time
  part finish job.json IMAGE p0 p1 p2 p3 -o out.tif               once
If part plan says two sweeps (depth, dynamics, extinction values or --prominent with the rule max or viterbi), between
split and apply, until all folders of build have decided and all groups are collected, and then split once more:
  part decide job.json IMAGE p0                                   for all folders of build, at the same time
  part collect job.json m0 p0 p1 p2 p3                            the same groups as those of merge, in its order
With --output labels: part count job.json IMAGE p0 for all folders of build after split, then part apply job.json IMAGE
p0 --numbered p0 p1 p2 p3. The result has the same bytes as that of filter --stream with this size of chunks or another.
)";

/// Options of all verbs.
struct PartOptions {
    FilterRequest filter;
    std::string plan;
    std::string chunks;
    std::string folder;
    Folders folders;
};

/// The first number of --chunks and the number after the last.
std::pair<std::uint64_t, std::uint64_t> chunksIn(const std::string& text) {
    const std::vector<std::string_view> parts = split(text, ':');
    const auto first = numberIn<std::uint64_t>(parts.front());
    const auto last = numberIn<std::uint64_t>(parts.back());
    if (parts.size() > 2 || !first || !last || *last < *first || *last == UINT64_MAX) {
        throw UsageError("--chunks: '" + text + "': expected FIRST or FIRST:LAST, e.g. 0:63");
    }
    return {*first, *last + 1};
}

void printFields(const Context& context, const Json& fields) {
    Report report;
    report.fields = fields;
    TextTable table({"", ""}, "ll");
    for (const auto& [name, value] : fields.items()) {
        table.add({name, value.is_number_unsigned() ? grouped(value.get<std::uint64_t>())
                         : value.is_string()        ? value.get<std::string>()
                                                    : value.dump()});
    }
    table.print(report.text);
    report.print(context);
}

Json taskJson(const std::string& folder, const TaskReport& report) {
    return {{"folder", folder},
            {"chunks", report.chunks},
            {"open_nodes", report.openNodes},
            {"merged_nodes", report.mergedNodes},
            {"bytes", report.bytes}};
}

Json runPlan(const PartOptions& options, const Context& context, const JobControl& control) {
    const PlannedJob plan = planJob(options.filter, options.plan, context, control);
    const ChunkGrid& grid = plan.job.grid;
    return {{"file", options.filter.image.image},
            {"plan", options.plan},
            {"width", grid.whole().width},
            {"height", grid.whole().height},
            {"chunk", {grid.chunkExtent().width, grid.chunkExtent().height}},
            {"columns", grid.across()},
            {"rows", grid.down()},
            {"chunks", grid.count()},
            {"sweeps", plan.job.decidesUpwards() ? 2U : 1U}};
}

Json runBuild(const PartOptions& options, const Context& context, const JobControl& control) {
    const auto [first, end] = chunksIn(options.chunks);
    const PlannedJob plan = readPlan(options.plan);
    return taskJson(options.folder,
                    buildPart(plan, plan.request(options.filter, context), first, end, options.folder, control));
}

Json runMerge(const PartOptions& options, const Context& /*context*/, const JobControl& control) {
    std::uint64_t memory = options.filter.stream.memoryBytes();
    memory = memory == 0 ? availableMemory() / 4 * 3 : memory;
    return taskJson(options.folder,
                    mergeTasks(readPlan(options.plan), options.folders, memory, options.folder, control));
}

Json runSplit(const PartOptions& options, const Context& /*context*/, const JobControl& /*control*/) {
    splitResults(readPlan(options.plan), options.folder, options.folders);
    return {{"folder", options.folder}, {"folders", options.folders}};
}

Json runDecide(const PartOptions& options, const Context& context, const JobControl& control) {
    const PlannedJob plan = readPlan(options.plan);
    decideTask(plan, plan.request(options.filter, context), options.folder, control);
    return {{"folder", options.folder}};
}

Json runCollect(const PartOptions& options, const Context& /*context*/, const JobControl& /*control*/) {
    collectDecisions(readPlan(options.plan), options.folder, options.folders);
    return {{"folder", options.folder}, {"folders", options.folders}};
}

Json runCount(const PartOptions& options, const Context& context, const JobControl& control) {
    const PlannedJob plan = readPlan(options.plan);
    return {{"folder", options.folder},
            {"components", countComponents(plan, plan.request(options.filter, context), options.folder, control)}};
}

Json runApply(const PartOptions& options, const Context& context, const JobControl& control) {
    const PlannedJob plan = readPlan(options.plan);
    const ChunkCounts report =
        applyTask(plan, plan.request(options.filter, context), options.folder, options.folders, control);
    return {{"folder", options.folder},
            {"nodes", countJson(report.nodes, report.isCut)},
            {"kept", countJson(report.keptNodes, report.isCut)},
            {"changed_pixels", report.changedPixels}};
}

Json runFinish(const PartOptions& options, const Context& context, const JobControl& control) {
    const PlannedJob plan = readPlan(options.plan);
    requireTarget(options.filter);
    return {{"output_file", options.filter.target},
            {"changed_pixels", finishJob(plan, plan.request(options.filter, context), options.folders, control)}};
}

/// @return the fields of its report
using Verb = Json (*)(const PartOptions&, const Context&, const JobControl&);

} // namespace

CommandAction declarePart(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("part", "Filter an image by tasks on several machines, through files");
    command.footer(kHelp);
    command.require_subcommand(1);
    const auto options = std::make_shared<PartOptions>();
    const auto chosen = std::make_shared<Verb>(nullptr);
    const auto declareVerb = [&](const char* name, const char* help, Verb verb) -> CLI::App& {
        CLI::App& declared = *command.add_subcommand(name, help);
        declared.fallthrough(); // to the options of all commands
        declared.callback([chosen, verb] { *chosen = verb; });
        return declared;
    };
    const auto takePlan = [&](CLI::App& verb) {
        verb.add_option("JOB", options->plan, "File of part plan")->required();
    };
    const auto takeImage = [&](CLI::App& verb) {
        verb.add_option("IMAGE", options->filter.image.image, "The image, as for part plan")->required();
    };
    const auto takeWork = [&](CLI::App& verb) {
        options->filter.stream.declareMemory(verb);
        addValue(verb, "--algorithm", options->filter.tree.algorithm, "Algorithm that builds the trees", "NAME");
    };
    const auto takeFolder = [&](CLI::App& verb, const char* name, const char* help) {
        addValue(verb, name, options->folder, help, "DIR")->required();
    };
    const auto takeFolders = [&](CLI::App& verb, const char* name, const char* help) {
        return addValue(verb, name, options->folders, help, "DIR...");
    };

    CLI::App& planning = declareVerb("plan", "Write the job, after passes over the image", runPlan);
    options->filter.image.declare(planning);
    addValue(planning, "-o,--out", options->plan, "File to write", "JOB.json")->required();
    options->filter.filter.declare(planning);
    options->filter.tree.declare(planning);
    options->filter.stream.declareSizes(planning);

    CLI::App& building = declareVerb("build", "Build the trees of chunks and merge them into a part", runBuild);
    takePlan(building);
    takeImage(building);
    addValue(building, "--chunks", options->chunks, "Numbers of chunks, from 0, row by row", "FIRST[:LAST]")
        ->required();
    takeFolder(building, "-o,--out", "Folder of the task");
    takeWork(building);

    CLI::App& merging = declareVerb("merge", "Merge the parts of folders", runMerge);
    takePlan(merging);
    takeFolders(merging, "PARTS", "Folders of build and merge")->required();
    takeFolder(merging, "-o,--out", "Folder of the task");
    options->filter.stream.declareMemory(merging);

    CLI::App& splitting = declareVerb("split", "Hand results back to the folders that were merged", runSplit);
    takePlan(splitting);
    takeFolder(splitting, "MERGED", "Folder of merge, with all chunks or after its own split");
    takeFolders(splitting, "PARTS", "Folders that were merged, in the same order")->required();

    CLI::App& deciding = declareVerb("decide", "Decide on the nodes of chunks in a second sweep", runDecide);
    CLI::App& collecting = declareVerb("collect", "Decide on the nodes of a merge in the second sweep", runCollect);
    takePlan(collecting);
    takeFolder(collecting, "MERGED", "Folder of merge");
    takeFolders(collecting, "PARTS", "Folders that were merged, after decide or collect, in the same order")
        ->required();

    CLI::App& counting = declareVerb("count", "Find the components of chunks, for labels", runCount);
    CLI::App& applying = declareVerb("apply", "Filter the chunks of a part", runApply);
    for (CLI::App* verb : {&deciding, &counting, &applying}) {
        takePlan(*verb);
        takeImage(*verb);
        takeFolder(*verb, "PART", "Folder of build");
        takeWork(*verb);
    }
    takeFolders(applying, "--numbered", "For labels: the folders of all chunks after count");

    CLI::App& finishing = declareVerb("finish", "Write the image from the filtered chunks", runFinish);
    takePlan(finishing);
    takeImage(finishing);
    takeFolders(finishing, "PARTS", "All folders after apply")->required();
    addValue(finishing, "-o,--out", options->filter.target, "TIFF to write", "OUT.tif")->required();

    return [options, chosen](Context& context) {
        ProgressLine progress(context.err, context.showProgress, context.pace);
        printFields(context, (*chosen)(*options, context, progress.control("filtering in parts", context.stop)));
    };
}

} // namespace pollard::cli
