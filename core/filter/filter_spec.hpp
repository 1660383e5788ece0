#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/length_unit.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// minimum <= attribute <= maximum; a value equal to a bound meets it, NaN meets nothing.
struct Criterion {
    AttributeId attribute = AttributeId::area;
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    /// Unit of the bounds, squared for areas, see dimensionOf(). Engines take pixels only, see inPixels().
    LengthUnit unit = LengthUnit::pixel;
    /// Scale of the bounds of an attribute of grey levels: empty for values of the image, their unit ("HU"), or
    /// kLevels. Engines take bounds of AttributeColumn only, see inPixels().
    std::string grey = {};
    /// Whether the unit is cubed: a number of voxels as a volume, in volumes only.
    bool cubed = false;

    bool operator==(const Criterion&) const = default;
};
inline constexpr std::string_view kLevels = "levels";

/// Dimension of the bounds' unit.
[[nodiscard]] inline Dimension dimensionOf(const Criterion& criterion) noexcept {
    return criterion.cubed ? Dimension::volume : attributeInfo(criterion.attribute).dimension;
}

/// Parses `area>=100`, `area<=100`, `10<=area<=100`, `area>99`, `area<101`, `area==5`; blanks are allowed. A strict
/// bound means the next integer for integral attributes, the next double for others, for bounds with a unit and for
/// attributes of grey levels. A unit
/// may follow a bound, `area>15um2`, `1mm<=width<=20mm`, see unitAtStart(): a length for attributes that are lengths,
/// its square or ha for areas, its cube for numbers of voxels, `area>20mm3`; the unit of the values, or `levels`, for
/// attributes of grey levels. Either both bounds have a unit or none; the second is converted to the first's.
/// @throws Error(invalidArgument) naming the text and the problem
[[nodiscard]] Criterion parseCriterion(std::string_view text);
/// Canonical text that parseCriterion() parses to an equal criterion: inclusive bounds, shortest numbers, e.g.
/// `area>=100`, `area<=100`, `10<=area<=100`, `area==5`; `area>=-inf` without bounds. Strict bounds with a unit, or of
/// grey levels, stay strict: `area>15um2`.
[[nodiscard]] std::string toString(const Criterion& criterion);

/// How criteria are combined.
enum class Match : std::uint8_t { all, any };
inline constexpr std::array kAllMatches{Match::all, Match::any};

/// How the removal of a node affects other nodes; the root is always kept.
enum class Rule : std::uint8_t {
    direct,  ///< pixels of a removed node get the level of the nearest kept ancestor
    min,     ///< keeps a node only if it and all its ancestors, including the root, meet the criteria (prunes)
    max,     ///< keeps a node if it or a descendant meets them
    viterbi, ///< the pruning (ancestors of kept nodes are kept) that changes the fewest decisions of the criteria; at a
             // /< tie the largest one (Salembier, Oliveras, Garrido 1998)
    subtractive, ///< as direct, and the descendants of a removed node are lowered by its contrast (Urbach, Wilkinson
                 ///< 2002)
};
inline constexpr std::array kAllRules{Rule::direct, Rule::min, Rule::max, Rule::viterbi, Rule::subtractive};

/// Names and explanations of a rule.
struct RuleInfo {
    const char* name;     ///< "direct": on command lines and in files
    const char* title;    ///< in the window
    const char* details;  ///< tool tip
    const char* help;     ///< of the command line
    const char* exercise; ///< sentence of an exercise of the grid lab
};
[[nodiscard]] const RuleInfo& ruleInfo(Rule rule) noexcept;

/// Result image of a filter.
enum class Output : std::uint8_t {
    filtered, ///< image reconstructed from the kept nodes
    residue,  ///< removed part: |f - filtered| (top-hat)
    mask,     ///< full scale for pixels in a component that the rule keeps (the root only if the rule itself keeps it),
              ///< else 0
    labels,   ///< label of the maximal kept component that contains the pixel, as in Session::labels(), 0 = none; in an
              ///< image of the input's type label n becomes 1 + (n - 1) mod the largest level
};
inline constexpr std::array kAllOutputs{Output::filtered, Output::residue, Output::mask, Output::labels};

