#include "cpu/attributes/levels.hpp"

#include "attributes/formulas.hpp"
#include "base/parallel.hpp"
#include "cpu/attributes/sum_array.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <cstdlib>

namespace pollard::cpu {

namespace {

std::uint16_t distance(std::uint16_t a, std::uint16_t b) noexcept {
    return static_cast<std::uint16_t>(std::abs(a - b));
}

} // namespace

Buffer<std::uint16_t> farthestLevelsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint16_t> farthest(tree.nodeCount());
    std::copy(tree.level.begin(), tree.level.end(), farthest.begin());
    if (tree.kind == TreeKind::max) {
        sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
            farthest[parent] = std::max(farthest[parent], farthest[i]);
        });
    } else {
        sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
            farthest[parent] = std::min(farthest[parent], farthest[i]);
        });
    }
    return farthest;
}

Buffer<std::uint16_t> heightsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint16_t> farthest = farthestLevelsOf(tree, control);
    forEachIndex(farthest.size(), control,
                 [&](std::size_t i) { farthest[i] = distance(farthest[i], tree.level[tree.parent[i]]); });
    return farthest;
}

Buffer<std::uint64_t> levelSumsOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                  const JobControl& control) {
    Buffer<std::uint64_t> sum(tree.nodeCount());
    forEachIndex(sum.size(), control, [&](std::size_t i) { sum[i] = std::uint64_t{own[i]} * tree.level[i]; });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { sum[parent] += sum[i]; });
    return sum;
}

Buffer<double> variancesOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                           const Buffer<std::uint32_t>& area, const Buffer<std::uint64_t>& sum,
                           const JobControl& control) {
    SumArray<std::uint64_t> squares(tree.nodeCount());
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        const std::uint64_t level = tree.level[i];
        squares.set(i, own[i] * (level * level));
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { squares.add(parent, squares[i]); });
    squares.prepareResults();
    forEachIndex(tree.nodeCount(), control,
                 [&](std::size_t i) { squares.setResult(i, varianceOf(area[i], sum[i], squares[i])); });
    return squares.release();
}

} // namespace pollard::cpu
