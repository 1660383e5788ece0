#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/value_mapping.hpp"
#include "learn/criteria_learner.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Learns a forest from examples: kTrees decision trees, each from a random sample of the examples with as many kept
/// and dropped ones, by the random choice of features of L. Breiman, Random forests, Machine Learning 45, 2001. A
/// question leaves the least impurity (Gini); its bound is a shortBound() between the examples.
///
/// The features of a component are its attributes, and the same attributes relative to the smallest component around it
/// with at least twice its area, see ForestNode::around. Each kept example also teaches that the components around it
/// at which its area doubles, up to the first above the size, are to be dropped. With LearnedSize::ofKept a criterion
/// bounds the area.
///
/// The same examples give the same forest on every machine. Examples that the result decides rightly change nothing.
class ForestLearner {
public:
    static constexpr std::size_t kTrees = 64;
    static constexpr std::uint32_t kAround = 2; ///< multiple of the area

    /// @param tree of the columns
    /// @param columns,area,mapping,sizes as of CriteriaLearner @throws as CriteriaLearner
    ForestLearner(std::shared_ptr<const ComponentTree> tree, CriteriaLearner::Columns columns,
                  std::shared_ptr<const AttributeColumn> area, std::optional<ValueMapping> mapping, LearnedSize sizes);

    /// As CriteriaLearner::add().
    bool add(std::span<const Example> examples, const JobControl& control = {});

    [[nodiscard]] const std::vector<Example>& examples() const noexcept { return examples_; }
    /// Whether there are examples of both kinds, without which nothing is learned.
    [[nodiscard]] bool hasLearned() const noexcept { return hasLearned_; }
    /// The criterion of the area and the forest, which is empty if no attribute tells the examples apart.
    [[nodiscard]] const LearnedCriteria& learned() const noexcept { return learned_; }
    /// Whether criterion and forest keep a node.
    [[nodiscard]] bool keeps(std::uint32_t node) const;

private:
    /// Values of an example, of the columns and then relative to the component around; NaN if undefined.
    struct Row {
        std::vector<double> features;
        bool keep = false;
    };
    /// What follows from answers: ForestNode::met or otherwise.
    using Next = std::uint32_t;
    class Grower;

    [[nodiscard]] Row rowOf(const Example& example) const;
    [[nodiscard]] std::vector<Row> rowsOf(const std::vector<Example>& examples, double largest) const;
    [[nodiscard]] bool meets(const LearnedCriteria& learned, std::uint32_t node) const;
    [[nodiscard]] LearnedCriteria learn(const std::vector<Example>& examples, const JobControl& control) const;

    std::shared_ptr<const ComponentTree> tree_;
    CriteriaLearner::Columns columns_;
    std::shared_ptr<const AttributeColumn> area_;
    std::optional<ValueMapping> mapping_;
    LearnedSize sizes_;
    std::vector<Example> examples_;
    LearnedCriteria learned_;
    bool hasLearned_ = false;
};

} // namespace pollard
