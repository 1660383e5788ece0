#include "parts/part_job.hpp"

#include "attributes/attribute_table.hpp"
#include "attributes/volume_table.hpp"
#include "base/error.hpp"
#include "filter/criterion_bounds.hpp"
#include "filter/filter_columns.hpp"
#include "filter/rule_passes.hpp"
#include "parts/node_values.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace pollard {

namespace {

bool meets(const Criterion& criterion, const NodeValue& value) {
    return std::visit(
        [&]<class T>(T number) {
            const CriterionBounds<T> bounds = boundsOf<T>(criterion);
            return !bounds.empty && number >= bounds.minimum && number <= bounds.maximum;
        },
        value);
}

void addNeeds(PartJob& job, AttributeId id) {
    job.needs.add(needsOf(id));
    if (id == AttributeId::depth) {
        job.values.depth = true;
    }
    if (const auto measure = measureOf(id)) {
        job.values.extinction[static_cast<std::size_t>(*measure)] = true;
    }
}

} // namespace

bool isMeasuredInParts(AttributeId id, bool isVolume) noexcept {
    if (id == AttributeId::stability || id == AttributeId::entropy) {
        return false;
    }
    if (!isVolume) {
        return isMeasured(id, false);
    }
    switch (id) {
    case AttributeId::area:
    case AttributeId::width:
    case AttributeId::heightPx:
    case AttributeId::slicesPx:
    case AttributeId::level:
    case AttributeId::contrast:
    case AttributeId::height:
    case AttributeId::volume:
    case AttributeId::sum:
    case AttributeId::mean:
    case AttributeId::variance:
    case AttributeId::children:
    case AttributeId::descendants:
    case AttributeId::leaves:
    case AttributeId::depth:
    case AttributeId::dynamics:
    case AttributeId::extinctionArea:
    case AttributeId::extinctionVolume:
        return true;
    default:
        return false;
    }
}

std::string partProblem(const FilterSpec& filter, bool isVolume) {
    for (const Criterion& criterion : filter.criteria) {
        if (std::string problem = measureProblem(criterion.attribute, isVolume); !problem.empty()) {
            return problem;
        }
        if (!isMeasuredInParts(criterion.attribute, isVolume)) {
            return "attribute '" + std::string(attributeInfo(criterion.attribute).name) +
                   "': not measured in parts of a " + (isVolume ? "volume" : "picture");
        }
    }
    if (!filter.removed.empty() || !filter.kept.empty() || !filter.only.empty()) {
        return "components are not picked by hand in parts of a picture";
    }
    return {};
}

std::optional<Prominence> measureOf(AttributeId id) noexcept {
    switch (id) {
    case AttributeId::dynamics:
        return Prominence::dynamics;
    case AttributeId::extinctionArea:
        return Prominence::extinctionArea;
    case AttributeId::extinctionVolume:
        return Prominence::extinctionVolume;
    default:
        return std::nullopt;
    }
}

bool dependsOnAncestors(AttributeId id) noexcept { return id == AttributeId::depth || measureOf(id).has_value(); }

bool isKnownAtClosing(AttributeId id, bool isVolume) noexcept {
    return isMeasuredInParts(id, isVolume) && !dependsOnAncestors(id);
}

SummaryNeeds PartJob::ruleNeeds() const noexcept {
    SummaryNeeds rule;
    if (filter.rule == Rule::viterbi) {
        rule.add<Excess>();
    }
    if (filter.rule == Rule::max) {
        rule.add<AnyMeets>();
    }
    return rule;
}

PartJob partJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity, FilterSpec filter) {
    requirePixels(filter);
    if (const std::string problem = partProblem(filter, grid.whole().isVolume()); !problem.empty()) {
        throw Error(ErrorCode::invalidArgument, problem);
    }
    PartJob job{grid, type, kind, connectivityIn(grid.whole(), connectivity), std::move(filter), {}, {}, {}};
    for (const Criterion& criterion : job.filter.criteria) {
        addNeeds(job, criterion.attribute);
    }
    if (job.filter.prominent) {
        addNeeds(job, attributeOf(job.filter.prominent->measure));
    }
    if (!job.decidesUpwards()) {
        job.needs.add(job.ruleNeeds());
    }
    if (job.filter.output == Output::labels) {
        job.needs.add<FirstPixel>();
    }
    return job;
}

PartJob measuringJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity,
                     std::vector<AttributeId> measured) {
    PartJob job = partJob(grid, type, kind, connectivity, {});
    const bool isVolume = grid.whole().isVolume();
    for (const AttributeId id : measured) {
        requireMeasured(id, isVolume);
        if (!isKnownAtClosing(id, isVolume)) {
            throw Error(ErrorCode::invalidArgument, "attribute '" + std::string(attributeInfo(id).name) +
                                                        "': not measured in parts of a " +
                                                        (isVolume ? "volume" : "picture"));
        }
        job.needs.add(needsOf(id));
    }
    job.measured = std::move(measured);
    return job;
}

