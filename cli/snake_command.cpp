#include "command.hpp"
#include "image_argument.hpp"
#include "named.hpp"
#include "output_target.hpp"
#include "progress_line.hpp"
#include "start_contours.hpp"
#include "text.hpp"
#include "thread_arena.hpp"

#include "base/stage_timer.hpp"
#include "io/result_tags.hpp"
#include "io/tiff_writer.hpp"
#include "snake/contour_files.hpp"
#include "snake/contour_mask.hpp"
#include "snake/snake_run.hpp"
#include "snake/trace_file.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

namespace pollard::cli {

namespace {

struct Options {
    ImageOptions image;
    std::string start;
    std::string law{nameOf(RegionLaw::gaussian)};
    std::string moves{nameOf(SnakeMoves::localBest)};
    std::uint32_t maxStep = 0;
    std::uint32_t minLength = SnakeSpec{}.minLength;
    std::uint32_t maxNodes = SnakeSpec{}.maxNodes;
    std::uint32_t iterations = 0;
    std::string geojson;
    std::string mask;
    std::string trace;
    std::string svg;
    std::string roi;
};

/// @throws UsageError for a name that is none of them
template <class Kind> Kind kindNamed(const char* option, const std::string& name, std::span<const Kind> kinds) {
    std::vector<std::string> known;
    for (const Kind kind : kinds) {
        if (nameOf(kind) == name) {
            return kind;
        }
        known.emplace_back(nameOf(kind));
    }
    throw UsageError(std::string(option) + ": '" + name + "': unknown (there are " + joined(known, ", ") + ")");
}

SnakeSpec specOf(const Options& options) {
    SnakeSpec spec;
    spec.law = kindNamed<RegionLaw>("--law", options.law, kRegionLaws);
    spec.moves = kindNamed<SnakeMoves>("--moves", options.moves, kSnakeMoves);
    spec.maxStep = options.maxStep;
    spec.minLength = options.minLength;
    spec.maxNodes = options.maxNodes;
    spec.maxRounds = options.iterations;
    return spec;
}

void checkTargets(const Options& options) {
    if (!options.mask.empty()) {
        requireTiffName(options.mask);
    }
    const std::string* const files[] = {&options.geojson, &options.mask, &options.trace, &options.svg, &options.roi};
    for (std::size_t i = 0; i < std::size(files); ++i) {
        if (files[i]->empty()) {
            continue;
        }
        requireDifferent(parseImageArgument(options.image.image).path, *files[i], "the input");
        requireDifferent(options.start, *files[i], "the start");
        for (std::size_t j = 0; j < i; ++j) {
            if (!files[j]->empty()) {
                requireDifferent(*files[j], *files[i], "another result");
            }
        }
        requireWritable(*files[i]);
    }
}

void printResult(const Options& options, const SnakeSpec& spec, const LoadedImage& loaded, const SnakeState& state,
                 double milliseconds, Context& context) {
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"width", loaded.image->width()},
                    {"height", loaded.image->height()},
                    {"bits", bitsOf(loaded.image->type())},
                    {"nodes", state.nodes.size()},
                    {"iterations", state.round},
                    {"energy", state.energy},
                    {"area", state.inside.pixels},
                    {"inside_mean", meanOf(state.inside)},
                    {"outside_mean", meanOf(state.outside)},
                    {"inside_variance", varianceOf(state.inside)},
                    {"outside_variance", varianceOf(state.outside)},
                    {"law", options.law},
                    {"moves", options.moves},
                    {"max_step", usedMaxStep(spec, loaded.image->width(), loaded.image->height())},
                    {"min_length", options.minLength},
                    {"engine", "cpu"},
                    {"geojson_file", options.geojson.empty() ? Json() : Json(options.geojson)},
                    {"mask_file", options.mask.empty() ? Json() : Json(options.mask)},
                    {"trace_file", options.trace.empty() ? Json() : Json(options.trace)},
                    {"svg_file", options.svg.empty() ? Json() : Json(options.svg)},
                    {"roi_file", options.roi.empty() ? Json() : Json(options.roi)},
                    {"snake_ms", milliseconds}};
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    context.out << options.image.image << ": a contour of " << grouped(state.nodes.size()) << " nodes around "
                << grouped(static_cast<std::uint64_t>(state.inside.pixels)) << " pixels of mean "
                << fixed(meanOf(state.inside), 1) << ", outside " << fixed(meanOf(state.outside), 1) << " ("
                << grouped(state.round) << " changes, " << fixed(milliseconds, 1) << " ms)\n";
    for (const std::string& file : {options.geojson, options.mask, options.trace, options.svg, options.roi}) {
        if (!file.empty()) {
            context.out << "written: " << file << '\n';
        }
    }
}

