#include "learn/forest_learner.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/forest.hpp"
#include "learn/short_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) noexcept : state_(seed) {}

    /// A number below @p end.
    std::size_t below(std::size_t end) noexcept {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t mixed = (state_ ^ state_ >> 30U) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
        return static_cast<std::size_t>((mixed ^ mixed >> 31U) % end);
    }

private:
    std::uint64_t state_;
};

/// The examples that meet a condition, or do not, by kind.
struct Counts {
    std::array<std::uint64_t, 2> of{}; ///< dropped, kept

    [[nodiscard]] std::uint64_t total() const noexcept { return of[0] + of[1]; }
    /// The larger, the purer: the total less the total times the Gini impurity.
    [[nodiscard]] double purity() const noexcept {
        return static_cast<double>(of[0] * of[0] + of[1] * of[1]) / static_cast<double>(total());
    }
};

struct Split {
    std::size_t feature = 0;
    double inside = 0;  ///< largest value that meets the condition
    double outside = 0; ///< smallest one that does not; infinite if the others are undefined
    double purity = 0;  ///< of both sides together
};

} // namespace

/// Grows a decision tree from a sample of rows.
class ForestLearner::Grower {
public:
    Grower(const ForestLearner& learner, const std::vector<Row>& rows, std::uint64_t seed)
        : learner_(learner), rows_(rows), random_(seed), features_(rows.front().features.size()) {
        std::iota(features_.begin(), features_.end(), std::size_t{0});
    }

    DecisionTree grown() {
        std::array<std::vector<std::size_t>, 2> kinds; // dropped and kept rows
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            kinds.at(rows_[i].keep ? 1 : 0).push_back(i);
        }
        std::vector<std::size_t> sample;
        for (const auto& kind : kinds) {
            for (std::size_t i = 0; i < kind.size(); ++i) {
                sample.push_back(kind[random_.below(kind.size())]);
            }
        }
        (void)grow(std::move(sample));
        return std::move(tree_);
    }

private:
    Next grow(std::vector<std::size_t> sample) {
        Counts counts;
        for (const std::size_t row : sample) {
            ++counts.of.at(rows_[row].keep ? 1 : 0);
        }
        const bool isPure = counts.of[0] == 0 || counts.of[1] == 0;
        const auto split = isPure || tree_.size() == kMostQuestions ? std::nullopt : bestSplit(sample, counts);
        if (!split) {
            return counts.of[1] > counts.of[0] ? ForestNode::kKeep : ForestNode::kDrop;
        }
        const std::size_t number = tree_.size();
        tree_.push_back(questionOf(*split));
        const auto middle = std::stable_partition(sample.begin(), sample.end(), [&](std::size_t row) {
            return rows_[row].features[split->feature] <= split->inside;
        });
        std::vector<std::size_t> others(middle, sample.end());
        sample.erase(middle, sample.end());
        const Next met = grow(std::move(sample)); // adds questions
        const Next otherwise = grow(std::move(others));
        tree_[number].met = met;
        tree_[number].otherwise = otherwise;
        return static_cast<Next>(number);
    }

    /// The best split by some features in random order: as many as the square root of their number, and more until one
    /// splits.
    std::optional<Split> bestSplit(const std::vector<std::size_t>& sample, const Counts& all) {
        const auto enough = static_cast<std::size_t>(std::sqrt(static_cast<double>(features_.size())));
        std::optional<Split> best;
        for (std::size_t tried = 0; tried < features_.size() && !(best && tried >= enough); ++tried) {
            std::swap(features_[tried], features_[tried + random_.below(features_.size() - tried)]);
            const auto split = splitBy(features_[tried], sample, all);
            best = split && (!best || split->purity > best->purity) ? split : best;
        }
        return best;
    }

    std::optional<Split> splitBy(std::size_t feature, const std::vector<std::size_t>& sample, const Counts& all) {
        order_.clear();
        for (const std::size_t row : sample) {
            const double value = rows_[row].features[feature];
            order_.emplace_back(std::isfinite(value) ? value : std::numeric_limits<double>::infinity(),
                                rows_[row].keep);
        }
        std::ranges::sort(order_);
        std::optional<Split> best;
        Counts met;
        Counts others = all;
        for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
            const auto [value, keep] = order_[i];
            const double next = order_[i + 1].first;
            ++met.of.at(keep ? 1 : 0);
            --others.of.at(keep ? 1 : 0);
            const double rounding = 1e-9 * std::max(std::abs(value), std::abs(next));
            if (!(std::isinf(next) ? std::isfinite(value) : next - value > rounding)) {
                continue;
            }
            if (const double purity = met.purity() + others.purity(); !best || purity > best->purity) {
                best = Split{feature, value, next, purity};
            }
        }
        return best;
    }

    [[nodiscard]] ForestNode questionOf(const Split& split) const {
        const std::size_t columns = learner_.columns_.size();
        const bool isRelative = split.feature >= columns;
        const AttributeId id = learner_.columns_[split.feature % columns]->id;
        const bool isWhole = !isRelative && attributeInfo(id).integral && std::trunc(split.inside) == split.inside &&
                             std::trunc(split.outside) == split.outside;
        ForestNode node;
        node.condition.attribute = id;
        node.condition.maximum =
            std::isinf(split.outside) ? split.inside : shortBound(split.inside, split.outside, isWhole, false);
        node.around = isRelative ? kAround : 1;
        return node;
    }

    const ForestLearner& learner_;
    const std::vector<Row>& rows_;
    RandomNumbers random_;
    std::vector<std::size_t> features_; ///< in random order
    std::vector<std::pair<double, bool>> order_;
    DecisionTree tree_;
};

