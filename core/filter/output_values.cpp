#include "filter/output_values.hpp"

#include "base/parallel.hpp"
#include "image/grey_weights.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <tbb/parallel_sort.h>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// The smallest signed type from @p type on that holds a number; other types as they are.
ValueType signedTypeFor(ValueType type, double largest) noexcept {
    constexpr std::array kSigned{ValueType::i8, ValueType::i16, ValueType::i32, ValueType::i64};
    const auto* held = std::ranges::find(kSigned, type);
    const auto holds = [&](ValueType each) {
        return dispatch(each,
                        [&]<class T>(T) { return largest <= static_cast<double>(std::numeric_limits<T>::max()); });
    };
    while (held != kSigned.end() && held + 1 != kSigned.end() && !holds(*held)) {
        ++held;
    }
    return held == kSigned.end() ? type : *held;
}

std::uint64_t bitsOfNumber(ValueType type, Int128 number) noexcept {
    return dispatch(type, [&]<class T>(T) {
        if constexpr (std::is_integral_v<T>) {
            return bitsOfSample(static_cast<T>(number));
        } else {
            return bitsOfSample(static_cast<T>(toDouble(number)));
        }
    });
}

/// Values of a result by weights, see GreyWeights.
class WeighedValues {
public:
    /// @param areDifferences of the image's values, else values between them
    WeighedValues(const ValueMapping& source, bool areDifferences)
        : source_(source), weights_(source), areDifferences_(areDifferences) {}

    [[nodiscard]] const GreyWeights& weights() const noexcept { return weights_; }

    /// Differences of two values of the image, by their weights; these round floating-point values.
    using Differences = std::unordered_map<std::uint64_t, double>;

    /// @param used ascending, different, at least one
    /// @param known values of weights that are known without the weights
    [[nodiscard]] ValueMapping mappingOf(const std::vector<std::uint64_t>& used, const Differences& known) const {
        constexpr std::size_t kLevels = std::size_t{1} << 16;
        ValueMapping mapping = source_;
        mapping.ranks = nullptr;
        mapping.nan = mapping.infinite = mapping.clipped = 0;
        mapping.file.first = {};
        if (areDifferences_) {
            mapping.file.slope = std::abs(mapping.file.slope);
            mapping.file.intercept = 0;
            mapping.file.type = signedTypeFor(mapping.file.type, valueOf(used.back()) / mapping.file.slope);
        }
        mapping.minimum = valueOf(used.front());
        mapping.maximum = valueOf(used.back());
        mapping.exact = used.size() <= kLevels;
        mapping.offset = mapping.minimum;
        const auto gaps = static_cast<double>(std::clamp<std::size_t>(used.size(), 2, kLevels) - 1);
        mapping.step = mapping.maximum > mapping.minimum ? (mapping.maximum - mapping.minimum) / gaps : 1;
        if (mapping.exact) {
            auto ranks = std::make_shared<RankedValues>();
            for (const std::uint64_t weight : used) {
                const auto found = known.find(weight);
                ranks->values.push_back(found != known.end() ? found->second : valueOf(weight));
                ranks->samples.push_back(found != known.end() ? mapping.nearestSample(found->second)
                                                              : sampleOf(weight, mapping));
            }
            mapping.ranks = std::move(ranks);
        }
        return mapping;
    }

private:
    /// The level of the image with a weight; nothing for differences and between levels.
    [[nodiscard]] std::optional<std::uint16_t> levelOf(std::uint64_t weight) const {
        const auto count = static_cast<std::uint32_t>(source_.ranks->values.size());
        std::uint32_t level = 0;
        for (std::uint32_t end = count; level < end;) { // weights ascend with levels
            const std::uint32_t middle = (level + end) / 2;
            if (weights_.of(static_cast<std::uint16_t>(middle)) < weight) {
                level = middle + 1;
            } else {
                end = middle;
            }
        }
        const bool isLevel =
            !areDifferences_ && level < count && weights_.of(static_cast<std::uint16_t>(level)) == weight;
        return isLevel ? std::optional(static_cast<std::uint16_t>(level)) : std::nullopt;
    }
    [[nodiscard]] double valueOf(std::uint64_t weight) const {
        if (const auto level = levelOf(weight)) {
            return source_.valueOf(*level);
        }
        return areDifferences_ ? weights_.differenceOf(UInt128{weight}) : weights_.meanOf(UInt128{weight}, 1);
    }
    [[nodiscard]] std::uint64_t sampleOf(std::uint64_t weight, const ValueMapping& mapping) const {
        if (const auto level = levelOf(weight)) {
            return source_.sampleOf(*level);
        }
        if (const std::optional<Int128> number = weights_.sampleOf(weight)) {
            return bitsOfNumber(mapping.file.type, areDifferences_ ? static_cast<Int128>(weight) : *number);
        }
        return mapping.nearestSample(valueOf(weight));
    }

    const ValueMapping& source_;
    GreyWeights weights_;
    bool areDifferences_;
};

/// The residues of floats under a rule that leaves each node a level of the image, by their weights.
WeighedValues::Differences knownResidues(const ComponentTree& tree, Rule rule, const Buffer<std::uint8_t>& keep,
                                         const ValueMapping& mapping, const GreyWeights& weights) {
    WeighedValues::Differences known;
    if (rule == Rule::subtractive || weights.sampleOf(0)) {
        return known;
    }
    const Buffer<std::uint16_t> levels = filteredLevels(tree, rule, keep);
    known.emplace(0, 0.0); // also of infinite values
    for (std::size_t node = 0; node < levels.size(); ++node) {
        const std::uint64_t own = weights.of(tree.level[node]);
        const std::uint64_t other = weights.of(levels[node]);
        known.emplace(own > other ? own - other : other - own,
                      std::abs(mapping.valueOf(tree.level[node]) - mapping.valueOf(levels[node])));
    }
    return known;
}

