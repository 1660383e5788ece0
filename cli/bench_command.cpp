#include "bench_pictures.hpp"
#include "bench_report.hpp"
#include "bench_run.hpp"
#include "command.hpp"
#include "image_argument.hpp"
#include "output_target.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "tree_job.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

namespace pollard::cli {

namespace {

constexpr int kMaxRepeat = 10'000;

struct Options {
    std::vector<std::string> images;
    std::string channel = "luminance";
    std::string bits = "8,16";
    std::string algorithms;
    std::string size = "2048x2048";
    int repeat = 5;
    TreeOptions tree;
    std::string csvFile;
};

struct Candidate {
    Engine* engine;
    std::string algorithm;
};

/// Something to measure, at its own depth.
struct Subject {
    std::string name;
    std::shared_ptr<const Image> image; ///< null for a generated picture
    TestPicture picture = TestPicture::noise;
};

std::vector<PixelType> parseBits(const std::string& text) {
    std::vector<PixelType> types;
    for (const std::string& part : splitList(text)) {
        if (part != "8" && part != "16") {
            throw UsageError("bits: '" + part + "': must be 8 or 16");
        }
        const PixelType type = part == "8" ? PixelType::u8 : PixelType::u16;
        if (std::ranges::find(types, type) == types.end()) {
            types.push_back(type);
        }
    }
    if (types.empty()) {
        throw UsageError("bits: '" + text + "': must be 8, 16 or 8,16");
    }
    return types;
}

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

Size parseSize(const std::string& text) {
    Size size;
    const char* const last = text.data() + text.size();
    const auto width = std::from_chars(text.data(), last, size.width);
    if (width.ec == std::errc{} && width.ptr != last && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, last, size.height);
        if (height.ec == std::errc{} && height.ptr == last && size.width > 0 && size.height > 0 &&
            std::uint64_t{size.width} * size.height <= Image::kMaxPixels) {
            return size;
        }
    }
    throw UsageError("size: '" + text + "': must be WIDTHxHEIGHT in pixels, such as 4000x3000");
}

/// Every max-tree algorithm of the engine that --engine names, or of all usable engines, unless only some are wanted.
std::vector<Candidate> findCandidates(const Context& context, const std::string& wantedNames) {
    std::vector<Engine*> engines;
    if (context.common.engine != "auto") {
        engines.push_back(&selectEngine(context));
    } else {
        for (Engine* engine : context.registry.engines()) {
            if (engine->unusableReason().empty()) {
                engines.push_back(engine);
            }
        }
    }
    const std::vector<std::string> wanted = splitList(wantedNames);
    std::vector<Candidate> candidates;
    std::vector<std::string> known;
    for (Engine* engine : engines) {
        for (const AlgorithmInfo& algorithm : engine->algorithms()) {
            if (algorithm.job != kMaxTreeJob) {
                continue;
            }
            known.push_back(algorithm.name);
            if (wanted.empty() || std::ranges::find(wanted, algorithm.name) != wanted.end()) {
                candidates.push_back({engine, algorithm.name});
            }
        }
    }
    for (const std::string& name : wanted) {
        if (std::ranges::find(known, name) == known.end()) {
            throw UsageError("algorithm: '" + name + "': unknown (there are " + joined(known, ", ") + ")");
        }
    }
    return candidates;
}

std::vector<Subject> loadSubjects(const Options& options, const Context& context, ProgressLine& progress) {
    std::vector<Subject> subjects;
    for (const std::string& image : options.images) {
        subjects.push_back({image, loadImage({image, options.channel}, context, progress).image});
    }
    if (subjects.empty()) {
        for (const TestPicture picture : {TestPicture::smoothNoise, TestPicture::noise, TestPicture::ramp}) {
            subjects.push_back({std::string(nameOf(picture)) + " " + options.size, nullptr, picture});
        }
    }
    return subjects;
}

std::string conversionOf(const Subject& subject, PixelType type) {
    if (!subject.image || subject.image->type() == type) {
        return "none";
    }
    return type == PixelType::u8 ? "high byte" : "value * 257";
}

std::vector<BenchRow> measure(const Options& options, const Context& context, ProgressLine& progress) {
    const std::vector<PixelType> types = parseBits(options.bits);
    const Size size = parseSize(options.size);
    const std::vector<Candidate> candidates = findCandidates(context, options.algorithms);
    if (!options.csvFile.empty()) {
        requireWritable(options.csvFile);
        for (const std::string& image : options.images) {
            requireDifferent(parseImageArgument(image).path, options.csvFile, "an input");
        }
    }
    std::vector<BenchRow> rows;
    for (const Subject& subject : loadSubjects(options, context, progress)) {
        for (const PixelType type : types) {
            const auto image = subject.image ? convertDepth(subject.image, type)
                                             : makePicture(subject.picture, type, size.width, size.height);
            for (const Candidate& candidate : candidates) {
                const auto session = candidate.engine->openSession({.threads = context.common.threads});
                requireMemory(session->estimateTreeBytes(*image) + 2 * image->bytes(), *image);
                TreeSpec spec = options.tree.spec();
                spec.algorithm = candidate.algorithm;
                const BenchRun run = benchTree(*session, spec, image, options.repeat,
                                               progress.control(subject.name + ", " + std::to_string(bitsOf(type)) +
                                                                    " bits, " + candidate.algorithm,
                                                                context.stop));
                for (const StageTime& stage : run.stages) {
                    rows.push_back({subject.name, bitsOf(type), conversionOf(subject, type), image->pixelCount(),
                                    candidate.algorithm, candidate.engine->name(), run.tree.nodes, stage});
                }
            }
        }
    }
    return rows;
}

std::string describeConditions(const Options& options, const Context& context) {
    const int threads = context.common.threads;
    return options.tree.kind + "-tree, " + std::to_string(options.tree.connectivity) + "-connectivity, " +
           (threads == 0 ? "all threads" : std::to_string(threads) + (threads == 1 ? " thread" : " threads")) +
           ", median of " + std::to_string(options.repeat) + " after one warm-up; filter is area>=100, direct";
}

void run(Context& context, const Options& options) {
    ProgressLine progress(context.err, context.showProgress);
    const std::vector<BenchRow> rows = measure(options, context, progress);
    progress.clear();
    if (!options.csvFile.empty()) {
        writeBenchCsv(options.csvFile, rows);
    }
    if (context.common.json) {
        Json devices = Json::object();
        for (const Engine* engine : context.registry.engines()) {
            devices[engine->name()] = engine->device();
        }
        printJson(context.out, {{"repeat", options.repeat},
                                {"threads", context.common.threads},
                                {"tree", options.tree.kind},
                                {"connectivity", options.tree.connectivity},
                                {"devices", devices},
                                {"results", benchJson(rows)}});
        return;
    }
    context.out << describeConditions(options, context) << "\n\n";
    printBenchTable(context.out, rows);
    if (!options.csvFile.empty() && !context.common.quiet) {
        context.out << "written: " << options.csvFile << '\n';
    }
}

} // namespace

