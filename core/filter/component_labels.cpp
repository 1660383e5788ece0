#include "filter/component_labels.hpp"

#include "base/parallel.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <vector>

namespace pollard {

namespace {

/// Roots of the maximal kept components, ascending; their intervals [node, subtreeEnd[node]) are disjoint.
std::vector<std::uint32_t> maximalComponents(const ComponentTree& tree, const NodeDecision& decision) {
    if (decision.rootCounts) {
        return {0};
    }
    std::vector<std::uint32_t> components;
    for (std::uint32_t node = 1; node < tree.nodeCount();) {
        const bool kept = decision.keep[node] != 0;
        if (kept) {
            components.push_back(node);
        }
        node = kept ? tree.subtreeEnd[node] : node + 1;
    }
    return components;
}

/// First pixel of each component in raster order.
/// @param owner per node 1 + the index of its component, 0 for none
Buffer<std::uint32_t> firstPixels(const ComponentTree& tree, const Buffer<std::uint32_t>& owner, std::size_t count,
                                  const JobControl& control) {
    Buffer<std::uint32_t> first(count);
    std::fill(first.begin(), first.end(), std::numeric_limits<std::uint32_t>::max());
    forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
        std::uint32_t before = 0;
        for (std::size_t p = begin; p != end; ++p) {
            const std::uint32_t own = owner[tree.pixelNode[p]];
            if (own != 0 && own != before) { // later pixels of a run are never the first
                const std::atomic_ref slot(first[own - 1]);
                const auto here = static_cast<std::uint32_t>(p);
                std::uint32_t seen = slot.load(std::memory_order_relaxed);
                while (here < seen && !slot.compare_exchange_weak(seen, here, std::memory_order_relaxed)) {
                }
            }
            before = own;
        }
    });
    return first;
}

} // namespace

NodeLabels labelNodes(const ComponentTree& tree, const NodeDecision& decision, const JobControl& control) {
    const std::vector<std::uint32_t> components = maximalComponents(tree, decision);
    NodeLabels result{Buffer<std::uint32_t>(tree.nodeCount()), static_cast<std::uint32_t>(components.size())};
    Buffer<std::uint32_t>& label = result.label;
    std::fill(label.begin(), label.end(), 0U);
    for (std::uint32_t c = 0; c < components.size(); ++c) {
        std::fill(label.begin() + components[c], label.begin() + tree.subtreeEnd[components[c]], c + 1);
    }
    control.throwIfStopped();
    const Buffer<std::uint32_t> first = firstPixels(tree, label, components.size(), control);
    std::vector<std::uint32_t> order(components.size());
    std::iota(order.begin(), order.end(), 0U);
    tbb::parallel_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return first[a] < first[b]; });
    control.throwIfStopped();
    std::vector<std::uint32_t> number(components.size() + 1, 0);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        number[order[k] + 1] = k + 1;
    }
    forEachIndex(label.size(), control, [&](std::size_t i) { label[i] = number[label[i]]; });
    return result;
}

LabelImage labelPixels(const ComponentTree& tree, const NodeLabels& labels, const JobControl& control) {
    LabelImage image{Buffer<std::uint32_t>(tree.pixelCount()), tree.width, tree.height, labels.count, tree.slices};
    forEachIndex(image.labels.size(), control,
                 [&](std::size_t p) { image.labels[p] = labels.label[tree.pixelNode[p]]; });
    return image;
}

LabelImage labelKept(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                     const JobControl& control) {
    const NodeDecision decision = decideNodes(tree, spec, columns, control);
    return labelPixels(tree, labelNodes(tree, decision, control), control);
}

} // namespace pollard
