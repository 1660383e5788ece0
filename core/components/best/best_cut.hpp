#pragma once

#include "base/job_control.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Regions of an image, each within at most one other. A region has two alternative sets of regions within it: nested
/// ones and parts. Regions of one set are disjoint; a nested region and a part may overlap. A parent comes before the
/// regions within it.
struct CutForest {
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    std::vector<std::uint32_t> parent; ///< kNone: within no other
    std::vector<std::uint8_t> isPart;  ///< of its parent; else it is nested

    [[nodiscard]] std::size_t size() const noexcept { return parent.size(); }
};

/// Regions that a choice has to contain or to leave out. Of forced regions that overlap, as many as possible are
/// chosen; a region that is listed several times counts as often. A forced region may be chosen though it is forbidden.
struct CutConstraints {
    std::vector<std::uint32_t> forced;
    std::vector<std::uint32_t> forbidden;

    bool operator==(const CutConstraints&) const = default;
};

/// The disjoint regions with the highest sum of scores, ascending; a region without a positive score is only chosen if
/// it is forced. At equal sums the larger region is chosen, else the nested ones, else the parts. One pass from the
/// leaves to the roots, O(regions) for any height:
///
///     best(v) = max(0, score(v), sum of best(nested regions), sum of best(parts))
///
/// Numbers are whole, so the result is exact. (The recursion of optimal cuts of trees: Guigues, Cocquerez, Le Men,
/// "Scale-sets image analysis", 2006; for disjoint regions Arteta et al., "Learning to detect cells using
/// non-overlapping extremal regions", 2012)
/// @param scores per region, magnitudes at most 2^40
/// @throws Error(invalidArgument) for constraints on other regions; Cancelled
[[nodiscard]] std::vector<std::uint32_t> bestCut(const CutForest& forest, std::span<const std::int64_t> scores,
                                                 const CutConstraints& constraints = {},
                                                 const JobControl& control = {});

/// The regions that may be added to a choice, ascending: which no chosen region contains or lies in, and which are not
/// in the other set of regions around a chosen one. O(regions).
/// @param chosen regions of one choice
[[nodiscard]] std::vector<std::uint32_t> regionsBeside(const CutForest& forest, std::span<const std::uint32_t> chosen);

} // namespace pollard
