#include "command.hpp"
#include "jobs/snake_pages.hpp"
#include "options/snake_options.hpp"
#include "progress_line.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

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

double meanValue(const RegionSums& sums, const SnakePage& page) { return valueOf(page.values, meanOf(sums)); }

double varianceValue(const RegionSums& sums, const SnakePage& page) {
    const double step = page.values ? page.values->step : 1;
    return step * step * varianceOf(sums);
}

Json contourJson(const SnakeState& state, const SnakePage& page) {
    return {{"nodes", state.nodes.size()},
            {"iterations", state.round},
            {"area", state.inside.pixels},
            {"inside_mean", meanValue(state.inside, page)},
            {"inside_variance", varianceValue(state.inside, page)}};
}

/// The results of a page, and of each contour if there are several.
Json pageJson(const SnakePage& page) {
    const SnakeSummary summary(page);
    Json object{{"nodes", summary.nodes},
                {"iterations", summary.iterations},
                {"energy", page.energy},
                {"area", summary.inside.pixels},
                {"inside_mean", meanValue(summary.inside, page)},
                {"outside_mean", meanValue(page.background, page)},
                {"inside_variance", varianceValue(summary.inside, page)},
                {"outside_variance", varianceValue(page.background, page)},
                {"snake_ms", page.milliseconds}};
    if (page.contours.size() > 1) {
        object["contours"] = arrayOf(page.contours, [&](const SnakeState& state) { return contourJson(state, page); });
    }
    addValueUnit(object, unitOf(page.values));
    return object;
}

std::string pageText(const SnakePage& page, const SnakeOutcome& outcome) {
    const SnakeSummary summary(page);
    const std::size_t contours = page.contours.size();
    const std::string unit = unitOf(page.values);
    return (contours > 1 ? grouped(contours) + " contours" : "a contour") + " of " + counted(summary.nodes, "node") +
           " around " + counted(static_cast<std::uint64_t>(summary.inside.pixels), "pixel") + " of mean " +
           valueText(meanValue(summary.inside, page), 1, unit) + ", outside " +
           valueText(meanValue(page.background, page), 1, unit) + " (" + counted(summary.iterations, "change") + ", " +
           outcome.engine + ", " + outcome.algorithm + ", " + fixed(page.milliseconds, 1) + " ms)\n";
}

void runSnake(Context& context, const SnakeOptions& options) {
    options.checkTargets();
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const SnakeOutcome outcome = runSnake(options, context, progress);
    progress.clear();
    Report report;
    Json pages = Json::array();
    for (const SnakePage& page : outcome.pages) {
        report.text << options.image.image
                    << (options.follow ? ", " + outcome.axis + " " + std::to_string(page.page) : "") << ": "
                    << pageText(page, outcome);
        pages.push_back({{outcome.axis, page.page}});
        if (options.follow && page.at && page.at->distance) {
            pages.back()[distanceColumn(page.at->axis)] = *page.at->distance;
        }
        pages.back().update(pageJson(page));
    }
    report.addImage(options.image.image, {outcome.width, outcome.height}, outcome.bits);
    report.fields.update(pageJson(outcome.pages.back()));
    report.fields.update({{"law", outcome.law},
                          {"moves", outcome.moves},
                          {"max_step", outcome.maxStep},
                          {"min_length", options.minLength},
                          {"engine", outcome.engine},
                          {"algorithm", outcome.algorithm}});
    if (options.lengthPrice != 0) {
        report.fields["length_price"] = options.lengthPrice;
    }
    report.addWritten("geojson_file", options.geojson);
    report.addWritten("vector_file", options.vector);
    report.addWritten("mask_file", options.mask);
    report.addWritten("trace_file", options.trace);
    report.addWritten("svg_file", options.svg);
    report.addWritten("roi_file", options.roi);
    report.fields["frames_folder"] = orNull(options.frames);
    if (options.follow) {
        report.fields["pages"] = std::move(pages);
    }
    report.print(context);
}

} // namespace

CommandAction declareSnake(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("snake", "Move contours to the borders of objects: the region snake");
    const auto options = std::make_shared<SnakeOptions>();
    options->declare(command);
    return [options](Context& context) { runSnake(context, *options); };
}

} // namespace pollard::cli