/// Weights of the filtered image per node.
Buffer<std::uint64_t> filteredWeights(const ComponentTree& tree, Rule rule, const Buffer<std::uint8_t>& keep,
                                      const GreyWeights& weights) {
    Buffer<std::uint64_t> filtered(tree.nodeCount());
    if (rule != Rule::subtractive) {
        const Buffer<std::uint16_t> levels = filteredLevels(tree, rule, keep);
        std::ranges::transform(levels, filtered.begin(), [&](std::uint16_t level) { return weights.of(level); });
        return filtered;
    }
    filtered[0] = weights.of(tree.level[0]);
    for (std::size_t node = 1; node < filtered.size(); ++node) {
        const std::uint32_t parent = tree.parent[node];
        // Modulo 2^64: levels of a min-tree fall.
        const std::uint64_t rise = weights.of(tree.level[node]) - weights.of(tree.level[parent]);
        filtered[node] = filtered[parent] + (keep[node] != 0 ? rise : 0);
    }
    return filtered;
}

} // namespace

RankedOutput outputOfRanks(const ComponentTree& tree, const FilterSpec& spec, const NodeDecision& decision,
                           const ValueMapping& mapping, bool hasOutside, const JobControl& control) {
    const bool isResidue = spec.output == Output::residue;
    const WeighedValues values(mapping, isResidue);
    const GreyWeights& weights = values.weights();
    Buffer<std::uint64_t> result = filteredWeights(tree, spec.rule, decision.keep, weights);
    if (isResidue) {
        forEachIndex(result.size(), control, [&](std::size_t i) {
            const std::uint64_t own = weights.of(tree.level[i]);
            result[i] = own > result[i] ? own - result[i] : result[i] - own;
        });
    }
    std::vector<std::uint64_t> used(result.begin(), result.end());
    std::vector<std::uint64_t> outside; // weight by the level in the image
    if (hasOutside) {
        for (std::size_t level = 0; level < mapping.ranks->values.size(); ++level) {
            outside.push_back(isResidue ? 0 : weights.of(static_cast<std::uint16_t>(level)));
        }
        used.insert(used.end(), outside.begin(), outside.end());
    }
    control.throwIfStopped();
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    control.throwIfStopped();
    const auto known =
        isResidue ? knownResidues(tree, spec.rule, decision.keep, mapping, weights) : WeighedValues::Differences{};
    RankedOutput own{Buffer<std::uint16_t>(result.size()), {}, values.mappingOf(used, known)};
    const auto levelOf = [&](std::uint64_t weight) {
        if (own.mapping.ranks != nullptr) {
            return static_cast<std::uint16_t>(std::ranges::lower_bound(used, weight) - used.begin());
        }
        constexpr long double kLast = std::numeric_limits<std::uint16_t>::max();
        const auto range = static_cast<long double>(used.back() - used.front());
        return static_cast<std::uint16_t>(std::lround(static_cast<long double>(weight - used.front()) / range * kLast));
    };
    forEachIndex(result.size(), control, [&](std::size_t i) { own.nodes[i] = levelOf(result[i]); });
    std::ranges::transform(outside, std::back_inserter(own.outside), levelOf);
    return own;
}

Buffer<std::uint16_t> outputValues(const ComponentTree& tree, const FilterSpec& spec, const NodeDecision& decision,
                                   const JobControl& control) {
    const std::uint16_t maxLevel = maxLevelOf(tree.pixelType);
    if (spec.output == Output::filtered || spec.output == Output::residue) {
        Buffer<std::uint16_t> values = filteredLevels(tree, spec.rule, decision.keep);
        if (spec.output == Output::residue) {
            forEachIndex(values.size(), control, [&](std::size_t i) {
                values[i] = static_cast<std::uint16_t>(std::abs(int{tree.level[i]} - int{values[i]}));
            });
        }
        return values;
    }
    Buffer<std::uint16_t> values(tree.nodeCount());
    if (spec.output == Output::mask) {
        values[0] = decision.rootCounts ? maxLevel : std::uint16_t{0};
        for (std::size_t i = 1; i < values.size(); ++i) {
            values[i] = decision.keep[i] != 0 ? maxLevel : values[tree.parent[i]];
        }
    } else {
        const NodeLabels labels = labelNodes(tree, decision, control);
        forEachIndex(values.size(), control, [&](std::size_t i) {
            const std::uint32_t label = labels.label[i];
            values[i] = static_cast<std::uint16_t>(label == 0 ? 0 : 1 + (label - 1) % maxLevel);
        });
    }
    return values;
}

std::uint64_t countChangedPixels(const ComponentTree& tree, const Buffer<std::uint16_t>& levels,
                                 const AttributeColumn& area) {
    const auto isChanged = [&](std::size_t node) { return levels[node] != tree.level[node]; };
    const auto areaOf = [&](std::size_t node) { return static_cast<std::uint64_t>(area.at(node)); };
    // All pixels of a changed component outside its children's components have changed, so the sum over the tree
    // telescopes.
    std::uint64_t changed = isChanged(0) ? areaOf(0) : 0;
    for (std::size_t node = 1; node < tree.nodeCount(); ++node) {
        const bool here = isChanged(node);
        if (here != isChanged(tree.parent[node])) {
            changed += here ? areaOf(node) : -areaOf(node);
        }
    }
    return changed;
}

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
