#include "bench/bench_run.hpp"
#include "command.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include "engine/engine_registry.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <memory>

namespace pollard::cli {

namespace {

struct Candidate {
    Engine* engine;
    std::string algorithm;
    Connectivity connectivity;
    GridSimplification grid;
};

/// All max-tree algorithms of the engine selected by --engine, or of all usable engines, restricted to --algorithms if
/// given and to algorithms of volumes if volumes are timed; each with every connectivity and grid simplification.
std::vector<Candidate> findCandidates(const Context& context, const BenchOptions& options) {
    const std::vector<Connectivity> connectivities = parseConnectivities(options.neighbours(), options.volume);
    const std::vector<GridSimplification> grids = parseGrids(options.grids);
    std::vector<Candidate> candidates;
    std::vector<std::string> known;
    for (Engine* engine : askedEngines(context)) {
        for (const AlgorithmInfo& algorithm : engine->algorithms()) {
            if (!options.fits(algorithm, kMaxTreeJob)) {
                continue;
            }
            known.push_back(algorithm.name);
            if (options.names(algorithm)) {
                for (const Connectivity connectivity : connectivities) {
                    for (const GridSimplification grid : grids) {
                        candidates.push_back({engine, algorithm.name, connectivity, grid});
                    }
                }
            }
        }
    }
    for (const std::string& name : splitList(options.algorithms)) {
        if (std::ranges::find(known, name) == known.end()) {
            throw unknownName("algorithm", name, known);
        }
    }
    return candidates;
}

/// Times one algorithm on one image and appends a row per stage.
void measureTree(const Candidate& candidate, const BenchSubject& subject, const BenchImage& source,
                 const BenchOptions& options, const Context& context, ProgressLine& progress,
                 std::vector<BenchRow>& rows) {
    const Image& image = *source.image;
    TreeSpec spec = options.tree.spec();
    spec.algorithm = candidate.algorithm;
    spec.connectivity = candidate.connectivity;
    spec.grid = candidate.grid;
    const SessionOptions sessionOptions{.threads = context.common.threads};
    const JobControl control = progress.control(subject.name + ", " + std::to_string(bitsOf(image.type())) + " bits, " +
                                                    describeAlgorithm(candidate.algorithm, candidate.grid),
                                                context.stop);
    BenchRow row{.image = subject.name,
                 .bits = bitsOf(image.type()),
                 .conversion = source.conversion,
                 .pixels = image.pixelCount(),
                 .algorithm = candidate.algorithm,
                 .connectivity = candidate.connectivity,
                 .grid = candidate.grid,
                 .engine = candidate.engine->name()};
    {
        const auto session = candidate.engine->openSession(sessionOptions);
        requireMemory(*candidate.engine,
                      leastTreeBytes(*candidate.engine, *session, image, spec.algorithm) + 2 * image.bytes(),
                      image.extent());
        const BenchRun run = benchTree(*session, spec, source.image, options.repeat, options.attributes, control);
        row.nodes = run.tree.nodes;
        addRows(rows, row, run.stages);
    }
    if (options.stream > 0) { // after the session's memory is freed
        row.stage = {"stream", benchStream(*candidate.engine, spec, source.image, options.stream, options.repeat,
                                           sessionOptions, control)};
        row.framesPerSecond = 1000 / row.stage.milliseconds;
        rows.push_back(row);
    }
}

std::vector<BenchRow> measureAll(const BenchOptions& options, const Context& context, ProgressLine& progress) {
    const std::vector<PixelType> types = parseBits(options.bits);
    (void)parseSizes(options.sizes); // reports errors even if images make it unused
    const std::vector<Candidate> candidates = findCandidates(context, options);
    std::vector<NamedFile> inputs;
    for (const std::string& image : options.images) {
        inputs.push_back({parseImageArgument(image).path, "an input"});
    }
    requireOutputs(inputs, {{options.csvFile, "the table"}, {options.reportFile, "the report"}});
    std::vector<BenchRow> rows;
    for (const BenchSubject& subject : loadSubjects(options, context, progress)) {
        for (const PixelType type : types) {
            const BenchImage source = atDepth(subject, type);
            for (const Candidate& candidate : candidates) {
                measureTree(candidate, subject, source, options, context, progress, rows);
            }
        }
    }
    return rows;
}

std::string describeConditions(const BenchOptions& options, const Context& context) {
    const int threads = context.common.threads;
    const std::string subject =
        options.snake ? "region snakes, first step " +
                            (options.maxStep == 0 ? "by the size" : std::to_string(options.maxStep) + " px") +
                            ", edges from " + std::to_string(options.minLength) + " px on split"
                      : (options.components ? "objects" : options.tree.kind + "-tree") + ", connectivity " +
                            joined(splitList(options.neighbours()), " and ");
    return subject + ", " +
           (threads == 0 ? "all threads" : std::to_string(threads) + (threads == 1 ? " thread" : " threads")) +
           ", median of " + std::to_string(options.repeat) + " after one warm-up" +
           (options.components || options.snake ? "" : "; filter is area>=100, direct") +
           (options.stream > 0 ? "; streams of " + grouped(static_cast<std::uint64_t>(options.stream)) + " images"
                               : "");
}

void runBench(Context& context, const BenchOptions& options) {
    ProgressLine progress(context.err, context.showProgress, context.pace);
    if (!options.fromCsv.empty()) {
        writeBenchReport(options.reportFile, readBenchCsv(options.fromCsv), {});
        return;
    }
    const std::vector<BenchRow> rows = options.snake        ? benchSnake(options, context, progress)
                                       : options.components ? benchComponents(options, context, progress)
                                                            : measureAll(options, context, progress);
    progress.clear();
    if (!options.csvFile.empty()) {
        writeBenchCsv(options.csvFile, rows);
    }
    if (!options.reportFile.empty()) {
        std::vector<std::string> notes{describeConditions(options, context)};
        for (const Engine* engine : context.registry.engines()) {
            notes.push_back(engine->name() + ": " + engine->device());
        }
        writeBenchReport(options.reportFile, rows, notes);
    }
    Report report;
    Json devices = Json::object();
    for (const Engine* engine : context.registry.engines()) {
        devices[engine->name()] = engine->device();
    }
    report.fields = {{"repeat", options.repeat},  {"threads", context.common.threads},
                     {"tree", options.tree.kind}, {"stream", options.stream},
                     {"devices", devices},        {"results", benchJson(rows)}};
    report.text << describeConditions(options, context) << "\n\n";
    printBenchTable(report.text, rows);
    if (!context.common.quiet) {
        report.addWritten(options.csvFile);
        report.addWritten(options.reportFile);
    }
    report.print(context, true);
}

} // namespace

CommandAction declareBench(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("bench", "Time every algorithm of every usable engine on the same images");
    const auto options = std::make_shared<BenchOptions>();
    options->declare(command);
    command.footer("Stages: build/... are the parts of build, filter/... those of filter (area>=100, direct); a GPU's\n"
                   "come from events on the device. kernels on a GPU and parents on the CPU = the stages up to the\n"
                   "parent image; of an algorithm that makes trees without one, parents/... of a build that stops\n"
                   "there. upload and download are copies to and from a GPU; total = build + attribute/area + filter.\n"
                   ".../wall is the wall time of a step, copies included. Every time is the median of the\n"
                   "repetitions. A stream's time is that of one image, from the host's memory to the parent image\n"
                   "there.");
    return [options](Context& context) { runBench(context, *options); };
}

} // namespace pollard::cli
