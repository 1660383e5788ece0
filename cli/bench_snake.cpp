#include "bench_snake.hpp"

#include "bench_pictures.hpp"
#include "bench_samples.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "thread_arena.hpp"
#include "tree_job.hpp"

#include "snake/contour_mask.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace pollard::cli {

namespace {

Contour startIn(std::uint32_t width, std::uint32_t height) {
    const auto left = static_cast<std::int32_t>(width / 8);
    const auto top = static_cast<std::int32_t>(height / 8);
    const auto right = static_cast<std::int32_t>(width) - left;
    const auto bottom = static_cast<std::int32_t>(height) - top;
    return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

double diceOf(const Contour& contour, const NoisyDisc& disc) {
    const Image mask = contourMask(contour, disc.width, disc.height);
    std::uint64_t both = 0;
    std::uint64_t all = 0;
    for (std::uint32_t y = 0; y < disc.height; ++y) {
        for (std::uint32_t x = 0; x < disc.width; ++x) {
            const bool found = mask.level(std::size_t{y} * disc.width + x) != 0;
            const bool in = disc.holds(x, y);
            both += found && in ? 2 : 0;
            all += (found ? 1U : 0U) + (in ? 1U : 0U);
        }
    }
    return static_cast<double>(both) / static_cast<double>(all);
}

void measure(const BenchOptions& options, const NoisyDisc& disc, Engine& engine, const std::string& algorithm,
             const JobControl& control, std::vector<BenchRow>& rows) {
    SnakeJob job;
    job.image = disc.image;
    job.start = startIn(disc.width, disc.height);
    job.algorithm = algorithm;
    job.spec.maxStep = options.maxStep;
    job.spec.minLength = options.minLength;
    job.spec.maxNodes = 1U << 16U;
    SampleTable samples;
    Contour found;
    for (int i = 0; i <= options.repeat; ++i) {
        const SnakeResult result = engine.runSnake(job, {}, control);
        for (const StageTime& stage : result.stages) {
            if (i > 0) { // the first one warms up
                samples.add(stage.name + "/wall", stage.milliseconds);
            }
        }
        found = result.state.nodes;
    }
    BenchRow row{std::to_string(disc.width) + "x" + std::to_string(disc.height) + " disc",
                 bitsOf(disc.image->type()),
                 "none",
                 disc.image->pixelCount(),
                 algorithm,
                 Connectivity::four,
                 GridSimplification::automatic,
                 engine.name(),
                 static_cast<std::uint32_t>(found.size()),
                 {}};
    row.dice = diceOf(found, disc);
    for (const StageTime& stage : samples.medians()) {
        row.stage = stage;
        rows.push_back(row);
    }
}

} // namespace

std::vector<BenchRow> benchSnake(const BenchOptions& options, const Context& context, ProgressLine& progress) {
    const std::vector<PictureSize> sizes = parseSizes(options.sizes);
    const std::vector<std::string> wanted = splitList(options.algorithms);
    for (const std::string& name : wanted) {
        static_cast<void>(enginesWith(context, name, kSnakeJob)); // which tells if there is none
    }
    ThreadArena arena(context.common.threads);
    std::vector<BenchRow> rows;
    for (const PictureSize& size : sizes) {
        const NoisyDisc disc = makeDisc(size.width, size.height);
        for (Engine* engine : enginesWith(context, {}, kSnakeJob)) {
            for (const AlgorithmInfo& algorithm : engine->algorithms()) {
                const bool isWanted = wanted.empty() || std::ranges::find(wanted, algorithm.name) != wanted.end();
                if (algorithm.job == kSnakeJob && isWanted) {
                    const JobControl control = progress.control(std::to_string(size.width) + "x" +
                                                                    std::to_string(size.height) + ", " + algorithm.name,
                                                                context.stop);
                    arena.execute([&] { measure(options, disc, *engine, algorithm.name, control, rows); });
                }
            }
        }
    }
    return rows;
}

} // namespace pollard::cli
