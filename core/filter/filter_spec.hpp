#pragma once

#include "attributes/attribute.hpp"
#include "base/stage_timer.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// minimum <= attribute <= maximum; a value equal to a bound meets it, NaN meets nothing.
struct Criterion {
    AttributeId attribute = AttributeId::area;
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();

    bool operator==(const Criterion&) const = default;
};

/// Reads `area>=100`, `area<=100`, `10<=area<=100`, `area>99`, `area<101`, `area==5`, blanks allowed. Strict bounds are
/// exact for integral attributes (the next integer) and the next representable double for others.
/// @throws Error(invalidArgument) naming the text and what is wrong with it
[[nodiscard]] Criterion parseCriterion(std::string_view text);
/// Canonical text that parseCriterion reads back to the same criterion: inclusive bounds, shortest numbers,
/// e.g. `area>=100`, `area<=100`, `10<=area<=100`, `area==5`; `area>=-inf` if there is no bound.
[[nodiscard]] std::string toString(const Criterion& criterion);

/// How several criteria are joined.
enum class Match : std::uint8_t { all, any };

/// What a removed node means for the nodes around it; the root is always kept.
enum class Rule : std::uint8_t {
    direct, ///< pixels of a removed node get the level of the nearest kept ancestor
    min,    ///< keep a node only if it and all its ancestors, the root too, meet the criteria (prunes)
    max,    ///< keep a node if it or any descendant meets them
};

/// What a filter writes.
enum class Output : std::uint8_t {
    filtered, ///< the picture rebuilt from the kept nodes
    residue,  ///< what was removed: |f - filtered| (top-hat)
    mask,     ///< full scale where a component that the rule keeps holds the pixel (the root counts only if the
              ///< rule keeps it for its own sake), else 0
};

struct FilterSpec {
    std::vector<Criterion> criteria; ///< none: every node is kept
    Match match = Match::all;
    Rule rule = Rule::direct;
    Output output = Output::filtered;

    bool operator==(const FilterSpec&) const = default;
};

struct FilterReport {
    std::uint64_t keptNodes = 0;
    std::uint64_t removedNodes = 0;
    std::uint64_t changedPixels = 0; ///< pixels whose filtered value differs from the image (whatever the output)
    std::vector<StageTime> stages;
    double milliseconds = 0;
};

/// Names used by CLI, recipes and settings: "direct", "all", "residue" ...
[[nodiscard]] std::string_view nameOf(Rule rule) noexcept;
[[nodiscard]] std::string_view nameOf(Match match) noexcept;
[[nodiscard]] std::string_view nameOf(Output output) noexcept;

} // namespace pollard
