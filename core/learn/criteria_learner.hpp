#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/value_mapping.hpp"
#include "learn/rank_scale.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// A component that a person wants to keep or to drop.
struct Example {
    std::uint32_t node = 0;
    bool keep = false;

    bool operator==(const Example&) const = default;
};

/// Criteria that follow from examples.
struct LearnedCriteria {
    std::vector<Criterion> criteria;  ///< all of which must be met, in px and values of the image
    std::vector<std::size_t> columns; ///< of CriteriaLearner, one for each criterion
    /// Smallest distance of a dropped example from the interval of the kept ones, as a part of the ranks, 0..1.
    double margin = 0;
    Forest forest;              ///< of ForestLearner, beside a criterion of the area
    std::vector<Example> wrong; ///< examples that criteria and forest decide otherwise, in the order of the examples

    bool operator==(const LearnedCriteria&) const = default;
};

/// A component near a bound of the criteria.
struct UnsureNode {
    std::uint32_t node = 0;
    bool isKept = false;       ///< by the criteria
    double distance = 0;       ///< to the nearest bound that decides, as a part of the ranks, 0..1
    std::size_t criterion = 0; ///< of LearnedCriteria, with this bound
};

/// Whether criteria bound the area in any case, if it is among their attributes: from between half of the smallest kept
/// example and it, to between the largest one and twice that. Few components are small specks or large surroundings
/// then, of which a person gives no examples.
enum class LearnedSize : std::uint8_t { ofKept, any };

/// The attributes that criteria are learned from unless others are chosen: all but places in the image, angles, Hu's
/// moments after the first, and places in the tree, which another image does not share or a person cannot read.
[[nodiscard]] std::vector<AttributeId> attributesToLearn(bool isVolume);

using LearnedColumns = std::vector<std::shared_ptr<const AttributeColumn>>;
/// @throws Error(invalidArgument) without columns or for columns of other sizes
void requireColumnsToLearn(const LearnedColumns& columns, std::size_t nodes);

/// @throws Error(outOfMemory) if columns of @p attributes attributes need more memory than is free
void requireMemoryToLearn(std::uint64_t nodes, std::size_t attributes);

/// Examples and further ones; the last example of a node counts.
/// @throws Error(invalidArgument) for a node that does not exist
[[nodiscard]] std::vector<Example> withExamples(std::vector<Example> examples, std::span<const Example> further,
                                                std::size_t nodes);
/// Whether there are examples to keep and to drop.
[[nodiscard]] bool hasBothKinds(std::span<const Example> examples) noexcept;

/// Finds the simplest criteria that keep some examples and drop others: the fewest intervals that span all kept
/// examples and leave out all dropped ones, at most kMostCriteria, by an exact search; of equally many those with the
/// largest margin on a RankScale, then earlier columns. A bound is a shortBound() between the outermost kept
/// example and the nearest dropped one that it must leave out; a side that leaves out none is open. If no criteria
/// decide all examples rightly, those that drop the most. Values that differ by less than 1e-9 of their size are
/// equal, and an attribute that an example does not have is not used. With
/// LearnedSize::ofKept the area is always one of the attributes; examples of about the kept size are left out by
/// others.
///
/// Examples that the criteria decide rightly change nothing.
class CriteriaLearner {
public:
    static constexpr std::size_t kMostCriteria = 3;
    using Columns = LearnedColumns;

    /// @param columns of one tree, without equal attributes
    /// @param mapping of the image's levels; unset: levels are values
    /// @throws Error(invalidArgument) without columns or for columns of other sizes than the areas; Cancelled
    CriteriaLearner(Columns columns, std::shared_ptr<const AttributeColumn> area, std::optional<ValueMapping> mapping,
                    LearnedSize sizes, const JobControl& control = {});

    /// Adds examples and learns from all if the criteria decide one of the new ones wrongly, or once there are examples
    /// of both kinds. Of examples with the same node the last counts.
    /// @return whether the criteria were learned anew
    /// @throws Error(invalidArgument) for a node that does not exist; Cancelled, and then nothing has changed
    bool add(std::span<const Example> examples, const JobControl& control = {});

    [[nodiscard]] const std::vector<Example>& examples() const noexcept { return examples_; }
    /// Whether there are examples of both kinds, without which there are no criteria.
    [[nodiscard]] bool hasLearned() const noexcept { return hasLearned_; }
    [[nodiscard]] const LearnedCriteria& learned() const noexcept { return learned_; }
    /// Whether the criteria keep a node.
    [[nodiscard]] bool keeps(std::uint32_t node) const;

    /// The nodes next to a bound, the nearest first: of disjoint components that are neither smaller than half of the
    /// smallest example nor larger than twice the largest one, nor nested with an example of at most twice or at least
    /// half of their area. Empty without criteria.
    /// @param tree of the columns
    /// @throws Cancelled
    [[nodiscard]] std::vector<UnsureNode> leastSure(const ComponentTree& tree, std::size_t count,
                                                    const JobControl& control = {}) const;

private:
    /// The bounds of a criterion; infinite without one. Values are farther from both than a distance at least if they
    /// are at most `beyondLow` or at least `beyondHigh`, or from `insideLow` to `insideHigh`; NaN without such values.
    struct RankBounds {
        double low;
        double high;
        double beyondLow;
        double beyondHigh;
        double insideLow;
        double insideHigh;
    };
    [[nodiscard]] double valueAt(std::size_t column, std::uint32_t node) const;
    [[nodiscard]] bool meets(const LearnedCriteria& learned, std::uint32_t node) const;
    [[nodiscard]] LearnedCriteria learn(const std::vector<Example>& examples, const JobControl& control) const;
    [[nodiscard]] std::vector<RankBounds> boundsWithin(double distance) const;
    [[nodiscard]] std::optional<UnsureNode> nearBound(std::uint32_t node, std::span<const RankBounds> bounds) const;
    /// The nodes of about the size of the examples within a distance of a bound, in any order.
    [[nodiscard]] std::vector<UnsureNode> unsureWithin(double distance, const JobControl& control) const;
    /// As leastSure(), of these nodes.
    [[nodiscard]] std::vector<UnsureNode> nearestApart(std::vector<UnsureNode> nodes, const ComponentTree& tree,
                                                       std::size_t count) const;

    Columns columns_;
    std::shared_ptr<const AttributeColumn> area_;
    std::optional<ValueMapping> mapping_;
    LearnedSize sizes_;
    std::vector<RankScale> scales_; ///< per column
    std::vector<Example> examples_;
    LearnedCriteria learned_;
    bool hasLearned_ = false;
};

} // namespace pollard