ForestLearner::ForestLearner(std::shared_ptr<const ComponentTree> tree, CriteriaLearner::Columns columns,
                             std::shared_ptr<const AttributeColumn> area, std::optional<ValueMapping> mapping,
                             LearnedSize sizes)
    : tree_(std::move(tree)), columns_(std::move(columns)), area_(std::move(area)), mapping_(std::move(mapping)),
      sizes_(sizes) {
    requireColumnsToLearn(columns_, area_->size());
}

bool ForestLearner::add(std::span<const Example> examples, const JobControl& control) {
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

bool ForestLearner::keeps(std::uint32_t node) const { return meets(learned_, node); }

ForestLearner::Row ForestLearner::rowOf(const Example& example) const {
    const std::uint32_t around = componentAround(*tree_, *area_, example.node, kAround);
    Row row;
    row.keep = example.keep;
    for (const auto& column : columns_) {
        row.features.push_back(columnValue(column->id, column->at(example.node), mapping_));
    }
    for (const auto& column : columns_) {
        const auto valueAt = [&](std::uint32_t node) { return columnValue(column->id, column->at(node), mapping_); };
        row.features.push_back(relativeTo(valueAt(around), valueAt(example.node), column->id));
    }
    return row;
}

std::vector<ForestLearner::Row> ForestLearner::rowsOf(const std::vector<Example>& examples, double largest) const {
    std::vector<Row> rows;
    for (const Example& example : examples) {
        rows.push_back(rowOf(example));
        for (std::uint32_t node = example.node; example.keep && node != 0 && area_->at(node) <= largest;) {
            node = componentAround(*tree_, *area_, node, 2);
            if (std::ranges::find(examples, Example{node, true}) == examples.end()) {
                rows.push_back(rowOf({node, false}));
            }
        }
    }
    return rows;
}

bool ForestLearner::meets(const LearnedCriteria& learned, std::uint32_t node) const {
    const double area = area_->at(node);
    const bool fits = std::ranges::all_of(learned.criteria, [area](const Criterion& criterion) {
        return area >= criterion.minimum && area <= criterion.maximum;
    });
    if (!fits || learned.forest.trees.empty()) {
        return fits;
    }
    const Row row = rowOf({node, false});
    std::size_t votes = 0;
    for (const DecisionTree& tree : learned.forest.trees) {
        Next next = 0;
        while (next < ForestNode::kDrop) {
            const ForestNode& question = tree[next];
            const auto column = std::ranges::find_if(
                columns_, [&](const auto& each) { return each->id == question.condition.attribute; });
            const auto feature = static_cast<std::size_t>(column - columns_.begin());
            const double value = row.features[feature + (question.around > 1 ? columns_.size() : 0)];
            next = value <= question.condition.maximum ? question.met : question.otherwise;
        }
        votes += next == ForestNode::kKeep ? 1 : 0;
    }
    return votes * 2 > learned.forest.trees.size();
}

LearnedCriteria ForestLearner::learn(const std::vector<Example>& examples, const JobControl& control) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    LearnedCriteria learned;
    double smallest = kInfinity;
    double largest = 0;
    for (const Example& example : examples) {
        const double area = area_->at(example.node);
        smallest = example.keep ? std::min(smallest, area) : smallest;
        largest = example.keep ? std::max(largest, area) : largest;
    }
    if (sizes_ == LearnedSize::ofKept) {
        Criterion size;
        size.minimum = smallest >= 2 ? shortBound(smallest, std::floor(smallest / 2), true, true) : -kInfinity;
        size.maximum = shortBound(largest, largest * 2, true, true);
        learned.criteria.push_back(size);
    }
    const std::vector<Row> rows = rowsOf(examples, sizes_ == LearnedSize::ofKept ? largest * 2 : kInfinity);
    std::vector<DecisionTree> trees(kTrees);
    forEachIndex(
        kTrees, control, [&](std::size_t i) { trees[i] = Grower(*this, rows, i + 1).grown(); }, 1);
    std::ranges::copy_if(trees, std::back_inserter(learned.forest.trees),
                         [](const DecisionTree& tree) { return !tree.empty(); });
    const auto isWrong = [&](const Example& example) { return meets(learned, example.node) != example.keep; };
    std::ranges::copy_if(examples, std::back_inserter(learned.wrong), isWrong);
    return learned;
}

} // namespace pollard