void measureNode(const PartJob& job, const Summaries& summaries, std::size_t node, std::uint16_t height,
                 std::uint16_t parentHeight, std::span<double> values) {
    const NodeValues all(job, summaries, node, height, parentHeight);
    std::ranges::transform(job.measured, values.begin(), [&](AttributeId id) {
        return std::visit([](auto value) { return static_cast<double>(value); }, all.of(id));
    });
}

bool meetsCriteria(const PartJob& job, const Summaries& summaries, std::size_t node, std::uint16_t height,
                   std::uint16_t parentHeight) {
    const std::vector<Criterion>& criteria = job.filter.criteria;
    if (criteria.empty()) {
        return true;
    }
    const NodeValues values(job, summaries, node, height, parentHeight);
    const bool all = job.filter.match == Match::all;
    const auto meetsOne = [&](const Criterion& criterion) {
        return dependsOnAncestors(criterion.attribute) ? all : meets(criterion, values.of(criterion.attribute));
    };
    return all ? std::ranges::all_of(criteria, meetsOne) : std::ranges::any_of(criteria, meetsOne);
}

std::uint8_t decideByRule(Rule rule, bool meets, Summaries& summaries, std::size_t node) noexcept {
    bool kept = meets;
    if (rule == Rule::max) {
        std::uint8_t& any = summaries.of<AnyMeets>()[node];
        AnyMeets::join(any, meets ? 1 : 0);
        kept = any != 0;
    } else if (rule == Rule::viterbi) {
        std::int64_t& excess = summaries.of<Excess>()[node];
        excess += excessAlone(meets ? 1 : 0);
        kept = excess <= 0;
        excess = std::min<std::int64_t>(excess, 0);
    }
    return static_cast<std::uint8_t>((kept ? NodeBits::kKept : 0) | (meets ? NodeBits::kMeets : 0));
}

std::uint8_t closeNode(const PartJob& job, Summaries& summaries, std::size_t node, std::uint16_t height,
                       std::uint16_t parentHeight) {
    if (summaries.has<Peak>()) {
        Peak::join(summaries.of<Peak>()[node], height);
    }
    if (summaries.has<LeafCount>()) {
        std::uint64_t& leaves = summaries.of<LeafCount>()[node];
        leaves = std::max<std::uint64_t>(leaves, 1);
    }
    const bool meets = meetsCriteria(job, summaries, node, height, parentHeight);
    if (!job.values.any()) {
        return decideByRule(job.filter.rule, meets, summaries, node);
    }
    const NodeValues values(job, summaries, node, height, parentHeight);
    for (const Prominence measure : kAllProminences) {
        if (job.values.has(measure)) {
            LeafMeasure& best = summaries.bestLeaf(measure)[node];
            const bool isLeaf = best.leaf == LeafMeasure::kNoLeaf;
            best = {values.of(measure), isLeaf ? summaries.of<LastPixel>()[node] : best.leaf};
        }
    }
    return meets ? NodeBits::kMeets : 0;
}

void handToParent(Summaries& summaries, std::size_t parent, const Summaries& from, std::size_t node) noexcept {
    summaries.forEachColumn([&]<class Kind>(Kind, Buffer<typename Kind::Value>& column) {
        if constexpr (std::is_same_v<Kind, ClosedChildren>) {
            ++column[parent];
        } else if constexpr (!std::is_same_v<Kind, LastPixel>) {
            Kind::join(column[parent], from.of<Kind>()[node]);
            if constexpr (std::is_same_v<Kind, NodeCount>) {
                ++column[parent];
            }
        }
    });
}

NodeResult resultOf(Rule rule, std::uint8_t bits, std::uint16_t height, std::uint64_t first, std::uint16_t parentHeight,
                    const NodeResult* parent) noexcept {
    const bool kept = (bits & NodeBits::kKept) != 0;
    if (parent == nullptr) {
        // The root stays; it counts as a component only if the rule keeps it.
        const bool counts = rule == Rule::viterbi ? (bits & NodeBits::kMeets) != 0 : kept;
        const bool stays = rule == Rule::viterbi || kept;
        return {height,
                static_cast<std::uint8_t>((stays ? NodeResult::kStays : 0) | (counts ? NodeResult::kMarked : 0)),
                counts ? first : NodeResult::kNone};
    }
    const bool prunes = rule == Rule::min || rule == Rule::viterbi;
    const bool stays = kept && (!prunes || (parent->flags & NodeResult::kStays) != 0);
    const bool inside = (parent->flags & NodeResult::kMarked) != 0;
    NodeResult result;
    if (rule == Rule::subtractive) {
        result.height = static_cast<std::uint16_t>(parent->height + (stays ? height - parentHeight : 0));
    } else {
        result.height = stays ? height : parent->height;
    }
    result.flags =
        static_cast<std::uint8_t>((stays ? NodeResult::kStays : 0) | (stays || inside ? NodeResult::kMarked : 0));
    result.component = inside ? parent->component : stays ? first : NodeResult::kNone;
    return result;
}

} // namespace pollard
