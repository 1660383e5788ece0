#include "parts/part_values.hpp"

#include "base/error.hpp"
#include "filter/filter_columns.hpp"

#include <algorithm>
#include <string>

namespace pollard {

PartValues::PartValues(const ValueNeeds& needs, std::size_t nodes, const LeafMeasure& last)
    : depth(needs.depth ? nodes : 0), count(nodes), lastProminent(last) {
    for (const Prominence measure : kAllProminences) {
        if (needs.has(measure)) {
            extinction[static_cast<std::size_t>(measure)] = Buffer<LeafMeasure>(nodes);
        }
    }
}

void PartValues::copy(std::size_t to, const PartValues& from, std::size_t node) noexcept {
    for (std::size_t k = 0; k < kMeasures; ++k) {
        if (!extinction[k].empty()) {
            extinction[k][to] = from.extinction[k][node];
        }
    }
    if (!depth.empty()) {
        depth[to] = from.depth[node];
    }
}

void requireValues(const PartValues& values, std::size_t count) {
    if (values.count != count) {
        throw Error(ErrorCode::invalidArgument, "values of a part: " + std::to_string(values.count) + " for " +
                                                    std::to_string(count) + " open nodes");
    }
}

AncestorCriteria::AncestorCriteria(const PartJob& job) : all_(job.filter.match == Match::all) {
    for (const Criterion& criterion : job.filter.criteria) {
        if (dependsOnAncestors(criterion.attribute)) {
            bounds_.push_back({measureOf(criterion.attribute), boundsOf<std::uint64_t>(criterion)});
        }
    }
    if (job.filter.prominent) {
        prominent_ = job.filter.prominent->measure;
    }
}

bool AncestorCriteria::meet(bool others, const PartValues& values, std::size_t node) const noexcept {
    const auto extinctionOf = [&](Prominence measure) -> const LeafMeasure& {
        return values.extinction[static_cast<std::size_t>(measure)][node];
    };
    const auto isWithin = [&](const Bounds& bounds) {
        const std::uint64_t value = bounds.measure ? extinctionOf(*bounds.measure).measure : values.depth[node];
        return !bounds.interval.empty && value >= bounds.interval.minimum && value <= bounds.interval.maximum;
    };
    const bool meets =
        all_ ? others && std::ranges::all_of(bounds_, isWithin) : others || std::ranges::any_of(bounds_, isWithin);
    // A component contains a chosen leaf if its surviving leaf is one. The value of any other leaf is the measure of a
    // component inside it that did not survive: not larger than the measure, and so the value, of the one that survived
    // there; if equal, then with a larger pixel.
    return meets && (!prominent_ || !values.lastProminent.isBefore(extinctionOf(*prominent_)));
}

} // namespace pollard
