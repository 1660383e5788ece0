// Stages of the CPU engine: build, area, filter, at both depths and connectivities, on generated images and on the file
// in POLLARD_BENCH_IMAGE. The column CPU is the processor time of all threads, for comparisons on a shared machine.
//   POLLARD_BENCH_IMAGE=photo.tif pollard_bench --benchmark_filter='build/.*/16bit'

#include "bench/bench_images.hpp"
#include "cpu/cpu_engine.hpp"
#include "io/image_file.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace pollard;

constexpr std::uint32_t kSide = 2048; ///< 4 MPix: larger than the caches, short enough to repeat

/// An image that the first benchmark generates or reads, kept for the benchmarks after it.
struct Source {
    std::string name;
    std::function<std::shared_ptr<const Image>(PixelType)> make;
};

std::shared_ptr<const Image> imageOf(const Source& source, PixelType type) {
    static std::map<std::pair<std::string, PixelType>, std::shared_ptr<const Image>> made;
    auto& image = made[{source.name, type}];
    if (!image) {
        image = source.make(type);
    }
    return image;
}

std::unique_ptr<Session> openSession(const std::shared_ptr<const Image>& image) {
    auto session = makeCpuEngine()->openSession();
    session->open(image);
    return session;
}

void reportPixels(benchmark::State& state, const Image& image, const Session& session) {
    const double pixels = static_cast<double>(image.pixelCount());
    state.counters["MPix/s"] = benchmark::Counter(pixels / 1e6, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["nodes"] = static_cast<double>(session.tree()->nodeCount());
}

void build(benchmark::State& state, const Source& source, PixelType type, Connectivity connectivity) {
    const auto image = imageOf(source, type);
    const auto session = openSession(image);
    for (auto each : state) {
        benchmark::DoNotOptimize(session->buildTree({TreeKind::max, connectivity, {}}));
    }
    reportPixels(state, *image, *session);
}

void area(benchmark::State& state, const Source& source, PixelType type, Connectivity connectivity) {
    const auto image = imageOf(source, type);
    const auto session = openSession(image);
    for (auto each : state) {
        state.PauseTiming(); // attributes are kept with the tree, so every iteration needs a new one
        (void)session->buildTree({TreeKind::max, connectivity, {}});
        state.ResumeTiming();
        benchmark::DoNotOptimize(session->attribute(AttributeId::area));
    }
    reportPixels(state, *image, *session);
}

void filterDirect(benchmark::State& state, const Source& source, PixelType type, Connectivity connectivity) {
    const auto image = imageOf(source, type);
    const auto session = openSession(image);
    (void)session->buildTree({TreeKind::max, connectivity, {}});
    (void)session->attribute(AttributeId::area);
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, 100});
    Image out(type, image->width(), image->height());
    for (auto each : state) {
        benchmark::DoNotOptimize(session->filter(spec, out));
    }
    reportPixels(state, *image, *session);
}

std::vector<Source> findSources() {
    std::vector<Source> sources;
    for (const cli::TestImage image : {cli::TestImage::smoothNoise, cli::TestImage::noise, cli::TestImage::ramp}) {
        sources.push_back({std::string(cli::nameOf(image)),
                           [image](PixelType type) { return cli::makeImage(image, type, kSide, kSide); }});
    }
    if (const char* const file = std::getenv("POLLARD_BENCH_IMAGE"); file != nullptr) {
        const std::shared_ptr<const Image> image = readImage(file).image;
        sources.push_back({std::filesystem::path(file).stem().string(),
                           [image](PixelType type) { return cli::convertDepth(image, type); }});
    }
    return sources;
}

void registerBenchmarks(const std::vector<Source>& sources) {
    struct Stage {
        const char* name;
        void (*run)(benchmark::State&, const Source&, PixelType, Connectivity);
    };
    for (const Stage& stage : {Stage{"build", build}, Stage{"area", area}, Stage{"filter_direct", filterDirect}}) {
        for (const Source& source : sources) {
            for (const PixelType type : {PixelType::u8, PixelType::u16}) {
                for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
                    const std::string name = std::string(stage.name) + "/" + source.name + "/" +
                                             std::to_string(bitsOf(type)) + "bit/" +
                                             std::to_string(static_cast<int>(connectivity)) + "conn";
                    benchmark::RegisterBenchmark(name.c_str(), stage.run, source, type, connectivity)
                        ->Unit(benchmark::kMillisecond)
                        ->MeasureProcessCPUTime()
                        ->UseRealTime();
                }
            }
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    try {
        registerBenchmarks(findSources());
        benchmark::RunSpecifiedBenchmarks();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pollard_bench: error: %s\n", error.what());
        return 1;
    }
    benchmark::Shutdown();
    return 0;
}
