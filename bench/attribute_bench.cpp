// Cost of each attribute, compared with building the tree: one row per attribute. The output is a Markdown table;
// docs/benchmarks.md has its figures by groups.
//   pollard_attribute_bench IMAGE [THREADS [REPEATS [alone]]]
// "in turn" reuses intermediate results of the attributes above; "alone" starts from the tree only. Medians of the wall
// time; "processor" is the time of all threads, which is more reliable on a shared machine, and "x of the build" is its
// ratio to the build's.

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "cpu/node_attributes.hpp"
#include "cpu/tree_builder.hpp"
#include "io/image_file.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace pollard;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Times of one operation in ms, one per repeat.
struct Times {
    std::vector<double> wall;
    std::vector<double> processor;

    template <class Function> void add(Function&& function) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t processorStart = std::clock();
        function();
        wall.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        processor.push_back(1000.0 * static_cast<double>(std::clock() - processorStart) / CLOCKS_PER_SEC);
    }
};

struct Row {
    Times alone;
    Times inTurn;
};

void measure(const Image& image, int threads, int repeats, bool alsoAlone) {
    const auto attributes = allAttributes();
    Times builds;
    std::vector<Row> rows(attributes.size());
    std::size_t nodes = 0;
    tbb::task_arena(threads).execute([&] {
        for (int repeat = 0; repeat < repeats; ++repeat) {
            std::shared_ptr<const ComponentTree> tree;
            builds.add([&] {
                StageTimer timer;
                tree = std::make_shared<const ComponentTree>(cpu::buildComponentTree(image, {}, {}, timer));
            });
            nodes = tree->nodeCount();
            cpu::NodeAttributes shared(tree);
            std::vector<AttributeColumn> columns; // kept, as in a session
            for (std::size_t i = 0; i < attributes.size(); ++i) {
                rows[i].inTurn.add([&] { columns.push_back(shared.compute(attributes[i].id, {})); });
            }
            columns.clear();
            for (std::size_t i = 0; alsoAlone && i < attributes.size(); ++i) {
                cpu::NodeAttributes alone(tree);
                rows[i].alone.add([&] { (void)alone.compute(attributes[i].id, {}); });
            }
        }
    });
    const double build = median(builds.wall);
    const double buildProcessor = median(builds.processor);
    std::printf("%u x %u px, %d bit, %zu nodes, %d threads, median of %d; build %.0f ms, processor %.0f ms\n\n",
                image.width(), image.height(), bitsOf(image.type()), nodes, threads, repeats, build, buildProcessor);
    std::printf("| attribute | in turn, ms | processor, ms | x of the build |%s\n|---|---|---|---|%s\n",
                alsoAlone ? " alone, ms | processor, ms |" : "", alsoAlone ? "---|---|" : "");
    const auto print = [&](const char* name, double wall, double processor) {
        std::printf("| %s | %.1f | %.1f | %.2f |", name, wall, processor, processor / buildProcessor);
    };
    double all = 0;
    double allProcessor = 0;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        const double wall = median(rows[i].inTurn.wall);
        const double processor = median(rows[i].inTurn.processor);
        all += wall;
        allProcessor += processor;
        print(("`" + std::string(attributes[i].name) + "`").c_str(), wall, processor);
        if (alsoAlone) {
            std::printf(" %.1f | %.1f |", median(rows[i].alone.wall), median(rows[i].alone.processor));
        }
        std::printf("\n");
    }
    print("all", all, allProcessor);
    std::printf("%s\n\nAll attributes take %.2f x the wall time of the build.\n", alsoAlone ? " | |" : "", all / build);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 5) {
        std::fprintf(stderr, "usage: pollard_attribute_bench IMAGE [THREADS [REPEATS [alone]]]\n");
        return 2;
    }
    try {
        const int threads = argc > 2 ? std::max(1, std::atoi(argv[2])) : 2;
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
        measure(*readImage(argv[1]).image, threads, argc > 3 ? std::max(1, std::atoi(argv[3])) : 5, argc > 4);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pollard_attribute_bench: error: %s\n", error.what());
        return 1;
    }
    return 0;
}
