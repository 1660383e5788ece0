#include "parts/node_values.hpp"

#include "attributes/formulas.hpp"

#include <cmath>

namespace pollard {

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

NodeValue NodeValues::of(AttributeId id) const {
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

std::uint64_t NodeValues::of(Prominence measure) const noexcept {
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

NodeValue NodeValues::momentValue(AttributeId id) const {
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
    const ThirdMoments third =
        thirdMomentsOf(area(), shiftedSums,
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

} // namespace pollard
