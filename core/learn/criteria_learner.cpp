#include "learn/criteria_learner.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "learn/short_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace pollard {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotLeftOut = -1;

/// Whether a value is smaller by more than the rounding errors of attributes.
bool isSmaller(double value, double than) noexcept {
    constexpr double kRounding = 1e-9;
    return than - value > kRounding * std::max(std::abs(value), std::abs(than));
}

/// An attribute that all examples have, and the interval of the kept ones.
struct Candidate {
    std::size_t column = 0;
    bool isRequired = false; ///< bounds the size alone: only examples beyond half and twice the size are outside
    double low = 0;
    double high = 0;
    double below = -kInfinity;   ///< half of the size, if it is bounded
    double above = kInfinity;    ///< and twice the size
    std::vector<double> dropped; ///< values of the dropped examples
    std::vector<double> gaps;    ///< of these, their distance in ranks from the interval; kNotLeftOut inside
};

/// Nothing if an example does not have the attribute, or if the candidate is neither required nor leaves out any.
std::optional<Candidate> candidateOf(std::size_t column, bool isRequired, const std::vector<double>& kept,
                                     std::vector<double> dropped, const RankScale& scale) {
    const auto isDefined = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(kept, isDefined) || !std::ranges::all_of(dropped, isDefined)) {
        return std::nullopt;
    }
    const auto [low, high] = std::ranges::minmax(kept);
    Candidate candidate{column, isRequired, low, high, -kInfinity, kInfinity, std::move(dropped), {}};
    if (isRequired) {
        candidate.below = low >= 2 ? std::floor(low / 2) : -kInfinity;
        candidate.above = high * 2;
    }
    for (const double value : candidate.dropped) {
        const bool isBelow = isRequired ? value <= candidate.below : isSmaller(value, low);
        const bool isAbove = isRequired ? value >= candidate.above : isSmaller(high, value);
        candidate.gaps.push_back(isBelow   ? scale.rankOf(low) - scale.rankOf(value)
                                 : isAbove ? scale.rankOf(value) - scale.rankOf(high)
                                           : kNotLeftOut);
    }
    const bool leavesOut = std::ranges::any_of(candidate.gaps, [](double gap) { return gap != kNotLeftOut; });
    return leavesOut || isRequired ? std::optional(std::move(candidate)) : std::nullopt;
}

/// How well several intervals together decide the dropped examples.
struct Cover {
    std::vector<std::size_t> chosen; ///< numbers of candidates
    std::size_t leftOut = 0;         ///< number of dropped examples outside an interval
    double margin = 0;               ///< smallest distance of these

    [[nodiscard]] bool isBetterThan(const Cover& other) const {
        return std::tuple(leftOut, other.chosen.size(), margin) >
               std::tuple(other.leftOut, chosen.size(), other.margin);
    }
};

double farthestGap(const std::vector<Candidate>& candidates, const std::vector<std::size_t>& chosen,
                   std::size_t example) {
    double gap = kNotLeftOut;
    for (const std::size_t each : chosen) {
        gap = std::max(gap, candidates[each].gaps[example]);
    }
    return gap;
}

Cover coverOf(const std::vector<Candidate>& candidates, const std::vector<std::size_t>& chosen, std::size_t examples) {
    Cover cover{chosen, 0, kInfinity};
    for (std::size_t i = 0; i < examples; ++i) {
        if (const double gap = farthestGap(candidates, chosen, i); gap != kNotLeftOut) {
            ++cover.leftOut;
            cover.margin = std::min(cover.margin, gap);
        }
    }
    return cover;
}

/// The best of all sets of @p size candidates that contain the @p chosen ones and others from @p first on.
void tryAll(const std::vector<Candidate>& candidates, std::size_t examples, std::size_t size, std::size_t first,
            std::vector<std::size_t>& chosen, Cover& best, const JobControl& control) {
    if (chosen.size() == size) {
        Cover cover = coverOf(candidates, chosen, examples);
        if (cover.isBetterThan(best)) {
            best = std::move(cover);
        }
        return;
    }
    control.throwIfStopped();
    for (std::size_t next = first; next < candidates.size(); ++next) {
        if (!candidates[next].isRequired) {
            chosen.push_back(next);
            tryAll(candidates, examples, size, next + 1, chosen, best, control);
            chosen.pop_back();
        }
    }
}

