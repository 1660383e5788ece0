#include "components/best/best_cut.hpp"

#include "base/error.hpp"

#include <compare>
#include <string>

namespace pollard {

namespace {

/// Value of a choice: the number of forced regions in it counts more than any sum of scores.
struct CutValue {
    std::uint32_t forced = 0;
    std::int64_t sum = 0;

    CutValue& operator+=(const CutValue& other) noexcept {
        forced += other.forced;
        sum += other.sum;
        return *this;
    }
    auto operator<=>(const CutValue&) const = default; // NOLINT(modernize-use-nullptr): of the generated code
};

enum class Take : std::uint8_t { none, region, nested, parts };
/// Constraints of a region.
struct CutRule {
    std::uint32_t forced = 0; ///< how often
    bool isForbidden = false;
};

std::vector<CutRule> rulesOf(std::size_t count, const CutConstraints& constraints) {
    std::vector<CutRule> rules(count);
    const auto ruleOf = [&](std::uint32_t region) -> CutRule& {
        if (region >= count) {
            throw Error(ErrorCode::invalidArgument,
                        "best cut: there is no region " + std::to_string(region) + " of " + std::to_string(count));
        }
        return rules[region];
    };
    for (const std::uint32_t region : constraints.forbidden) {
        ruleOf(region).isForbidden = true;
    }
    for (const std::uint32_t region : constraints.forced) {
        ++ruleOf(region).forced;
    }
    return rules;
}

} // namespace

std::vector<std::uint32_t> bestCut(const CutForest& forest, std::span<const std::int64_t> scores,
                                   const CutConstraints& constraints, const JobControl& control) {
    constexpr std::size_t kBetweenChecks = 1U << 16U;
    const std::size_t n = forest.size();
    const std::vector<CutRule> rules = rulesOf(n, constraints);
    std::vector<CutValue> nested(n);
    std::vector<CutValue> parts(n);
    std::vector<Take> takes(n, Take::none);
    for (std::size_t i = n; i-- > 0;) {
        if (i % kBetweenChecks == 0) {
            control.throwIfStopped();
        }
        CutValue best;
        if (parts[i] > best) {
            best = parts[i];
            takes[i] = Take::parts;
        }
        if (nested[i] > CutValue{} && nested[i] >= best) {
            best = nested[i];
            takes[i] = Take::nested;
        }
        const CutValue own{rules[i].forced, scores[i]};
        if ((own.forced != 0 || !rules[i].isForbidden) && own > CutValue{} && own >= best) {
            best = own;
            takes[i] = Take::region;
        }
        if (const std::uint32_t parent = forest.parent[i]; parent != CutForest::kNone) {
            (forest.isPart[i] != 0 ? parts : nested)[parent] += best;
        }
    }
    std::vector<std::uint32_t> chosen;
    std::vector<std::uint8_t> reached(n); // by the takes of the regions around
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t parent = forest.parent[i];
        const Take through = forest.isPart[i] != 0 ? Take::parts : Take::nested;
        reached[i] = parent == CutForest::kNone || (reached[parent] != 0 && takes[parent] == through) ? 1 : 0;
        if (reached[i] != 0 && takes[i] == Take::region) {
            chosen.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return chosen;
}

std::vector<std::uint32_t> regionsBeside(const CutForest& forest, std::span<const std::uint32_t> chosen) {
    const std::size_t n = forest.size();
    std::vector<std::uint8_t> hasNested(n); // chosen ones within the nested regions
    std::vector<std::uint8_t> hasParts(n);
    std::vector<std::uint8_t> isTaken(n); // chosen; then also within a chosen one or in the other set of regions
    for (const std::uint32_t region : chosen) {
        isTaken[region] = 1;
    }
    const auto holds = [&](std::size_t i) { return hasNested[i] != 0 || hasParts[i] != 0; };
    for (std::size_t i = n; i-- > 0;) {
        const std::uint32_t parent = forest.parent[i];
        if (parent != CutForest::kNone && (isTaken[i] != 0 || holds(i))) {
            (forest.isPart[i] != 0 ? hasParts : hasNested)[parent] = 1;
        }
    }
    std::vector<std::uint32_t> beside;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t parent = forest.parent[i];
        if (parent != CutForest::kNone) {
            const bool isOther = (forest.isPart[i] != 0 ? hasNested : hasParts)[parent] != 0;
            isTaken[i] = isTaken[i] != 0 || isTaken[parent] != 0 || isOther ? 1 : 0;
        }
        if (isTaken[i] == 0 && !holds(i)) {
            beside.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return beside;
}

} // namespace pollard
