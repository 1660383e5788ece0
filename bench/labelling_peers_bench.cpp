// Objects and their geometric features on the CPU, compared with OpenCV's connectedComponentsWithStats() on the same
// masks: random squares of granularity 1, 4 and 16 at several densities, 4096 x 4096. Built if OpenCV is available.
//   pollard_labelling_bench --benchmark_filter='g4/d50' --benchmark_repetitions=9

#include "bench/bench_images.hpp"
#include "components/components.hpp"
#include "components/threshold.hpp"

#include <benchmark/benchmark.h>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace pollard;

constexpr std::uint32_t kSide = 4096;
constexpr std::uint16_t kThreshold = 0x8000; ///< threshold of makeSquares()

struct Squares {
    std::uint32_t granularity;
    std::uint32_t density; ///< percent
};

Mask maskOf(const Squares& squares) {
    const auto image = cli::makeSquares(squares.granularity, squares.density, kSide, kSide);
    return thresholdMask(*image, kThreshold, 0xffff, nullptr, {});
}

/// Mask in OpenCV's form: a byte per pixel.
cv::Mat bytesOf(const Mask& mask) {
    cv::Mat bytes(static_cast<int>(mask.height()), static_cast<int>(mask.width()), CV_8U);
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        auto* row = bytes.ptr<std::uint8_t>(static_cast<int>(y));
        for (std::uint32_t x = 0; x < mask.width(); ++x) {
            row[x] = mask.test(x, y) ? 255 : 0;
        }
    }
    return bytes;
}

void report(benchmark::State& state, std::uint64_t objects) {
    state.counters["objects"] = static_cast<double>(objects);
    state.counters["MPix/s"] = benchmark::Counter(kSide / 1e6 * kSide, benchmark::Counter::kIsIterationInvariantRate);
}

void ours(benchmark::State& state, const Squares& squares, Connectivity connectivity) {
    const Mask mask = maskOf(squares);
    ComponentsSpec spec;
    spec.connectivity = connectivity;
    std::uint64_t objects = 0;
    for (auto each : state) {
        const Components found = labelComponents(mask, nullptr, spec);
        objects = found.count;
        benchmark::DoNotOptimize(found.labels.data());
    }
    report(state, objects);
}

void openCv(benchmark::State& state, const Squares& squares, Connectivity connectivity) {
    const cv::Mat bytes = bytesOf(maskOf(squares));
    std::uint64_t objects = 0;
    for (auto each : state) {
        cv::Mat labels;
        cv::Mat features;
        cv::Mat centroids;
        const int found = cv::connectedComponentsWithStats(bytes, labels, features, centroids,
                                                           static_cast<int>(connectivity), CV_32S);
        objects = static_cast<std::uint64_t>(found - 1); // without the background
        benchmark::DoNotOptimize(labels.data);
    }
    report(state, objects);
}

/// Checks that both find the same number of objects.
void requireSameObjects(const Squares& squares, Connectivity connectivity) {
    const Mask mask = maskOf(squares);
    ComponentsSpec spec;
    spec.connectivity = connectivity;
    cv::Mat labels;
    const int found = cv::connectedComponents(bytesOf(mask), labels, static_cast<int>(connectivity), CV_32S);
    if (labelComponents(mask, nullptr, spec).count != static_cast<std::uint32_t>(found - 1)) {
        std::abort();
    }
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    requireSameObjects({4, 50}, Connectivity::four);
    requireSameObjects({4, 50}, Connectivity::eight);
    for (const std::uint32_t granularity : {1U, 4U, 16U}) {
        for (const std::uint32_t density : {10U, 30U, 50U, 70U, 90U}) {
            for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
                const Squares squares{granularity, density};
                const std::string name = "g" + std::to_string(granularity) + "/d" + std::to_string(density) + "/c" +
                                         std::to_string(static_cast<int>(connectivity));
                const auto add = [&](const std::string& who, auto* function) {
                    benchmark::RegisterBenchmark((who + "/" + name).c_str(), function, squares, connectivity)
                        ->Unit(benchmark::kMillisecond)
                        ->MeasureProcessCPUTime() // of all threads: least affected by other load
                        ->UseRealTime();
                };
                add("pollard", ours);
                add("opencv", openCv);
            }
        }
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