/// The smallest sets first, until one leaves out all dropped examples.
Cover bestCover(const std::vector<Candidate>& candidates, std::size_t examples, const JobControl& control) {
    std::vector<std::size_t> chosen;
    for (std::size_t number = 0; number < candidates.size(); ++number) {
        if (candidates[number].isRequired) {
            chosen.push_back(number);
        }
    }
    Cover best = coverOf(candidates, chosen, examples);
    for (std::size_t size = chosen.size() + 1; size <= CriteriaLearner::kMostCriteria && best.leftOut < examples;
         ++size) {
        tryAll(candidates, examples, size, 0, chosen, best, control);
    }
    return best;
}

/// The nearest neighbours of the interval of a chosen candidate among the dropped examples that no other one leaves
/// out by more, or half and twice the size; infinite on a side without one.
Criterion criterionOf(const std::vector<Candidate>& candidates, const Cover& cover, std::size_t number) {
    const Candidate& candidate = candidates[number];
    double below = candidate.below;
    double above = candidate.above;
    for (std::size_t i = 0; i < candidate.gaps.size(); ++i) {
        const auto farthest =
            std::ranges::max_element(cover.chosen, {}, [&](std::size_t each) { return candidates[each].gaps[i]; });
        if (*farthest != number || candidate.gaps[i] == kNotLeftOut) {
            continue;
        }
        const double value = candidate.dropped[i];
        if (value < candidate.low) {
            below = std::max(below, value);
        } else {
            above = std::min(above, value);
        }
    }
    Criterion criterion;
    criterion.minimum = below;
    criterion.maximum = above;
    return criterion;
}

bool isWhole(double a, double b) noexcept { return std::trunc(a) == a && std::trunc(b) == b; }

/// Bounds between the interval and its neighbours; an infinite one stays.
Criterion bounded(const Criterion& neighbours, const Candidate& candidate, AttributeId id) {
    const AttributeInfo& info = attributeInfo(id);
    const bool isGeometric = info.spread == Spread::decades || info.increasing;
    const auto bound = [&](double inside, double outside) {
        return std::isinf(outside)
                   ? outside
                   : shortBound(inside, outside, info.integral && isWhole(inside, outside), isGeometric);
    };
    Criterion criterion;
    criterion.attribute = id;
    criterion.minimum = bound(candidate.low, neighbours.minimum);
    criterion.maximum = bound(candidate.high, neighbours.maximum);
    return criterion;
}

} // namespace

std::vector<AttributeId> attributesToLearn(bool isVolume) {
    using enum AttributeId;
    std::vector<AttributeId> ids;
    for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
        const bool isPlace = info.id == centroidX || info.id == centroidY || info.id == centroidZ;
        const bool isInTree = info.id == depth || info.id == children || info.id == descendants || info.id == leaves;
        const bool isHu = info.id >= hu1 && info.id <= hu7; // the first is the inertia
        if (!isPlace && !isInTree && !isHu && info.id != orientation) {
            ids.push_back(info.id);
        }
    }
    return ids;
}

void requireMemoryToLearn(std::uint64_t nodes, std::size_t attributes) {
    const std::uint64_t needed = nodes * attributes * sizeof(double);
    if (const std::uint64_t free = availableMemory(); needed > free) {
        throw Error(ErrorCode::outOfMemory, "learn: " + std::to_string(attributes) + " attributes of " +
                                                std::to_string(nodes) + " components need " + bytesText(needed) + "; " +
                                                bytesText(free) + " are free; choose fewer attributes");
    }
}

void requireColumnsToLearn(const LearnedColumns& columns, std::size_t nodes) {
    if (columns.empty()) {
        throw Error(ErrorCode::invalidArgument, "learn: no attribute given");
    }
    for (const auto& column : columns) {
        if (column->size() != nodes) {
            throw Error(ErrorCode::invalidArgument,
                        "learn: attribute '" + std::string(attributeInfo(column->id).name) + "': is of another tree");
        }
    }
}

std::vector<Example> withExamples(std::vector<Example> examples, std::span<const Example> further, std::size_t nodes) {
    for (const Example& example : further) {
        if (example.node >= nodes) {
            throw Error(ErrorCode::invalidArgument, "learn: " + std::to_string(example.node) +
                                                        ": is no node (there are " + std::to_string(nodes) + ")");
        }
        std::erase_if(examples, [&](const Example& other) { return other.node == example.node; });
        examples.push_back(example);
    }
    return examples;
}

