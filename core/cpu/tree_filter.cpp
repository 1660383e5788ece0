#include "cpu/tree_filter.hpp"

#include "base/buffer.hpp"
#include "cpu/parallel.hpp"
#include "filter/criterion_bounds.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace pollard::cpu {

namespace {

/// 1 where the node meets the criteria, before the rule.
Buffer<std::uint8_t> decide(const FilterSpec& spec, std::span<const std::shared_ptr<const AttributeColumn>> columns,
                            std::size_t nodeCount, const JobControl& control) {
    const bool all = spec.match == Match::all || spec.criteria.empty();
    Buffer<std::uint8_t> meets(nodeCount);
    std::fill(meets.begin(), meets.end(), std::uint8_t{all});
    for (std::size_t c = 0; c < spec.criteria.size(); ++c) {
        std::visit(
            [&]<class T>(const Buffer<T>& values) {
                const CriterionBounds<T> bounds = boundsOf<T>(spec.criteria[c]);
                forEachIndex(nodeCount, control, [&](std::size_t i) {
                    const bool in = !bounds.empty && values[i] >= bounds.minimum && values[i] <= bounds.maximum;
                    meets[i] = static_cast<std::uint8_t>(all ? meets[i] & in : meets[i] | in);
                });
            },
            columns[c]->values);
    }
    return meets;
}

void applyRule(Rule rule, const ComponentTree& tree, Buffer<std::uint8_t>& keep) {
    const std::size_t n = tree.nodeCount();
    switch (rule) {
    case Rule::direct:
        return;
    case Rule::min:
        for (std::size_t i = 1; i < n; ++i) {
            keep[i] = static_cast<std::uint8_t>(keep[i] & keep[tree.parent[i]]);
        }
        return;
    case Rule::max:
        for (std::size_t i = n; i-- > 1;) {
            keep[tree.parent[i]] = static_cast<std::uint8_t>(keep[tree.parent[i]] | keep[i]);
        }
        return;
    }
}

struct PixelWriter {
    const ComponentTree& tree;
    const Buffer<std::uint16_t>& filteredLevel; ///< per node
    const Buffer<std::uint8_t>& inMask;         ///< per node
    const JobControl& control;

    /// One gather; returns how many pixels the filter changed.
    template <class Pixel> std::uint64_t write(const Image& image, Output output, Image& out) const {
        const Pixel* source = image.pixels<Pixel>().data();
        Pixel* target = out.pixels<Pixel>().data();
        switch (output) {
        case Output::filtered:
            return gather<Pixel>(source, [=](std::size_t p, std::uint32_t, Pixel filtered) { target[p] = filtered; });
        case Output::residue:
            return gather<Pixel>(source, [=](std::size_t p, std::uint32_t, Pixel filtered) {
                target[p] = static_cast<Pixel>(source[p] > filtered ? source[p] - filtered : filtered - source[p]);
            });
        case Output::mask:
            return gather<Pixel>(source, [=, this](std::size_t p, std::uint32_t node, Pixel) {
                target[p] = inMask[node] != 0 ? std::numeric_limits<Pixel>::max() : Pixel{0};
            });
        }
        return 0;
    }

private:
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
};

} // namespace

FilterReport filterTree(const ComponentTree& tree, const Image& image, const FilterSpec& spec,
                        std::span<const std::shared_ptr<const AttributeColumn>> columns, Image& out,
                        const JobControl& control) {
    StageTimer timer;
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint8_t> keep = decide(spec, columns, n, control);
    applyRule(spec.rule, tree, keep);
    control.throwIfStopped();
    timer.finish("decide");

    Buffer<std::uint8_t> inMask;
    if (spec.output == Output::mask) {
        inMask = Buffer<std::uint8_t>(n);
        inMask[0] = keep[0];
        for (std::size_t i = 1; i < n; ++i) {
            inMask[i] = static_cast<std::uint8_t>(keep[i] | inMask[tree.parent[i]]);
        }
    }
    keep[0] = 1;
    FilterReport report;
    Buffer<std::uint16_t> filteredLevel(n);
    filteredLevel[0] = tree.level[0];
    report.keptNodes = 1;
    for (std::size_t i = 1; i < n; ++i) {
        filteredLevel[i] = keep[i] != 0 ? tree.level[i] : filteredLevel[tree.parent[i]];
        report.keptNodes += keep[i];
    }
    report.removedNodes = n - report.keptNodes;
    control.throwIfStopped();
    timer.finish("levels");

    const PixelWriter writer{tree, filteredLevel, inMask, control};
    report.changedPixels =
        dispatch(image.type(), [&]<class Pixel>(Pixel) { return writer.write<Pixel>(image, spec.output, out); });
    timer.finish("pixels");
    report.milliseconds = timer.totalMilliseconds();
    report.stages = timer.take();
    return report;
}

} // namespace pollard::cpu
