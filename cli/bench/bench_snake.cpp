#include "bench/bench_snake.hpp"

#include "base/thread_arena.hpp"
#include "bench/bench_pictures.hpp"
#include "bench/bench_samples.hpp"
#include "jobs/tree_job.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include "snake/contour/contour_mask.hpp"
#include "snake/independent_snakes.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <functional>
#include <memory>
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

/// Contours and times of the stages.
struct FoundSnake {
    std::vector<Contour> contours;
    std::vector<StageTime> stages;
};
using Finder = std::function<FoundSnake(Engine& engine, const std::string& algorithm, const JobControl& control)>;

SnakeSpec specOf(const BenchOptions& options) {
    SnakeSpec spec;
    spec.maxStep = options.maxStep;
    spec.minLength = options.minLength;
    spec.maxNodes = 1U << 16U;
    return spec;
}

Finder finderOfOne(const BenchOptions& options, const NoisyDisc& disc) {
    SnakeJob job;
    job.image = disc.image;
    job.start = startIn(disc.width, disc.height);
    job.spec = specOf(options);
    return [job](Engine& engine, const std::string& algorithm, const JobControl& control) mutable {
        job.algorithm = algorithm;
        SnakeResult result = engine.runSnake(job, {}, control);
        return FoundSnake{{std::move(result.state.nodes)}, std::move(result.stages)};
    };
}

Finder finderOfMany(const BenchOptions& options, const NoisyDisc& disc) {
    IndependentSnakesJob job;
    job.image = disc.image;
    job.spec = specOf(options);
    for (std::uint32_t i = 0; i < disc.perSide * disc.perSide; ++i) {
        const PixelRegion part{i % disc.perSide * disc.cellWidth(), i / disc.perSide * disc.cellHeight(),
                               disc.cellWidth(), disc.cellHeight()};
        Contour start = startIn(part.width, part.height);
        for (ContourNode& node : start) {
            node = {node.x + static_cast<std::int32_t>(part.x), node.y + static_cast<std::int32_t>(part.y)};
        }
        job.snakes.push_back({part, std::move(start)});
    }
    return [job](Engine& engine, const std::string& algorithm, const JobControl& control) mutable {
        job.algorithm = algorithm;
        IndependentSnakesResult result = engine.runIndependentSnakes(job, {}, control);
        FoundSnake found{{}, std::move(result.stages)};
        for (SnakeState& state : result.states) {
            found.contours.push_back(std::move(state.nodes));
        }
        return found;
    };
}

void measureSnake(const BenchOptions& options, const NoisyDisc& disc, const Finder& find, Engine& engine,
                  const std::string& algorithm, const JobControl& control, std::vector<BenchRow>& rows) {
    SampleTable samples;
    std::vector<Contour> contours;
    for (int i = 0; i <= options.repeat; ++i) {
        FoundSnake found = find(engine, algorithm, control);
        for (const StageTime& stage : found.stages) {
            if (i > 0) { // the first run is a warm-up
                samples.add(stage.name + "/wall", stage.milliseconds);
            }
        }
        contours = std::move(found.contours);
    }
    const std::string discs = contours.size() == 1 ? " disc" : " of " + std::to_string(contours.size()) + " discs";
    std::size_t nodes = 0;
    for (const Contour& contour : contours) {
        nodes += contour.size();
    }
    BenchRow row{std::to_string(disc.width) + "x" + std::to_string(disc.height) + discs,
                 bitsOf(disc.image->type()),
                 "none",
                 disc.image->pixelCount(),
                 algorithm,
                 Connectivity::four,
                 GridSimplification::automatic,
                 engine.name(),
                 static_cast<std::uint32_t>(nodes),
                 {}};
    row.dice = diceOf(contours, disc);
    for (const StageTime& stage : samples.medians()) {
        row.stage = stage;
        rows.push_back(row);
    }
}

/// Whether an algorithm evolves independent contours; others throw immediately.
bool isForMany(Engine& engine, const std::string& algorithm) {
    IndependentSnakesJob job;
    job.image = makeDisc(16, 16).image;
    job.snakes.push_back({{0, 0, 16, 16}, startIn(16, 16)});
    job.algorithm = algorithm;
    try {
        static_cast<void>(engine.runIndependentSnakes(job, {}));
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
    const std::vector<PictureSize> sizes = parseSizes(options.sizes);
    const std::vector<std::string> wanted = splitList(options.algorithms);
    for (const std::string& name : wanted) {
        static_cast<void>(enginesWith(context, name, kSnakeJob)); // throws if unknown
    }
    ThreadArena arena(context.common.threads);
    std::vector<BenchRow> rows;
    for (const PictureSize& size : sizes) {
        if (options.apart > std::min(size.width, size.height)) {
            throw UsageError("apart: " + std::to_string(options.apart) + " discs in a row do not fit into " +
                             std::to_string(size.width) + " x " + std::to_string(size.height) + " px");
        }
        const NoisyDisc disc = makeDisc(size.width, size.height, std::max(options.apart, 1U));
        const Finder find = options.apart > 0 ? finderOfMany(options, disc) : finderOfOne(options, disc);
        for (Engine* engine : enginesWith(context, {}, kSnakeJob)) {
            for (const AlgorithmInfo& algorithm : engine->algorithms()) {
                const bool isWanted = wanted.empty() || std::ranges::find(wanted, algorithm.name) != wanted.end();
                if (algorithm.job == kSnakeJob && isWanted &&
                    (options.apart == 0 || isForMany(*engine, algorithm.name))) {
                    const JobControl control = progress.control(std::to_string(size.width) + "x" +
                                                                    std::to_string(size.height) + ", " + algorithm.name,
                                                                context.stop);
                    arena.execute([&] { measureSnake(options, disc, find, *engine, algorithm.name, control, rows); });
                }
            }
        }
    }
    return rows;
}

} // namespace pollard::cli