void run(Context& context, const Options& options) {
    const SnakeSpec spec = specOf(options);
    checkTargets(options);
    Contour start = parseStart(options.start).front();
    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    const JobControl control = progress.control("evolving the contour", context.stop);
    std::optional<TraceFile> trace;
    if (!options.trace.empty()) {
        trace.emplace(options.trace);
    }
    StageTimer timer;
    const SnakeState state = arena.execute([&] {
        SnakeRun snake(std::make_shared<const RowSums>(loaded.image, control), std::move(start), spec);
        do {
            if (trace) {
                trace->add(snake.state(), {}, control);
            }
        } while (snake.advance(control));
        return snake.state();
    });
    timer.finish("snake");
    const JobControl writing = progress.control("writing", context.stop);
    if (!options.mask.empty()) {
        writeTiff(options.mask, contourMask(state.nodes, loaded.image->width(), loaded.image->height(), writing),
                  {.deflate = true, .carried = resultTags(loaded.info, ResultValues::others)}, writing);
    }
    const FiledContour contours[] = {{state.nodes, 1, std::nullopt}};
    if (!options.geojson.empty()) {
        writeContourGeojson(options.geojson, contours, writing);
    }
    if (!options.svg.empty()) {
        writeContourSvg(options.svg, contours, loaded.image->width(), loaded.image->height(), options.image.image,
                        writing);
    }
    if (!options.roi.empty()) {
        writeContourRois(options.roi, contours, writing);
    }
    if (trace) {
        trace->commit();
    }
    progress.clear();
    printResult(options, spec, loaded, state, timer.totalMilliseconds(), context);
}

} // namespace

CommandAction declareSnake(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("snake", "Move a contour to the border of an object: the region snake");
    const auto options = std::make_shared<Options>();
    options->image.declare(command);
    addText(command, "--init", options->start,
            "The contour to start from: a rectangle in px, or the first\npolygon of a GeoJSON file", "X,Y,W,H|FILE")
        ->required();
    addText(command, "--law", options->law,
            "How levels are distributed in a region: gaussian,\npoisson (counts), gamma or rayleigh (speckle in\n"
            "intensity or amplitude)",
            "NAME")
        ->capture_default_str();
    addText(command, "--moves", options->moves, "Nodes that move at once: sequential, parity,\nlocal-best", "NAME")
        ->capture_default_str();
    command.add_option("--max-step", options->maxStep, "First step of a node, px; 0: by the image's size")
        ->type_name("D")
        ->check(CLI::Range(0U, 1U << 20U).description(""))
        ->capture_default_str();
    command.add_option("--min-length", options->minLength, "Longer edges are split, px")
        ->type_name("L")
        ->check(CLI::Range(2U, 1U << 20U).description(""))
        ->capture_default_str();
    command.add_option("--max-nodes", options->maxNodes, "No edge is split beyond")
        ->type_name("N")
        ->check(CLI::Range(3U, 1U << 16U).description(""))
        ->capture_default_str();
    command.add_option("--iterations", options->iterations, "Stop after so many changes; 0: when nothing moves")
        ->type_name("N")
        ->capture_default_str();
    addText(command, "--geojson", options->geojson, "Write the contour; px, y points down", "OUT.geojson");
    addText(command, "--mask", options->mask, "Write an 8-bit TIFF: 255 inside, 0 outside", "OUT.tif");
    addText(command, "--trace", options->trace, "Write a line a change: energy, nodes, sizes, means,\nvariances",
            "OUT.csv");
    addText(command, "--svg", options->svg, "Write the contour as a drawing as large as the image", "OUT.svg");
    addText(command, "--roi", options->roi, "Write the contour as a region of ImageJ, or a set of them\n(.zip)",
            "OUT.roi");
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
