#include "chunks/part_job.hpp"

#include "attributes/attribute_table.hpp"
#include "attributes/formulas.hpp"
#include "attributes/grey_values.hpp"
#include "attributes/volume_table.hpp"
#include "base/error.hpp"
#include "filter/filter_columns.hpp"
#include "filter/node_decision.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <variant>

namespace pollard {

namespace {

/// Of pixels and nodes of an image larger than memory.
using Count = std::uint64_t;

/// Summaries that an input of formulas follows from, besides PixelCount.
template <class Input> SummaryNeeds needsOf(std::type_identity<Input>) {
    SummaryNeeds needs;
    if constexpr (std::is_same_v<Input, NodeBox>) {
        needs.add<BoundingBox>();
    } else if constexpr (std::is_same_v<Input, LevelSum>) {
        needs.add<LevelTotal>();
    } else if constexpr (std::is_same_v<Input, OutlineOf<Count>>) {
        needs.add<OutlineTotals>();
    } else if constexpr (std::is_same_v<Input, BorderSums>) {
        needs.add<BorderTotals>();
    } else if constexpr (std::is_same_v<Input, IntervalOf<Count>>) {
        needs.add<NodeCount>();
    } else if constexpr (std::is_same_v<Input, FirstSums> || std::is_same_v<Input, SecondMoments>) {
        needs.add<MomentTotals>();
    } else if constexpr (std::is_same_v<Input, ThirdMoments>) {
        needs.add<MomentTotals>();
        needs.add<ThirdMomentTotals>();
    }
    return needs;
}

template <class... Summaries> struct Uses {};

/// An attribute that no formula gives: calls row(Uses<summaries ...>, its value at a NodeValues) with its row, if it
/// has one.
template <class Row> void visitSummaries(AttributeId id, Row&& row) {
    switch (id) {
    case AttributeId::slicesPx:
        return row(Uses<BoundingBox>{}, [](const auto& node) {
            const BoundingBox::Value& box = node.template at<BoundingBox>();
            return Count{box.last - box.first + 1};
        });
    case AttributeId::border:
        return row(Uses<BorderCount>{}, [](const auto& node) { return node.template at<BorderCount>(); });
    case AttributeId::height:
        return row(Uses<Peak>{}, [](const auto& node) { return node.peak(); });
    case AttributeId::variance:
        return row(Uses<LevelTotal, SquareTotal>{}, [](const auto& node) {
            return varianceOf(node.area(), node.template at<LevelTotal>(), node.template at<SquareTotal>());
        });
    case AttributeId::children:
        return row(Uses<ClosedChildren>{}, [](const auto& node) { return node.template at<ClosedChildren>(); });
    case AttributeId::leaves:
        return row(Uses<LeafCount>{}, [](const auto& node) { return node.template at<LeafCount>(); });
    default:
        break;
    }
}

/// Summaries that an attribute follows from.
SummaryNeeds needsOf(AttributeId id) {
    SummaryNeeds needs;
    needs.add<PixelCount>();
    const auto addInputs =
        [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
            Typed<Id, T, Inputs...>) { (needs.add(needsOf(std::type_identity<Inputs>{})), ...); };
    visitFormula<Count>(id, addInputs);
    visitSummaries(id, [&]<class... Used>(Uses<Used...>, auto /*value*/) { (needs.add<Used>(), ...); });
    if (const auto measure = measureOf(id)) {
        needs.add(needsOf(comparedAttribute(*measure)));
        needs.add<LastPixel>();
        needs.addBestLeaf(*measure);
    }
    return needs;
}

using NodeValue = std::variant<std::uint64_t, std::int64_t, double>;

/// The attributes of a complete summary, by the formulas of the engines with sums of 64 and 128 bits.
class NodeValues {
public:
    /// @param height of the node @param parentHeight of its parent; the height of the root itself if it has none
    NodeValues(const PartJob& job, const Summaries& summaries, std::size_t node, std::uint16_t height,
               std::uint16_t parentHeight)
        : s_(summaries), i_(node), level_{job.levelAt(height), job.levelAt(parentHeight)}, parentHeight_(parentHeight),
          sums_(job.sums) {}

    template <class Summary> [[nodiscard]] const auto& at() const noexcept { return s_.of<Summary>()[i_]; }
    [[nodiscard]] Count area() const noexcept { return at<PixelCount>(); }
    /// Largest height above the parent.
    [[nodiscard]] std::uint64_t peak() const noexcept { return static_cast<std::uint16_t>(at<Peak>() - parentHeight_); }

    /// @param id one that is known when a node is closed and whose needsOf() the summaries have
    [[nodiscard]] NodeValue of(AttributeId id) const {
        if (id == AttributeId::sum && sums_) {
            return sums_->of(area(), at<LevelTotal>());
        }
        NodeValue value;
        const auto evaluate =
            [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
                Typed<Id, T, Inputs...> formula) {
                using Wide = std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, T>;
                value = Wide{formula.of(input<Inputs>()...)};
            };
        if (visitFormula<Count>(id, evaluate)) {
            return value;
        }
        visitSummaries(id, [&](auto /*used*/, auto valueOf) { value = valueOf(*this); });
        return value;
    }

