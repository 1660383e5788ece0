#include "cpu/tree_filter.hpp"

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "filter/node_decision.hpp"
#include "filter/output_values.hpp"

#include <atomic>
#include <numeric>

namespace pollard::cpu {

namespace {

struct PixelWriter {
    const ComponentTree& tree;
    const Buffer<std::uint16_t>& filteredLevel; ///< per node
    const JobControl& control;

    /// Gathers the values of all pixels.
    /// @param store `void(std::size_t pixel, std::uint32_t node, Pixel filtered)`
    /// @return number of pixels that the filter changes
    template <class Pixel, class Store> std::uint64_t gather(const Pixel* source, Store&& store) const {
        std::atomic<std::uint64_t> changed{0};
        forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
            std::uint64_t here = 0;
            for (std::size_t p = begin; p != end; ++p) {
                const std::uint32_t node = tree.pixelNode[p];
                const auto filtered = static_cast<Pixel>(filteredLevel[node]);
                here += filtered != source[p] ? 1 : 0;
                store(p, node, filtered);
            }
            changed += here;
        });
        return changed;
    }

    template <class Pixel>
    std::uint64_t write(const Image& image, const NodeDecision& decision, const FilterSpec& spec, Image& out) const {
        const Pixel* source = image.pixels<Pixel>().data();
        Pixel* target = out.pixels<Pixel>().data();
        switch (spec.output) {
        case Output::filtered:
            return gather<Pixel>(source, [=](std::size_t p, std::uint32_t, Pixel filtered) { target[p] = filtered; });
        case Output::residue:
            return gather<Pixel>(source, [=](std::size_t p, std::uint32_t, Pixel filtered) {
                target[p] = static_cast<Pixel>(source[p] > filtered ? source[p] - filtered : filtered - source[p]);
            });
        case Output::mask:
        case Output::labels:
            break;
        }
        const Buffer<std::uint16_t> values = outputValues(tree, spec, decision, control);
        return gather<Pixel>(source, [&, target](std::size_t p, std::uint32_t node, Pixel) {
            target[p] = static_cast<Pixel>(values[node]);
        });
    }
};

} // namespace

FilterReport filterTree(const ComponentTree& tree, const Image& image, const FilterSpec& spec,
                        const FilterColumns& columns, Image& out, const JobControl& control) {
    StageTimer timer;
    const NodeDecision decision = decideNodes(tree, spec, columns, control);
    control.throwIfStopped();
    timer.finish("decide");

    FilterReport report;
    const Buffer<std::uint16_t> filteredLevel = filteredLevels(tree, spec.rule, decision.keep);
    report.keptNodes = std::accumulate(decision.keep.begin(), decision.keep.end(), std::uint64_t{0});
    report.removedNodes = tree.nodeCount() - report.keptNodes;
    report.unknownPicks = decision.unknownPicks;
    control.throwIfStopped();
    timer.finish("levels");

    const PixelWriter writer{tree, filteredLevel, control};
    report.changedPixels =
        dispatch(image.type(), [&]<class Pixel>(Pixel) { return writer.write<Pixel>(image, decision, spec, out); });
    timer.finish("pixels");
    report.milliseconds = timer.totalMilliseconds();
    report.stages = timer.take();
    return report;
}

} // namespace pollard::cpu