CommandAction declareBench(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("bench", "Time every algorithm of every usable engine on the same images");
    const auto options = std::make_shared<Options>();
    command.add_option("IMAGE", options->images, "Images; without any, generated pictures: smooth,\nnoise, ramp")
        ->type_name("");
    command.add_option("--channel", options->channel, "Grey value of a colour pixel")
        ->type_name("CHANNEL")
        ->capture_default_str();
    command
        .add_option("--bits", options->bits,
                    "Depths to measure; 16 -> 8 keeps the high byte,\n8 -> 16 multiplies by 257")
        ->type_name("8,16")
        ->capture_default_str();
    command.add_option("--algorithms", options->algorithms, "Only these, names with commas")->type_name("a,b,..");
    command.add_option("--repeat", options->repeat, "Measured repetitions after one to warm up")
        ->check(CLI::Range(1, kMaxRepeat).description(""))
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--size", options->size, "Size of generated pictures")->type_name("WxH")->capture_default_str();
    options->tree.declareKind(command);
    command.add_option("--csv", options->csvFile, "Write the table as CSV")->type_name("OUT.csv");
    command.footer("Stages: build/... are the parts of build, filter/... those of filter (area>=100, direct);\n"
                   "total = build + attribute/area + filter. Every time is the median of the repetitions.");
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