    [[nodiscard]] std::uint64_t of(Prominence measure) const {
        return std::get<std::uint64_t>(of(comparedAttribute(measure)));
    }

private:
    template <class Input> [[nodiscard]] Input input() const noexcept {
        if constexpr (std::is_same_v<Input, AreaOf<Count>>) {
            return {area()};
        } else if constexpr (std::is_same_v<Input, Levels>) {
            return level_;
        } else if constexpr (std::is_same_v<Input, LevelSum>) {
            return {at<LevelTotal>()};
        } else if constexpr (std::is_same_v<Input, NodeBox>) {
            const BoundingBox::Value& box = at<BoundingBox>();
            return {box.left, box.top, box.right, box.bottom};
        } else if constexpr (std::is_same_v<Input, OutlineOf<Count>>) {
            return {at<OutlineTotals>().perimeter, at<OutlineTotals>().euler};
        } else if constexpr (std::is_same_v<Input, BorderSums>) {
            return at<BorderTotals>();
        } else if constexpr (std::is_same_v<Input, IntervalOf<Count>>) {
            return {0, at<NodeCount>() + 1};
        } else if constexpr (std::is_same_v<Input, FirstSums>) {
            return {static_cast<double>(moments().x), static_cast<double>(moments().y)};
        } else if constexpr (std::is_same_v<Input, SecondMoments>) {
            return secondMomentsOf(area(), shiftedSums());
        } else {
            static_assert(std::is_same_v<Input, ThirdMoments>);
            const auto origin = nearestOrigin(area(), moments());
            return thirdMomentsOf(area(), shiftedSums(), shifted(area(), moments(), at<ThirdMomentTotals>(), origin));
        }
    }
    [[nodiscard]] const MomentTotals::Value& moments() const noexcept { return at<MomentTotals>(); }
    [[nodiscard]] ShiftedSums shiftedSums() const noexcept {
        return shifted(area(), moments(), nearestOrigin(area(), moments()));
    }

    const Summaries& s_;
    std::size_t i_;
    Levels level_;
    std::uint16_t parentHeight_;
    const std::optional<ValueSums>& sums_;
};

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

bool isMeasuredInChunks(AttributeId id, bool isVolume) noexcept {
    if (id == AttributeId::stability || id == AttributeId::entropy) {
        return false;
    }
    if (!isVolume) {
        return isMeasured(id, false);
    }
    static constexpr std::array kOfVolumes{
        AttributeId::area,        AttributeId::width,          AttributeId::heightPx,
        AttributeId::slicesPx,    AttributeId::level,          AttributeId::contrast,
        AttributeId::height,      AttributeId::volume,         AttributeId::sum,
        AttributeId::mean,        AttributeId::variance,       AttributeId::children,
        AttributeId::descendants, AttributeId::leaves,         AttributeId::depth,
        AttributeId::dynamics,    AttributeId::extinctionArea, AttributeId::extinctionVolume};
    return std::ranges::find(kOfVolumes, id) != kOfVolumes.end();
}

std::string chunkProblem(const FilterSpec& filter, bool isVolume) {
    for (const Criterion& criterion : filter.criteria) {
        if (std::string problem = measureProblem(criterion.attribute, isVolume); !problem.empty()) {
            return problem;
        }
        if (!isMeasuredInChunks(criterion.attribute, isVolume)) {
            return "attribute '" + std::string(attributeInfo(criterion.attribute).name) +
                   "': not measured in parts of " + (isVolume ? "a volume" : "an image");
        }
    }
    if (!filter.forest.trees.empty()) {
        return "a forest asks about components around others, which parts of an image do not have";
    }
    if (!filter.removed.empty() || !filter.kept.empty() || !filter.only.empty()) {
        return "components are not picked by hand in parts of an image";
    }
    return {};
}

std::optional<Prominence> measureOf(AttributeId id) noexcept {
    const auto* const found = std::ranges::find(kAllProminences, id, attributeOf);
    return found == kAllProminences.end() ? std::nullopt : std::optional(*found);
}

AttributeId comparedAttribute(Prominence measure) noexcept {
    switch (measure) {
    case Prominence::extinctionArea:
        return AttributeId::area;
    case Prominence::extinctionVolume:
        return AttributeId::volume;
    case Prominence::dynamics:
        break;
    }
    return AttributeId::height;
}

bool dependsOnAncestors(AttributeId id) noexcept { return id == AttributeId::depth || measureOf(id).has_value(); }

bool isKnownAtClosing(AttributeId id, bool isVolume) noexcept {
    return isMeasuredInChunks(id, isVolume) && !dependsOnAncestors(id);
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

void PartJob::measureValues(const std::optional<ValueMapping>& mapping) {
    constexpr AttributeId kSum = AttributeId::sum;
    const bool hasSum =
        std::ranges::count(filter.criteria, kSum, &Criterion::attribute) > 0 || std::ranges::count(measured, kSum) > 0;
    if (hasSum && mapping && isColumnInValues(kSum, *mapping)) {
        sums = ValueSums{mapping->offset, mapping->step};
    }
}

PartJob partJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity, FilterSpec filter) {
    requirePixels(filter);
    if (const std::string problem = chunkProblem(filter, grid.whole().isVolume()); !problem.empty()) {
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
                                                        "': not measured in parts of " +
                                                        (isVolume ? "a volume" : "an image"));
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

void joinToParent(Summaries& summaries, std::size_t parent, const Summaries& from, std::size_t node) noexcept {
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
