#include "command.hpp"
#include "jobs/snake_pages.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <memory>

namespace pollard::cli {

namespace {

/// Totals over the contours of a page.
struct SnakeSummary {
    std::size_t nodes = 0;
    std::uint64_t iterations = 0;
    RegionSums inside;

    explicit SnakeSummary(const SnakePage& page) {
        for (const SnakeState& state : page.contours) {
            nodes += state.nodes.size();
            iterations += state.round;
            inside += state.inside;
        }
    }
};

Json contourJson(const SnakeState& state) {
    return {{"nodes", state.nodes.size()},
            {"iterations", state.round},
            {"area", state.inside.pixels},
            {"inside_mean", meanOf(state.inside)},
            {"inside_variance", varianceOf(state.inside)}};
}

/// Adds the results of a page, and of each contour if there are several.
void addPage(Json& object, const SnakePage& page) {
    const SnakeSummary summary(page);
    object["nodes"] = summary.nodes;
    object["iterations"] = summary.iterations;
    object["energy"] = page.energy;
    object["area"] = summary.inside.pixels;
    object["inside_mean"] = meanOf(summary.inside);
    object["outside_mean"] = meanOf(page.background);
    object["inside_variance"] = varianceOf(summary.inside);
    object["outside_variance"] = varianceOf(page.background);
    object["snake_ms"] = page.milliseconds;
    if (page.contours.size() > 1) {
        for (const SnakeState& state : page.contours) {
            object["contours"].push_back(contourJson(state));
        }
    }
}

Json resultJson(const SnakeOptions& options, const SnakeOutcome& outcome) {
    Json object{
        {"file", options.image.image}, {"width", outcome.width}, {"height", outcome.height}, {"bits", outcome.bits}};
    addPage(object, outcome.pages.back());
    object["law"] = options.law;
    object["moves"] = outcome.moves;
    object["max_step"] = outcome.maxStep;
    object["min_length"] = options.minLength;
    object["engine"] = outcome.engine;
    object["algorithm"] = outcome.algorithm;
    const auto addFile = [&](const char* name, const std::string& file) {
        object[name] = file.empty() ? Json() : Json(file);
    };
    addFile("geojson_file", options.geojson);
    addFile("vector_file", options.vector);
    addFile("mask_file", options.mask);
    addFile("trace_file", options.trace);
    addFile("svg_file", options.svg);
    addFile("roi_file", options.roi);
    addFile("frames_folder", options.frames);
    if (options.follow) {
        for (const SnakePage& page : outcome.pages) {
            Json figures{{"page", page.page}};
            addPage(figures, page);
            object["pages"].push_back(std::move(figures));
        }
    }
    return object;
}

void printPage(const SnakePage& page, const SnakeOutcome& outcome, std::ostream& out) {
    const SnakeSummary summary(page);
    const std::size_t contours = page.contours.size();
    out << (contours > 1 ? grouped(contours) + " contours" : "a contour") << " of " << grouped(summary.nodes)
        << " nodes around " << grouped(static_cast<std::uint64_t>(summary.inside.pixels)) << " pixels of mean "
        << fixed(meanOf(summary.inside), 1) << ", outside " << fixed(meanOf(page.background), 1) << " ("
        << grouped(summary.iterations) << " changes, " << outcome.engine << ", " << outcome.algorithm << ", "
        << fixed(page.milliseconds, 1) << " ms)\n";
}

void runSnake(Context& context, const SnakeOptions& options) {
    options.checkTargets();
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const SnakeOutcome outcome = runSnake(options, context, progress);
    progress.clear();
    if (context.common.json) {
        printJson(context.out, resultJson(options, outcome));
        return;
    }
    if (context.common.quiet) {
        return;
    }
    for (const SnakePage& page : outcome.pages) {
        context.out << options.image.image << (options.follow ? ", page " + std::to_string(page.page) : "") << ": ";
        printPage(page, outcome, context.out);
    }
    for (const std::string& file : options.targets()) {
        context.out << "written: " << file << '\n';
    }
}

} // namespace

CommandAction declareSnake(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("snake", "Move contours to the borders of objects: the region snake");
    const auto options = std::make_shared<SnakeOptions>();
    options->declare(command);
    return [options](Context& context) { runSnake(context, *options); };
}

} // namespace pollard::cli
