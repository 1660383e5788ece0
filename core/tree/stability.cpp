#include "tree/stability.hpp"

#include "attributes/formulas.hpp"
#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pollard {

namespace {

/// A node on the path from the root to the current node.
template <class Height> struct PathStep {
    std::uint32_t node;
    std::uint32_t end;     ///< of its component
    std::uint32_t highest; ///< index on the path of its lowest ancestor within delta
    Height height;
};

/// Heights of levels whose distances count: the levels themselves.
struct LevelHeights {
    using Height = std::uint16_t;
    [[nodiscard]] Height operator()(std::uint16_t level) const noexcept { return level; }
};
struct WeightHeights {
    using Height = std::uint64_t;
    const GreyWeights* weights;
    [[nodiscard]] Height operator()(std::uint16_t level) const noexcept { return weights->of(level); }
};

template <class Heights> class Path {
public:
    using Height = typename Heights::Height;
    Path(const ComponentTree& tree, const Heights& heights, Height delta)
        : tree_(tree), heights_(heights), delta_(delta) {}

    /// Extends the path to a child of a node on it, or to the root.
    /// @return its lowest ancestor with a level within delta
    std::uint32_t goTo(std::uint32_t node) {
        while (!steps_.empty() && steps_.back().end <= node) {
            steps_.pop_back();
        }
        const auto place = static_cast<std::uint32_t>(steps_.size());
        steps_.push_back({node, tree_.subtreeEnd[node], place, heights_(tree_.level[node])});
        if (place == 0) {
            return node;
        }
        // Levels are strictly monotone along the path, so the ancestor is not above the parent's ancestor: gallop from
        // there, then bisect.
        std::uint32_t near = steps_[place - 1].highest;
        if (!isNear(near)) {
            std::uint32_t far = near;
            std::uint32_t step = 1;
            while (far + step < place && !isNear(far + step)) {
                far += step;
                step *= 2;
            }
            near = std::min(far + step, place);
            while (near - far > 1) {
                const std::uint32_t middle = far + (near - far) / 2;
                (isNear(middle) ? near : far) = middle;
            }
        }
        steps_.back().highest = near;
        return steps_[near].node;
    }

private:
    /// Whether the height at a path index is within delta of the last node's height.
    [[nodiscard]] bool isNear(std::uint32_t place) const noexcept {
        const Height there = steps_[place].height;
        const Height here = steps_.back().height;
        return (there > here ? there - here : here - there) <= delta_;
    }

    const ComponentTree& tree_;
    Heights heights_;
    Height delta_;
    std::vector<PathStep<Height>> steps_;
};

/// Calls `found(node, ancestor)` for every node with its ancestor by ancestorsWithin().
template <class Heights, class Found> void forEachAncestorWithin(const ComponentTree& tree, const Heights& heights,
                                                                 typename Heights::Height delta,
                                                                 const JobControl& control, Found&& found) {
    const std::size_t n = tree.nodeCount();
    const std::size_t block = kSweepBlock;
    forEachIndex((n + block - 1) / block, control,
                 [&](std::size_t b) {
                     const auto begin = static_cast<std::uint32_t>(b * block);
                     const auto end = static_cast<std::uint32_t>(std::min(n, begin + block));
                     std::vector<std::uint32_t> above;
                     for (std::uint32_t i = begin; i != 0;) {
                         i = tree.parent[i];
                         above.push_back(i);
                     }
                     Path<Heights> path(tree, heights, delta);
                     for (auto i = above.rbegin(); i != above.rend(); ++i) {
                         (void)path.goTo(*i);
                     }
                     for (std::uint32_t i = begin; i != end; ++i) {
                         found(i, path.goTo(i));
                     }
                 },
                 1);
}

template <class Heights> Buffer<double> stabilitiesBy(const ComponentTree& tree, std::span<const std::uint32_t> area,
                                                      const Heights& heights, typename Heights::Height delta,
                                                      const JobControl& control) {
    Buffer<double> out(tree.nodeCount());
    forEachAncestorWithin(tree, heights, delta, control, [&](std::uint32_t i, std::uint32_t ancestor) {
        out[i] = ancestor == i ? kUndefinedAttribute : stabilityOf(area[i], area[ancestor]);
    });
    return out;
}

} // namespace

std::uint16_t stabilityDelta(PixelType type, const std::optional<ValueMapping>& mapping) noexcept {
    if (!mapping || mapping->file.type == ValueType::u8 || mapping->file.type == ValueType::u16) {
        return defaultStabilityDelta(type);
    }
    const auto last = static_cast<double>(maxLevelOf(type));
    const double lowest = std::clamp(mapping->levelOf(mapping->minimum), 0.0, last);
    const double highest = std::clamp(mapping->levelOf(mapping->maximum), 0.0, last);
    constexpr double kPart = 5.0 / 255;
    return static_cast<std::uint16_t>(std::max(1.0, std::round(kPart * (highest - lowest))));
}

Buffer<std::uint32_t> ancestorsWithin(const ComponentTree& tree, std::uint16_t delta, const JobControl& control) {
    Buffer<std::uint32_t> out(tree.nodeCount());
    forEachAncestorWithin(tree, LevelHeights{}, delta, control,
                          [&](std::uint32_t i, std::uint32_t ancestor) { out[i] = ancestor; });
    return out;
}

Buffer<double> stabilitiesOf(const ComponentTree& tree, std::span<const std::uint32_t> area, std::uint16_t delta,
                             const JobControl& control) {
    return stabilitiesBy(tree, area, LevelHeights{}, delta, control);
}

Buffer<double> stabilitiesOf(const ComponentTree& tree, std::span<const std::uint32_t> area, const GreyWeights& weights,
                             std::uint64_t delta, const JobControl& control) {
    return stabilitiesBy(tree, area, WeightHeights{&weights}, delta, control);
}

std::uint64_t stabilityScratchBytes(const ComponentTree& tree) noexcept {
    // A vector that grows is there twice, in the old size and in twice that.
    constexpr std::uint64_t kPerLevel = 3 * sizeof(PathStep<std::uint64_t>) + 2 * sizeof(std::uint32_t);
    return static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency()) * tree.depth * kPerLevel;
}

} // namespace pollard