/// Prominence measure of a regional extremum (a leaf of the tree), named as its attribute.
enum class Prominence : std::uint8_t { dynamics, extinctionArea, extinctionVolume };
inline constexpr std::array kAllProminences{Prominence::dynamics, Prominence::extinctionArea,
                                            Prominence::extinctionVolume};

/// The leaves with the largest measure; at a tie the leaves with smaller canonical pixel indices.
struct Prominent {
    Prominence measure = Prominence::dynamics;
    std::uint32_t count = 0; ///< all leaves if there are fewer

    bool operator==(const Prominent&) const = default;
};

/// A question of a decision tree about a component.
struct ForestNode {
    static constexpr std::uint32_t kKeep = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t kDrop = kKeep - 1;

    Criterion condition;
    /// 1: the attribute of the component itself. Else relativeTo() the smallest component around it with at least this
    /// multiple of its area, or to the root if there is none.
    std::uint32_t around = 1;
    std::uint32_t met = kKeep;       ///< if the condition is met: kKeep, kDrop or the number of a later question
    std::uint32_t otherwise = kDrop; ///< the same if it is not

    bool operator==(const ForestNode&) const = default;
};
using DecisionTree = std::vector<ForestNode>; ///< the first question first

/// Keeps a component if more than half of the decision trees keep it. Without trees it keeps all components.
struct Forest {
    std::vector<DecisionTree> trees;

    bool operator==(const Forest&) const = default;
};

struct FilterSpec {
    std::vector<Criterion> criteria; ///< empty: keeps every node
    Match match = Match::all;
    /// Must also keep a node, for either value of @ref match.
    Forest forest;
    Rule rule = Rule::direct;
    Output output = Output::filtered;
    /// If set, a node must also contain one of these leaves, for either value of @ref match.
    std::optional<Prominent> prominent;
    /// Nodes picked by hand, identified by the index y * width + x of their canonical pixel, which is stable when the
    /// tree is rebuilt. Indices without a node are ignored and counted in FilterReport::unknownPicks. The whole
    /// components of these nodes are removed. Applied after the rule, so nothing outside them changes.
    std::vector<std::uint32_t> removed;
    /// These nodes are kept regardless of criteria and prominence. The rules min and viterbi then keep their ancestors,
    /// too, as max always does. A node inside a removed one is removed.
    std::vector<std::uint32_t> kept;
    /// If not empty, only components inside these nodes (and the root) are kept. Applied after the rule, so nothing
    /// inside them changes. Indices of no node are ignored.
    std::vector<std::uint32_t> only;

    bool operator==(const FilterSpec&) const = default;
};

/// Calls `visit(criterion)` for the criteria of a filter and the conditions of its forest.
template <class Spec, class Visit> void forEachCriterion(Spec& spec, const Visit& visit) {
    for (auto& criterion : spec.criteria) {
        visit(criterion);
    }
    for (auto& tree : spec.forest.trees) {
        for (auto& node : tree) {
            visit(node.condition);
        }
    }
}

/// Whether one of these fulfils a condition.
template <class Condition> [[nodiscard]] bool anyCriterion(const FilterSpec& spec, const Condition& fulfils) {
    bool any = false;
    forEachCriterion(spec, [&](const Criterion& criterion) { any = any || fulfils(criterion); });
    return any;
}

struct FilterReport {
    std::uint64_t keptNodes = 0;
    std::uint64_t removedNodes = 0;
    std::uint64_t changedPixels = 0; ///< pixels whose filtered value differs from the image, for any output
    std::uint32_t unknownPicks = 0;  ///< entries of FilterSpec::removed, kept and only without a node
    std::vector<StageTime> stages;
    double milliseconds = 0;
};

/// Names for the command line, recipes and settings: "direct", "all", "residue" ...
[[nodiscard]] std::string_view nameOf(Rule rule) noexcept;
[[nodiscard]] std::string_view nameOf(Match match) noexcept;
[[nodiscard]] std::string_view nameOf(Output output) noexcept;
[[nodiscard]] std::string_view nameOf(Prominence measure) noexcept;

/// Parses `dynamics:20`: name of a measure and count.
/// @throws Error(invalidArgument) naming the text and the problem
[[nodiscard]] Prominent parseProminent(std::string_view text);
/// Text that parseProminent() parses to an equal value.
[[nodiscard]] std::string toString(const Prominent& prominent);

} // namespace pollard
