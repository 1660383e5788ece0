#include "bench_pictures.hpp"
#include "bench_run.hpp"
#include "command.hpp"
#include "image_argument.hpp"
#include "io/atomic_file.hpp"
#include "output_target.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "tree_job.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <set>

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

struct Row {
    std::string image;
    int bits;
    std::string conversion;
    std::size_t pixels;
    std::string algorithm;
    std::string engine;
    std::uint32_t nodes;
    StageTime stage;

    [[nodiscard]] double megapixelsPerSecond() const { return static_cast<double>(pixels) / 1000 / stage.milliseconds; }
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

std::vector<Row> measure(const Options& options, const Context& context, ProgressLine& progress) {
    const std::vector<PixelType> types = parseBits(options.bits);
    const Size size = parseSize(options.size);
    const std::vector<Candidate> candidates = findCandidates(context, options.algorithms);
    if (!options.csvFile.empty()) {
        requireWritable(options.csvFile);
        for (const std::string& image : options.images) {
            requireDifferent(parseImageArgument(image).path, options.csvFile);
        }
    }
    std::vector<Row> rows;
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

Json resultsJson(const std::vector<Row>& rows) {
    Json results = Json::array();
    for (const Row& row : rows) {
        results.push_back({{"image", row.image},
                           {"bits", row.bits},
                           {"conversion", row.conversion},
                           {"pixels", row.pixels},
                           {"nodes", row.nodes},
                           {"algorithm", row.algorithm},
                           {"engine", row.engine},
                           {"stage", row.stage.name},
                           {"ms", row.stage.milliseconds},
                           {"mpix_per_s", row.megapixelsPerSecond()}});
    }
    return results;
}

/// A field of a CSV file; quoted if it has to be.
std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string text = "\"";
    for (const char c : field) {
        text += c == '"' ? "\"\"" : std::string(1, c);
    }
    return text + "\"";
}

void writeCsv(const std::string& file, const std::vector<Row>& rows) {
    std::string text = "image,bits,conversion,pixels,nodes,algorithm,engine,stage,ms,mpix_per_s\n";
    for (const Row& row : rows) {
        text += quoted(row.image) + "," + std::to_string(row.bits) + "," + row.conversion + "," +
                std::to_string(row.pixels) + "," + std::to_string(row.nodes) + "," + row.algorithm + "," + row.engine +
                "," + row.stage.name + "," + shortest(row.stage.milliseconds) + "," +
                shortest(row.megapixelsPerSecond()) + "\n";
    }
    AtomicFile target(file, "write table of times");
    target.writeAll(text.data(), text.size());
    target.commit();
}

std::string describeConditions(const Options& options, const Context& context) {
    const int threads = context.common.threads;
    return options.tree.kind + "-tree, " + std::to_string(options.tree.connectivity) + "-connectivity, " +
           (threads == 0 ? "all threads" : std::to_string(threads) + (threads == 1 ? " thread" : " threads")) +
           ", median of " + std::to_string(options.repeat) + " after one warm-up; filter is area>=100, direct";
}

/// One block of lines per image, depth and algorithm.
void printTable(std::ostream& out, const std::vector<Row>& rows) {
    using enum TextTable::Align;
    TextTable table({"image", "bits", "engine", "algorithm", "stage", "ms", "MPix/s"},
                    {left, right, left, left, left, right, right});
    std::set<std::string> conversions;
    std::string previous;
    for (const Row& row : rows) {
        const std::string block =
            row.image + "\n" + std::to_string(row.bits) + "\n" + row.engine + "\n" + row.algorithm;
        const bool first = block != previous;
        previous = block;
        table.add({first ? row.image : "", first ? std::to_string(row.bits) : "", first ? row.engine : "",
                   first ? row.algorithm : "", row.stage.name, fixed(row.stage.milliseconds, 2),
                   fixed(row.megapixelsPerSecond(), 1)});
        conversions.insert(row.conversion);
    }
    table.print(out);
    if (conversions.contains("high byte")) {
        out << "16-bit images at 8 bits: high byte of every value\n";
    }
    if (conversions.contains("value * 257")) {
        out << "8-bit images at 16 bits: value * 257\n";
    }
}

void run(Context& context, const Options& options) {
    ProgressLine progress(context.err, context.showProgress);
    const std::vector<Row> rows = measure(options, context, progress);
    progress.clear();
    if (!options.csvFile.empty()) {
        writeCsv(options.csvFile, rows);
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
                                {"results", resultsJson(rows)}});
        return;
    }
    context.out << describeConditions(options, context) << "\n\n";
    printTable(context.out, rows);
    if (!options.csvFile.empty() && !context.common.quiet) {
        context.out << "written: " << options.csvFile << '\n';
    }
}

} // namespace

CommandAction declareBench(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("bench", "Time every algorithm of every usable engine on the same images");
    const auto options = std::make_shared<Options>();
    command.add_option("IMAGE", options->images, "Images; without any, generated pictures: smooth, noise, ramp");
    command.add_option("--channel", options->channel, "Grey value of a colour pixel")
        ->type_name("CHANNEL")
        ->capture_default_str();
    command
        .add_option("--bits", options->bits,
                    "Depths to measure; 16 -> 8 keeps the high byte, 8 -> 16 multiplies by 257")
        ->type_name("8,16")
        ->capture_default_str();
    command.add_option("--algorithms", options->algorithms, "Only these, names with commas")->type_name("a,b,..");
    command.add_option("--repeat", options->repeat, "Measured repetitions after one to warm up")
        ->check(CLI::Range(1, kMaxRepeat))
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--size", options->size, "Size of generated pictures")->type_name("WxH")->capture_default_str();
    command.add_option("--tree", options->tree.kind, "Tree to build")
        ->check(CLI::IsMember({"max", "min"}))
        ->capture_default_str();
    command.add_option("--connectivity", options->tree.connectivity, "Neighbours of a pixel")
        ->check(CLI::IsMember({4, 8}))
        ->capture_default_str();
    command.add_option("--csv", options->csvFile, "Write the table as CSV")->type_name("OUT.csv");
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
