// Measures the plane of two attributes: counting 256 x 192 cells, counting the nodes in a rectangle, and finding the
// nodes in a lasso. Nodes are random, with areas as in photographs (most a few px) and a second attribute of integers
// or real numbers. The argument of a benchmark is the number of threads.

#include "analysis/attribute_plane.hpp"

#include <benchmark/benchmark.h>

#include <tbb/global_control.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace {

using namespace pollard;

constexpr std::size_t kNodes = 5'000'000;

struct Columns {
    AttributeColumn area{AttributeId::area, Buffer<std::uint32_t>(kNodes), 1, 0};
    AttributeColumn height{AttributeId::height, Buffer<std::uint16_t>(kNodes), 1, 0};
    AttributeColumn elongation{AttributeId::elongation, Buffer<double>(kNodes), 1, 0};
};

const Columns& columns() {
    static const Columns made = [] {
        Columns drawn;
        std::mt19937 random(1);
        std::uniform_real_distribution<double> part(1e-7, 1);
        auto& areas = std::get<Buffer<std::uint32_t>>(drawn.area.values);
        auto& heights = std::get<Buffer<std::uint16_t>>(drawn.height.values);
        auto& elongations = std::get<Buffer<double>>(drawn.elongation.values);
        for (std::size_t i = 0; i < kNodes; ++i) {
            areas[i] = static_cast<std::uint32_t>(std::min(1.0 / part(random), 2.4e7));
            heights[i] = static_cast<std::uint16_t>(1 + std::min(10.0 / part(random), 65534.0));
            elongations[i] = 1 - std::log(part(random));
        }
        return drawn;
    }();
    return made;
}

/// Limits the threads to the benchmark's argument.
tbb::global_control threadsOf(const benchmark::State& state) {
    return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(state.range(0))};
}

AttributePlane count(const AttributeColumn& x, const AttributeColumn& y) {
    return attributePlane(x, {256, BinScale::log, {}, {}}, y, {192, BinScale::log, {}, {}});
}

void countFiveMillionWholeNumbers(benchmark::State& state) {
    const tbb::global_control threads = threadsOf(state);
    for (auto _ : state) {
        benchmark::DoNotOptimize(count(columns().area, columns().height));
    }
}

void countFiveMillionOtherNumbers(benchmark::State& state) {
    const tbb::global_control threads = threadsOf(state);
    for (auto _ : state) {
        benchmark::DoNotOptimize(count(columns().area, columns().elongation));
    }
}

void countRectangleOfFiveMillion(benchmark::State& state) {
    const tbb::global_control threads = threadsOf(state);
    for (auto _ : state) {
        benchmark::DoNotOptimize(countMeetingBoth(columns().area, {AttributeId::area, 10, 1000}, columns().elongation,
                                                  {AttributeId::elongation, 1.5, 3}));
    }
}

void findLassoOfFiveMillion(benchmark::State& state) {
    const tbb::global_control threads = threadsOf(state);
    const AttributePlane plane = count(columns().area, columns().elongation);
    std::vector<RegionPoint> circle;
    for (int i = 0; i < 100; ++i) {
        const double angle = 2 * std::numbers::pi * i / 100;
        circle.push_back({0.4 + 0.3 * std::cos(angle), 0.4 + 0.3 * std::sin(angle)});
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(nodesInPolygon(columns().area, PlaneAxis::of(AttributeId::area, plane.x),
                                                columns().elongation, PlaneAxis::of(AttributeId::elongation, plane.y),
                                                circle));
    }
}

BENCHMARK(countFiveMillionWholeNumbers)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(countFiveMillionOtherNumbers)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(countRectangleOfFiveMillion)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(findLassoOfFiveMillion)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
