#include "parts/part_job.hpp"

#include "attributes/attribute_table.hpp"
#include "attributes/volume_table.hpp"
#include "base/error.hpp"
#include "filter/criterion_bounds.hpp"
#include "filter/filter_columns.hpp"
#include "filter/rule_passes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

namespace pollard {

namespace {

using Value = std::variant<std::uint64_t, std::int64_t, double>;

SummaryNeeds needsOf(AttributeId id) {
    SummaryNeeds needs;
    needs.add<PixelCount>();
    switch (id) {
    case AttributeId::width:
    case AttributeId::heightPx:
    case AttributeId::slicesPx:
    case AttributeId::bboxArea:
    case AttributeId::bboxDiagonal:
    case AttributeId::rectangularity:
        needs.add<BoundingBox>();
        break;
    case AttributeId::border:
        needs.add<BorderCount>();
        break;
    case AttributeId::height:
        needs.add<Peak>();
        break;
    case AttributeId::volume:
    case AttributeId::sum:
    case AttributeId::mean:
        needs.add<LevelTotal>();
        break;
    case AttributeId::variance:
        needs.add<LevelTotal>();
        needs.add<SquareTotal>();
        break;
    case AttributeId::hu3:
    case AttributeId::hu4:
    case AttributeId::hu5:
    case AttributeId::hu6:
    case AttributeId::hu7:
        needs.add<ThirdMomentTotals>();
        needs.add<MomentTotals>();
        break;
    case AttributeId::centroidX:
    case AttributeId::centroidY:
    case AttributeId::inertia:
    case AttributeId::major:
    case AttributeId::minor:
    case AttributeId::elongation:
    case AttributeId::orientation:
    case AttributeId::eccentricity:
    case AttributeId::hu1:
    case AttributeId::hu2:
        needs.add<MomentTotals>();
        break;
    case AttributeId::perimeter:
    case AttributeId::circularity:
    case AttributeId::euler:
    case AttributeId::holes:
        needs.add<OutlineTotals>();
        break;
    case AttributeId::children:
        needs.add<ClosedChildren>();
        break;
    case AttributeId::descendants:
        needs.add<NodeCount>();
        break;
    case AttributeId::leaves:
        needs.add<LeafCount>();
        break;
    case AttributeId::dynamics:
        needs.add<Peak>();
        needs.add<LastPixel>();
        needs.add<BestLeaf<Prominence::dynamics>>();
        break;
    case AttributeId::extinctionArea:
        needs.add<LastPixel>();
        needs.add<BestLeaf<Prominence::extinctionArea>>();
        break;
    case AttributeId::extinctionVolume:
        needs.add<LevelTotal>();
        needs.add<LastPixel>();
        needs.add<BestLeaf<Prominence::extinctionVolume>>();
        break;
    default:
        break;
    }
    return needs;
}

/// The attributes of a complete summary, by the formulas of the engines with sums of 64 and 128 bits.
class NodeValues {
public:
    NodeValues(const PartJob& job, const Summaries& summaries, std::size_t node, std::uint16_t height,
               std::uint16_t parentHeight)
        : s_(summaries), i_(node), level_{job.levelAt(height), job.levelAt(parentHeight)} {
        climb_ = static_cast<std::uint16_t>(height - parentHeight);
        if (s_.has<Peak>()) {
            peak_ = static_cast<std::uint16_t>(s_.of<Peak>()[i_] - parentHeight);
        }
    }