bool hasBothKinds(std::span<const Example> examples) noexcept {
    return std::ranges::find(examples, true, &Example::keep) != examples.end() &&
           std::ranges::find(examples, false, &Example::keep) != examples.end();
}

CriteriaLearner::CriteriaLearner(Columns columns, std::shared_ptr<const AttributeColumn> area,
                                 std::optional<ValueMapping> mapping, LearnedSize sizes, const JobControl& control)
    : columns_(std::move(columns)), area_(std::move(area)), mapping_(std::move(mapping)), sizes_(sizes) {
    requireColumnsToLearn(columns_, area_->size());
    const NodeSample sample = sampleNodes(*area_, control);
    scales_.resize(columns_.size());
    forEachIndex(
        columns_.size(), control, [&](std::size_t i) { scales_[i] = RankScale(*columns_[i], sample, mapping_); }, 1);
}

double CriteriaLearner::valueAt(std::size_t column, std::uint32_t node) const {
    return columnValue(columns_[column]->id, columns_[column]->at(node), mapping_);
}

bool CriteriaLearner::meets(const LearnedCriteria& learned, std::uint32_t node) const {
    for (std::size_t i = 0; i < learned.criteria.size(); ++i) {
        const double value = valueAt(learned.columns[i], node);
        if (!(value >= learned.criteria[i].minimum && value <= learned.criteria[i].maximum)) {
            return false;
        }
    }
    return true;
}

bool CriteriaLearner::keeps(std::uint32_t node) const { return meets(learned_, node); }

bool CriteriaLearner::add(std::span<const Example> examples, const JobControl& control) {
    std::vector<Example> all = withExamples(examples_, examples, area_->size());
    const auto isWrong = [&](const Example& example) { return keeps(example.node) != example.keep; };
    const bool learnsNow = hasBothKinds(all) && (!hasLearned_ || std::ranges::any_of(examples, isWrong));
    if (learnsNow) {
        learned_ = learn(all, control);
        hasLearned_ = true;
    }
    examples_ = std::move(all);
    return learnsNow;
}

LearnedCriteria CriteriaLearner::learn(const std::vector<Example>& examples, const JobControl& control) const {
    std::vector<Candidate> candidates;
    const auto add = [&](std::size_t column, bool isRequired) {
        std::array<std::vector<double>, 2> values; // of dropped and of kept examples
        for (const Example& example : examples) {
            values.at(example.keep ? 1 : 0).push_back(valueAt(column, example.node));
        }
        if (auto candidate = candidateOf(column, isRequired, values[1], std::move(values[0]), scales_[column])) {
            candidates.push_back(std::move(*candidate));
        }
    };
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (sizes_ == LearnedSize::ofKept && columns_[column]->id == AttributeId::area) {
            add(column, true);
        }
        add(column, false);
    }
    const auto dropped = static_cast<std::size_t>(std::ranges::count(examples, false, &Example::keep));
    const Cover cover = bestCover(candidates, dropped, control);
    LearnedCriteria learned;
    learned.margin = cover.leftOut == 0 ? 0 : cover.margin;
    for (const std::size_t number : cover.chosen) {
        const Candidate& candidate = candidates[number];
        const Criterion criterion =
            bounded(criterionOf(candidates, cover, number), candidate, columns_[candidate.column]->id);
        const auto same = std::ranges::find(learned.columns, candidate.column);
        if (same == learned.columns.end()) {
            learned.columns.push_back(candidate.column);
            learned.criteria.push_back(criterion);
        } else { // the size is bounded for itself, and more narrowly
            Criterion& other = learned.criteria[static_cast<std::size_t>(same - learned.columns.begin())];
            other.minimum = std::max(other.minimum, criterion.minimum);
            other.maximum = std::min(other.maximum, criterion.maximum);
        }
    }
    const auto isWrong = [&](const Example& example) { return meets(learned, example.node) != example.keep; };
    std::ranges::copy_if(examples, std::back_inserter(learned.wrong), isWrong);
    return learned;
}

std::vector<CriteriaLearner::RankBounds> CriteriaLearner::boundsWithin(double distance) const {
    constexpr double kRounding = 1e-9; // of differences of ranks
    const double reach = distance + kRounding;
    std::vector<RankBounds> bounds;
    for (std::size_t i = 0; i < learned_.criteria.size(); ++i) {
        const RankScale& scale = scales_[learned_.columns[i]];
        const auto rankOf = [&](double bound) { return std::isinf(bound) ? bound : scale.rankOf(bound); };
        const double low = rankOf(learned_.criteria[i].minimum);
        const double high = rankOf(learned_.criteria[i].maximum);
        bounds.push_back({low, high, scale.valueBelow(low - reach), scale.valueAbove(high + reach),
                          scale.valueAbove(low + reach), scale.valueBelow(high - reach)});
    }
    return bounds;
}

