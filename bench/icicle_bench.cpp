// Measures the icicle of a tree: computing the layout, and painting the whole, the middle tenth and a subtree, one row
// per step. Prints a Markdown table; docs/benchmarks.md has the figures.
//   pollard_icicle_bench [IMAGE [COLUMNS [ROWS [REPEATS]]]]
// Without an image, or for "noise", builds the tree of 2900 x 2900 px of 16-bit noise. Times are medians of the wall
// time; "processor" is the time of all threads, which is more reliable on a shared machine.

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "io/image_file.hpp"
#include "tree/icicle.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace pollard;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

template <class Function> void measure(const char* name, int repeats, const Function& function) {
    std::vector<double> wall;
    std::vector<double> processor;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t processorStart = std::clock();
        function();
        wall.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        processor.push_back(1000.0 * static_cast<double>(std::clock() - processorStart) / CLOCKS_PER_SEC);
    }
    std::printf("| %s | %.1f | %.1f |\n", name, median(wall), median(processor));
}

std::shared_ptr<const Image> noise() {
    constexpr std::uint32_t kSide = 2900; // gives five million nodes
    auto image = std::make_shared<Image>(PixelType::u16, kSide, kSide);
    std::mt19937 random(1);
    std::ranges::generate(image->pixels<std::uint16_t>(), [&] { return static_cast<std::uint16_t>(random()); });
    return image;
}

void run(const std::shared_ptr<const Image>& image, std::uint32_t columns, std::uint32_t rows, int repeats) {
    auto session = makeCpuEngine()->openSession();
    session->open(image);
    session->buildTree({});
    const auto tree = session->tree();
    const auto area = session->attribute(AttributeId::area);
    std::printf("%u x %u px, %d bit, %zu nodes, %u levels deep, on %u x %u px; median of %d\n\n", image->width(),
                image->height(), bitsOf(image->type()), tree->nodeCount(), tree->depth, columns, rows, repeats);
    std::printf("| step | wall, ms | processor, ms |\n|---|---|---|\n");

    IcicleLayout layout;
    measure("lay out", repeats, [&] { layout = layOutIcicle(tree, IcicleHeight::level); });
    std::vector<std::uint32_t> scale(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
        scale[i] = 0xff00'0000U + i * 0x1'0101U;
    }
    std::vector<std::uint32_t> nodes(std::size_t{columns} * rows);
    std::vector<std::uint32_t> pixels(nodes.size());
    IciclePaint paint;
    paint.layout = &layout;
    paint.columns = columns;
    paint.rows = rows;
    paint.lineFrom = 4;
    paint.colours.column = area.get();
    paint.colours.logarithmic = true;
    paint.colours.scale = scale;
    paint.colours.removedScale = scale;
    const auto measurePart = [&](const char* name, const IcicleRect& part) {
        paint.part = part;
        measure(name, repeats, [&] { paintIcicle(paint, nodes, pixels); });
    };
    const IcicleRect whole = layout.whole();
    measurePart("paint all of it", whole);
    IcicleRect tenth = whole;
    tenth.left = 0.45 * whole.right;
    tenth.right = 0.55 * whole.right;
    measurePart("paint the middle tenth", tenth);
    measurePart("paint a subtree", layout.subtreeOf(layout.nodeAt(layout.pixelCount() / 2)));
}

} // namespace

int main(int argc, char** argv) {
    const auto number = [&](int place, int otherwise) { return argc > place ? std::atoi(argv[place]) : otherwise; };
    const std::string source = argc > 1 ? argv[1] : "noise";
    try {
        run(source == "noise" ? noise() : readImage(source).image, static_cast<std::uint32_t>(number(2, 1920)),
            static_cast<std::uint32_t>(number(3, 400)), number(4, 15));
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
