#include "bench_snake.hpp"

#include "bench_pictures.hpp"
#include "bench_samples.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "thread_arena.hpp"

#include "base/stage_timer.hpp"
#include "snake/contour_mask.hpp"
#include "snake/snake_run.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace pollard::cli {

namespace {

std::vector<SnakeMoves> parseMoves(const std::string& text) {
    std::vector<SnakeMoves> all(kSnakeMoves.begin(), kSnakeMoves.end());
    std::vector<SnakeMoves> wanted;
    for (const std::string& name : splitList(text)) {
        const auto found = std::ranges::find_if(all, [&](SnakeMoves moves) { return nameOf(moves) == name; });
        if (found == all.end()) {
            throw UsageError("algorithm: '" + name + "': unknown (there are sequential, parity, local-best)");
        }
        wanted.push_back(*found);
    }
    return wanted.empty() ? all : wanted;
}

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

void measure(const BenchOptions& options, const NoisyDisc& disc, SnakeMoves moves, const JobControl& control,
             std::vector<BenchRow>& rows) {
    SnakeSpec spec;
    spec.moves = moves;
    spec.maxStep = options.maxStep;
    spec.minLength = options.minLength;
    spec.maxNodes = 1U << 16U;
    SampleTable samples;
    Contour found;
    for (int i = 0; i <= options.repeat; ++i) {
        StageTimer timer;
        const auto sums = std::make_shared<const RowSums>(disc.image, control);
        timer.finish("sums/wall");
        SnakeRun run(sums, startIn(disc.width, disc.height), spec);
        while (run.advance(control)) {
        }
        timer.finish("evolution/wall");
        for (const StageTime& stage : timer.take()) {
            if (i > 0) { // the first one warms up
                samples.add(stage.name, stage.milliseconds);
            }
        }
        found = run.state().nodes;
    }
    BenchRow row{std::to_string(disc.width) + "x" + std::to_string(disc.height) + " disc",
                 bitsOf(disc.image->type()),
                 "none",
                 disc.image->pixelCount(),
                 std::string(nameOf(moves)),
                 Connectivity::four,
                 GridSimplification::automatic,
                 "cpu",
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
    const std::vector<SnakeMoves> allMoves = parseMoves(options.algorithms);
    ThreadArena arena(context.common.threads);
    std::vector<BenchRow> rows;
    for (const PictureSize& size : sizes) {
        const NoisyDisc disc = makeDisc(size.width, size.height);
        for (const SnakeMoves moves : allMoves) {
            const JobControl control = progress.control(std::to_string(size.width) + "x" + std::to_string(size.height) +
                                                            ", " + std::string(nameOf(moves)),
                                                        context.stop);
            arena.execute([&] { measure(options, disc, moves, control, rows); });
        }
    }
    return rows;
}

} // namespace pollard::cli