std::optional<UnsureNode> CriteriaLearner::nearBound(std::uint32_t node, std::span<const RankBounds> bounds) const {
    std::array<double, kMostCriteria> values{};
    bool isWellInside = true;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const double value = values.at(i) = valueAt(learned_.columns[i], node);
        if (std::isnan(value) || value <= bounds[i].beyondLow || value >= bounds[i].beyondHigh) {
            return std::nullopt;
        }
        isWellInside = isWellInside && value >= bounds[i].insideLow && value <= bounds[i].insideHigh;
    }
    if (isWellInside) {
        return std::nullopt;
    }
    UnsureNode near{node, keeps(node), 0, 0};
    double inside = kInfinity;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const double rank = scales_[learned_.columns[i]].rankOf(values.at(i));
        if (const double nearest = std::min(rank - bounds[i].low, bounds[i].high - rank); nearest < inside) {
            inside = nearest;
            near.criterion = i;
        }
    }
    near.distance = std::abs(inside);
    return near;
}

std::vector<UnsureNode> CriteriaLearner::unsureWithin(double distance, const JobControl& control) const {
    const auto [smallest, largest] =
        std::ranges::minmax(examples_, {}, [this](const Example& example) { return area_->at(example.node); });
    const double least = area_->at(smallest.node) / 2;
    const double most = area_->at(largest.node) * 2;
    const std::vector<RankBounds> bounds = boundsWithin(distance);
    std::vector<UnsureNode> nodes;
    std::mutex mutex;
    forEachRange(area_->size(), control, [&](std::size_t begin, std::size_t end) {
        std::vector<UnsureNode> found;
        for (auto node = static_cast<std::uint32_t>(std::max<std::size_t>(begin, 1)); node < end; ++node) {
            if (const double area = area_->at(node); area >= least && area <= most) {
                if (const auto near = nearBound(node, bounds); near && near->distance <= distance) {
                    found.push_back(*near);
                }
            }
        }
        const std::scoped_lock lock(mutex);
        nodes.insert(nodes.end(), found.begin(), found.end());
    });
    return nodes;
}

std::vector<UnsureNode> CriteriaLearner::nearestApart(std::vector<UnsureNode> nodes, const ComponentTree& tree,
                                                      std::size_t count) const {
    const auto isFarther = [](const UnsureNode& a, const UnsureNode& b) {
        return std::tuple(a.distance, a.node) > std::tuple(b.distance, b.node);
    };
    const auto areNested = [&](std::uint32_t a, std::uint32_t b) { return tree.contains(a, b) || tree.contains(b, a); };
    const auto isLikeExample = [&](const UnsureNode& near) {
        return std::ranges::any_of(examples_, [&](const Example& example) {
            const double ratio = area_->at(near.node) / area_->at(example.node);
            return areNested(near.node, example.node) && ratio >= 0.5 && ratio <= 2;
        });
    };
    std::ranges::make_heap(nodes, isFarther);
    std::vector<UnsureNode> chosen;
    while (!nodes.empty() && chosen.size() < count) {
        std::ranges::pop_heap(nodes, isFarther);
        const UnsureNode nearest = nodes.back();
        nodes.pop_back();
        const bool isTaken =
            std::ranges::any_of(chosen, [&](const UnsureNode& other) { return areNested(nearest.node, other.node); });
        if (!isTaken && !isLikeExample(nearest)) {
            chosen.push_back(nearest);
        }
    }
    return chosen;
}

std::vector<UnsureNode> CriteriaLearner::leastSure(const ComponentTree& tree, std::size_t count,
                                                   const JobControl& control) const {
    std::vector<UnsureNode> chosen;
    if (learned_.criteria.empty() || count == 0) {
        return chosen;
    }
    for (const double distance : {1.0 / 128, 1.0 / 8, 1.0}) { // few nodes are compared if near ones are enough
        chosen = nearestApart(unsureWithin(distance, control), tree, count);
        if (chosen.size() == count) {
            break;
        }
    }
    return chosen;
}

} // namespace pollard
