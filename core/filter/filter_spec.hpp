#pragma once

#include "attributes/attribute.hpp"
#include "base/stage_timer.hpp"
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
    /// Of the bounds: squared for areas, see dimensionOf(). Engines take bounds in pixels only, see inPixels().
    LengthUnit unit = LengthUnit::pixel;

    bool operator==(const Criterion&) const = default;
};

/// Reads `area>=100`, `area<=100`, `10<=area<=100`, `area>99`, `area<101`, `area==5`, blanks allowed. Strict bounds are
/// exact for integral attributes (the next integer) and the next representable double for others and for bounds with a
/// unit. A unit may stand behind a bound, `area>15um2`, `1mm<=width<=20mm`, see unitAtStart(): a length behind those of
/// attributes that are lengths, its square or ha behind those that are areas; both bounds have one, and of two that
/// differ the second is converted to the first.
/// @throws Error(invalidArgument) naming the text and what is wrong with it
[[nodiscard]] Criterion parseCriterion(std::string_view text);
/// Canonical text that parseCriterion reads back to the same criterion: inclusive bounds, shortest numbers,
/// e.g. `area>=100`, `area<=100`, `10<=area<=100`, `area==5`; `area>=-inf` if there is no bound. Bounds with a unit
/// are strict where they were: `area>15um2`.
[[nodiscard]] std::string toString(const Criterion& criterion);

/// How several criteria are joined.
enum class Match : std::uint8_t { all, any };
inline constexpr std::array kAllMatches{Match::all, Match::any};

/// What a removed node means for the nodes around it; the root is always kept.
enum class Rule : std::uint8_t {
    direct,  ///< pixels of a removed node get the level of the nearest kept ancestor
    min,     ///< keep a node only if it and all its ancestors, the root too, meet the criteria (prunes)
    max,     ///< keep a node if it or any descendant meets them
    viterbi, ///< of all prunings (a kept node's ancestors are kept) the one that changes the fewest decisions of the
             ///< criteria; of several the one that keeps most (Salembier, Oliveras, Garrido 1998)
    subtractive, ///< as direct, but what is kept above a removed node is lowered by the contrast that was removed
                 ///< (Urbach, Wilkinson 2002)
};
inline constexpr std::array kAllRules{Rule::direct, Rule::min, Rule::max, Rule::viterbi, Rule::subtractive};

/// What a filter writes.
enum class Output : std::uint8_t {
    filtered, ///< the picture rebuilt from the kept nodes
    residue,  ///< what was removed: |f - filtered| (top-hat)
    mask,     ///< full scale where a component that the rule keeps holds the pixel (the root counts only if the
              ///< rule keeps it for its own sake), else 0
    labels,   ///< the number of the maximal kept component that holds the pixel, as Session::labels() numbers them;
              ///< in an image of the open image's type n becomes 1 + (n - 1) mod the largest level; 0 = none
};
inline constexpr std::array kAllOutputs{Output::filtered, Output::residue, Output::mask, Output::labels};

/// How prominent a regional extremum (a leaf of the tree) is; the names are those of the attributes.
enum class Prominence : std::uint8_t { dynamics, extinctionArea, extinctionVolume };
inline constexpr std::array kAllProminences{Prominence::dynamics, Prominence::extinctionArea,
                                            Prominence::extinctionVolume};

/// The leaves with the largest measure; of equal ones those with the smaller canonical pixel index.
struct Prominent {
    Prominence measure = Prominence::dynamics;
    std::uint32_t count = 0; ///< more than there are: all leaves

    bool operator==(const Prominent&) const = default;
};

struct FilterSpec {
    std::vector<Criterion> criteria; ///< none: every node is kept
    Match match = Match::all;
    Rule rule = Rule::direct;
    Output output = Output::filtered;
    /// If set, a node must hold one of these leaves as well, whatever @ref match says.
    std::optional<Prominent> prominent;
    /// Nodes picked by hand, named by the index y * width + x of their canonical pixel, which stays the same when the
    /// tree is built again. An index that names no node is ignored and counted in FilterReport::unknownPicks.
    /// A removed node goes with everything in it, after the rule has decided, so nothing outside it changes.
    std::vector<std::uint32_t> removed;
    /// A kept node stays whatever the criteria and prominence say, and under a rule that prunes (min, viterbi; max does
    /// so by itself) its ancestors stay too. One that lies in a removed node goes.
    std::vector<std::uint32_t> kept;
    /// Unless empty, what lies in none of these nodes goes (the root apart), after the rule has decided, so nothing
    /// inside them is decided otherwise. An index that names no node holds nothing.
    std::vector<std::uint32_t> only;

    bool operator==(const FilterSpec&) const = default;
};

struct FilterReport {
    std::uint64_t keptNodes = 0;
    std::uint64_t removedNodes = 0;
    std::uint64_t changedPixels = 0; ///< pixels whose filtered value differs from the image (whatever the output)
    std::uint32_t unknownPicks = 0;  ///< entries of FilterSpec::removed, kept and only that name no node of the tree
    std::vector<StageTime> stages;
    double milliseconds = 0;
};

/// Names used by CLI, recipes and settings: "direct", "all", "residue" ...
[[nodiscard]] std::string_view nameOf(Rule rule) noexcept;
[[nodiscard]] std::string_view nameOf(Match match) noexcept;
[[nodiscard]] std::string_view nameOf(Output output) noexcept;
[[nodiscard]] std::string_view nameOf(Prominence measure) noexcept;

} // namespace pollard