    [[nodiscard]] Value of(AttributeId id) const {
        switch (id) {
        case AttributeId::area:
            return area();
        case AttributeId::width:
            return std::uint64_t{box().width()};
        case AttributeId::heightPx:
            return std::uint64_t{box().height()};
        case AttributeId::slicesPx:
            return std::uint64_t{s_.of<BoundingBox>()[i_].last - s_.of<BoundingBox>()[i_].first + 1};
        case AttributeId::bboxArea:
            return box().area();
        case AttributeId::bboxDiagonal:
            return box().diagonal();
        case AttributeId::border:
            return s_.of<BorderCount>()[i_];
        case AttributeId::level:
            return std::uint64_t{level_.own};
        case AttributeId::contrast:
            return std::uint64_t{climb_};
        case AttributeId::height:
            return std::uint64_t{peak_};
        case AttributeId::volume:
            return volume();
        case AttributeId::sum:
            return sum();
        case AttributeId::mean:
            return static_cast<double>(sum()) / static_cast<double>(area());
        case AttributeId::variance:
            return varianceOf(area(), sum(), s_.of<SquareTotal>()[i_]);
        case AttributeId::centroidX:
            return static_cast<double>(moments().x) / static_cast<double>(area());
        case AttributeId::centroidY:
            return static_cast<double>(moments().y) / static_cast<double>(area());
        case AttributeId::rectangularity:
            return static_cast<double>(area()) / static_cast<double>(box().area());
        case AttributeId::perimeter:
            return static_cast<std::uint64_t>(outline().perimeter);
        case AttributeId::circularity:
            return circularityOf(area(), static_cast<std::uint64_t>(outline().perimeter));
        case AttributeId::euler:
            return outline().euler;
        case AttributeId::holes:
            return static_cast<std::uint64_t>(1 - outline().euler);
        case AttributeId::children:
            return s_.of<ClosedChildren>()[i_];
        case AttributeId::descendants:
            return s_.of<NodeCount>()[i_];
        case AttributeId::leaves:
            return s_.of<LeafCount>()[i_];
        default:
            return momentValue(id);
        }
    }

    [[nodiscard]] std::uint64_t of(Prominence measure) const noexcept {
        switch (measure) {
        case Prominence::extinctionArea:
            return area();
        case Prominence::extinctionVolume:
            return volume();
        case Prominence::dynamics:
            break;
        }
        return peak_;
    }

private:
    [[nodiscard]] Value momentValue(AttributeId id) const {
        const ShiftedSums shiftedSums = shifted(area(), moments(), nearestOrigin(area(), moments()));
        const SecondMoments second = secondMomentsOf(area(), shiftedSums);
        switch (id) {
        case AttributeId::inertia:
        case AttributeId::hu1:
            return inertiaOf(second);
        case AttributeId::major:
            return majorAxisOf(area(), second);
        case AttributeId::minor:
            return minorAxisOf(area(), second);
        case AttributeId::elongation:
            return elongationOf(second);
        case AttributeId::orientation:
            return orientationOf(second);
        case AttributeId::eccentricity:
            return eccentricityOf(second);
        case AttributeId::hu2:
            return hu2Of(second);
        default:
            break;
        }
        const ThirdMoments third = thirdMomentsOf(
            area(), shiftedSums,
            shifted(area(), moments(), s_.of<ThirdMomentTotals>()[i_], nearestOrigin(area(), moments())));
        switch (id) {
        case AttributeId::hu3:
            return hu3Of(third);
        case AttributeId::hu4:
            return hu4Of(third);
        case AttributeId::hu5:
            return hu5Of(third);
        case AttributeId::hu6:
            return hu6Of(second, third);
        default:
            return hu7Of(third);
        }
    }

    [[nodiscard]] std::uint64_t area() const noexcept { return s_.of<PixelCount>()[i_]; }
    [[nodiscard]] std::uint64_t sum() const noexcept { return s_.of<LevelTotal>()[i_]; }
    [[nodiscard]] const MomentTotals::Value& moments() const noexcept { return s_.of<MomentTotals>()[i_]; }
    [[nodiscard]] const OutlineTotals::Value& outline() const noexcept { return s_.of<OutlineTotals>()[i_]; }
    [[nodiscard]] NodeBox box() const noexcept {
        const BoundingBox::Value& box = s_.of<BoundingBox>()[i_];
        return {box.left, box.top, box.right, box.bottom};
    }
    [[nodiscard]] std::uint64_t volume() const noexcept {
        const auto difference = static_cast<std::int64_t>(sum() - std::uint64_t{level_.parent} * area());
        return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
    }

    const Summaries& s_;
    std::size_t i_;
    Levels level_;
    std::uint16_t climb_ = 0; ///< height above the parent
    std::uint16_t peak_ = 0;  ///< largest height above the parent
};

bool meets(const Criterion& criterion, const Value& value) {
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
