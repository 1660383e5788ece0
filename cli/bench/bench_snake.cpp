#include "bench/bench_run.hpp"

#include "base/parallel.hpp"
#include "bench/bench_images.hpp"
#include "bench/bench_samples.hpp"
#include "command.hpp"
#include "jobs/tree_job.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pollard::cli {

namespace {

Contour startIn(std::uint32_t width, std::uint32_t height) {
    const auto left = static_cast<std::int32_t>(width / 8);
    const auto top = static_cast<std::int32_t>(height / 8);
    const auto right = static_cast<std::int32_t>(width) - left;
    const auto bottom = static_cast<std::int32_t>(height) - top;
    return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

double diceOf(const std::vector<Contour>& contours, const NoisyDisc& disc) {
    const Image labels = contourLabels(contours, disc.width, disc.height);
    std::uint64_t both = 0;
    std::uint64_t all = 0;
    for (std::uint32_t y = 0; y < disc.height; ++y) {
        for (std::uint32_t x = 0; x < disc.width; ++x) {
            const bool found = labels.level(std::size_t{y} * disc.width + x) != 0;
            const bool in = disc.holds(x, y);
            both += found && in ? 2 : 0;
            all += (found ? 1U : 0U) + (in ? 1U : 0U);
        }
    }
    return static_cast<double>(both) / static_cast<double>(all);
}

/// One disc, or with @p apart one for each part of a grid.
SnakeJob jobOf(const NoisyDisc& disc, bool apart) {
    SnakeJob job;
    job.image = disc.image;
    if (!apart) {
        job.starts = {startIn(disc.width, disc.height)};
        return job;
    }
    for (std::uint32_t i = 0; i < disc.perSide * disc.perSide; ++i) {
        const PixelRegion part{i % disc.perSide * disc.cellWidth(), i / disc.perSide * disc.cellHeight(),
                               disc.cellWidth(), disc.cellHeight()};
        Contour start = startIn(part.width, part.height);
        for (ContourNode& node : start) {
            node = {node.x + static_cast<std::int32_t>(part.x), node.y + static_cast<std::int32_t>(part.y)};
        }
        job.parts.push_back(part);
        job.starts.push_back(std::move(start));
    }
    return job;
}

void measureSnake(const BenchOptions& options, const NoisyDisc& disc, Engine& engine, const std::string& algorithm,
                  const JobControl& control, std::vector<BenchRow>& rows) {
    SnakeJob job = jobOf(disc, options.apart > 0);
    job.spec.maxStep = options.maxStep;
    job.spec.minLength = options.minLength;
    job.spec.maxNodes = 1U << 16U;
    job.algorithm = algorithm;
    SampleTable samples;
    std::vector<Contour> contours;
    for (int i = 0; i <= options.repeat; ++i) {
        SnakeResult found = engine.runSnake(job, {}, control);
        for (const StageTime& stage : found.stages) {
            if (i > 0) { // the first run is a warm-up
                samples.add(stage.name + "/wall", stage.milliseconds);
            }
        }
        contours.clear();
        for (SnakeState& state : found.states) {
            contours.push_back(std::move(state.nodes));
        }
    }
    const std::string discs = contours.size() == 1 ? " disc" : " of " + std::to_string(contours.size()) + " discs";
    std::size_t nodes = 0;
    for (const Contour& contour : contours) {
        nodes += contour.size();
    }
    const BenchRow row{.image = std::to_string(disc.width) + "x" + std::to_string(disc.height) + discs,
                       .bits = bitsOf(disc.image->type()),
                       .pixels = disc.image->pixelCount(),
                       .algorithm = algorithm,
                       .engine = engine.name(),
                       .nodes = static_cast<std::uint32_t>(nodes),
                       .dice = diceOf(contours, disc)};
    addRows(rows, row, samples.medians());
}

/// Whether an algorithm evolves independent contours; others throw immediately.
bool isForMany(Engine& engine, const std::string& algorithm) {
    SnakeJob job = jobOf(makeDisc(16, 16), true);
    job.algorithm = algorithm;
    try {
        static_cast<void>(engine.runSnake(job, {}));
        return true;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::engineUnavailable) {
            return false;
        }
        throw;
    }
}

} // namespace

std::vector<BenchRow> benchSnake(const BenchOptions& options, const Context& context, ProgressLine& progress) {
    const std::vector<ImageSize> sizes = parseSizes(options.sizes);
    for (const std::string& name : splitList(options.algorithms)) {
        static_cast<void>(enginesWith(context, name, kSnakeJob)); // throws if unknown
    }
    ThreadArena arena(context.common.threads);
    std::vector<BenchRow> rows;
    for (const ImageSize& size : sizes) {
        refuseConflicts({{options.apart > std::min(size.width, size.height),
                          "apart: " + std::to_string(options.apart) + " discs in a row do not fit into " +
                              std::to_string(size.width) + " x " + std::to_string(size.height) + " px"}});
        const NoisyDisc disc = makeDisc(size.width, size.height, std::max(options.apart, 1U));
        for (Engine* engine : enginesWith(context, {}, kSnakeJob)) {
            for (const AlgorithmInfo& algorithm : engine->algorithms()) {
                if (options.fits(algorithm, kSnakeJob) && options.names(algorithm) &&
                    (options.apart == 0 || isForMany(*engine, algorithm.name))) {
                    const JobControl control = progress.control(std::to_string(size.width) + "x" +
                                                                    std::to_string(size.height) + ", " + algorithm.name,
                                                                context.stop);
                    arena.execute([&] { measureSnake(options, disc, *engine, algorithm.name, control, rows); });
                }
            }
        }
    }
    return rows;
}

} // namespace pollard::cli
