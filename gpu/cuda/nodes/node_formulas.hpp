#pragma once

#include "attributes/formulas.hpp"
#include "attributes/node_box.hpp"
#include "cuda/device/host_device.hpp"
#include "cuda/tree/interval_table.hpp"
#include "cuda/tree/node_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

// Value of each attribute at a node, from precomputed sums and extremes.

namespace pollard::cuda {

/// Writes `formula(node)`.
template <class Formula> struct FillColumn {
    using Value = typename Formula::Value;
    Formula formula;
    Value* out;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept { out[node] = formula(node); }
};

/// Value of an attribute where it is undefined.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

using Areas = ComponentSum<std::uint32_t>;
using Sums = ComponentSum<std::uint64_t>;

struct AreaOf {
    using Value = std::uint32_t;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return area(node); }
};

struct WidthOf {
    using Value = std::uint32_t;
    const NodeBox* boxes;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return boxes[node].width(); }
};
struct HeightPxOf {
    using Value = std::uint32_t;
    const NodeBox* boxes;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return boxes[node].height(); }
};
struct BoxAreaOf {
    using Value = std::uint64_t;
    const NodeBox* boxes;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return boxes[node].area(); }
};
struct DiagonalOf {
    using Value = double;
    const NodeBox* boxes;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return boxes[node].diagonal(); }
};
struct RectangularityOf {
    using Value = double;
    const NodeBox* boxes;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return area(node) / static_cast<double>(boxes[node].area());
    }
};

struct LevelOf {
    using Value = std::uint16_t;
    const std::uint16_t* level;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return level[node]; }
};
struct ContrastOf {
    using Value = std::uint16_t;
    NodePlan plan;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return NodePlan::distance(plan.level[node], plan.level[plan.parent[node]]);
    }
};

struct AroundBoth {
    using Value = NodeBox;
    [[nodiscard]] POLLARD_HOST_DEVICE static NodeBox of(const NodeBox& a, const NodeBox& b) noexcept {
        return joined(a, b);
    }
};

/// A node as a candidate extremum: the largest over a component is its leaf of the most extreme level, and of equal
/// ones the leaf with the smallest canonical pixel. (A node that is no leaf has a child of a more extreme level.)
struct PeakOf {
    using Value = std::uint64_t;
    NodePlan plan;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return std::uint64_t{plan.rising(node)} << 32U | static_cast<std::uint32_t>(~plan.canonical[node]);
    }
};
/// The elements joined over each component.
template <class Join> struct OverComponent {
    using Value = typename Join::Value;
    IntervalTable<Join> table;
    const std::uint32_t* subtreeEnd;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return table.over(static_cast<std::uint32_t>(node), subtreeEnd[node]);
    }
};

struct HeightOf {
    using Value = std::uint16_t;
    NodePlan plan;
    const std::uint64_t* peak; ///< joined over components
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return static_cast<Value>((peak[node] >> 32U) - plan.rising(plan.parent[node]));
    }
};

/// A component that meets a more prominent one in its parent assigns its height to its leaf; so does the root.
struct LeaveDynamics {
    HeightOf height;
    std::uint16_t* dynamics; ///< per node; each leaf's entry is written once

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t leafOf(std::size_t node) const noexcept {
        return height.plan.pixelNode[~static_cast<std::uint32_t>(height.peak[node])];
    }
    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (node == 0 || height.peak[height.plan.parent[node]] != height.peak[node]) {
            dynamics[leafOf(node)] = height(node);
        }
    }
};
struct DynamicsOf {
    using Value = std::uint16_t;
    LeaveDynamics left;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return left.dynamics[left.leafOf(node)]; }
};

/// Sums of levels, and of squared levels, over a node's own pixels; 0 after the last node.
struct OwnLevelsOf {
    using Value = std::uint64_t;
    Areas area;
    const std::uint16_t* level;
    std::uint32_t nodeCount;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return node < nodeCount ? std::uint64_t{area.own(node)} * level[node] : 0;
    }
};
struct OwnSquaresOf {
    using Value = std::uint64_t;
    Areas area;
    const std::uint16_t* level;
    std::uint32_t nodeCount;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return node < nodeCount ? area.own(node) * (std::uint64_t{level[node]} * level[node]) : 0;
    }
};
struct SumOf {
    using Value = std::uint64_t;
    Sums sum;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return sum(node); }
};
struct MeanOf {
    using Value = double;
    Sums sum;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return static_cast<double>(sum(node)) / area(node);
    }
};
struct VolumeOf {
    using Value = std::uint64_t;
    NodePlan plan;
    Sums sum;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        const std::uint64_t base = std::uint64_t{plan.level[plan.parent[node]]} * area(node);
        return plan.kind == TreeKind::max ? sum(node) - base : base - sum(node);
    }
};
struct VarianceOf {
    using Value = double;
    Sums sum;
    Sums squares;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return varianceOf(area(node), sum(node), squares(node));
    }
};

struct CentroidOf {
    using Value = double;
    Sums sum;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return static_cast<double>(sum(node)) / area(node);
    }
};

/// Component sum of row k of MomentTerms or ThirdMomentTerms.
struct MomentSumRows {
    const std::uint32_t* subtreeEnd;
    const std::uint64_t* sums;
    std::size_t stride;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t operator()(std::size_t k, std::size_t node) const noexcept {
        return Sums{subtreeEnd, sums + k * stride}(node);
    }
};

/// One array for each member of SecondMoments or ThirdMoments, one after another.
struct MomentRows {
    double* values;
    std::size_t nodeCount;

    [[nodiscard]] POLLARD_HOST_DEVICE SecondMoments second(std::size_t i) const noexcept {
        return {values[i], values[nodeCount + i], values[2 * nodeCount + i], values[3 * nodeCount + i]};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE ThirdMoments third(std::size_t i) const noexcept {
        return {values[i], values[nodeCount + i], values[2 * nodeCount + i], values[3 * nodeCount + i]};
    }
    POLLARD_HOST_DEVICE void set(std::size_t i, double a, double b, double c, double d) const noexcept {
        values[i] = a;
        values[nodeCount + i] = b;
        values[2 * nodeCount + i] = c;
        values[3 * nodeCount + i] = d;
    }
};

struct WriteMoments {
    MomentSumRows sums;
    Areas area;
    MomentRows out;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint64_t a = area(node);
        const MomentSums<std::uint64_t> s{sums(0, node), sums(1, node), sums(2, node), sums(3, node), sums(4, node)};
        const SecondMoments m = secondMomentsOf(a, shifted(a, s, nearestOrigin(a, s)));
        out.set(node, m.sum, m.difference, m.mixed, m.smaller);
    }
};
/// Rows of NarrowThirdSums.
struct NarrowThirds {
    using Number = std::uint64_t;
    MomentSumRows rows;

    [[nodiscard]] POLLARD_HOST_DEVICE Number operator()(std::size_t k, std::size_t node) const noexcept {
        return rows(k, node);
    }
};
/// Rows of WideThirdSums.
struct WideThirds {
    using Number = UInt128;
    MomentSumRows rows;

    [[nodiscard]] POLLARD_HOST_DEVICE Number operator()(std::size_t k, std::size_t node) const noexcept {
        return (Number{rows(2 * k, node)} << 32U) + rows(2 * k + 1, node);
    }
};
template <class Thirds> struct WriteThirdMoments {
    using Number = typename Thirds::Number;
    MomentSumRows sums;
    Thirds thirds;
    Areas area;
    MomentRows out;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint64_t a = area(node);
        if (a <= 2) { // frequent, and symmetric about the centre
            out.set(node, 0, 0, 0, 0);
            return;
        }
        const MomentSums<Number> s{sums(0, node), sums(1, node), sums(2, node), sums(3, node), sums(4, node)};
        const ThirdMomentSums<Number> t{thirds(0, node), thirds(1, node), thirds(2, node), thirds(3, node)};
        const auto origin = nearestOrigin(a, s);
        const ThirdMoments m = thirdMomentsOf(a, shifted(a, s, origin), shifted(a, s, t, origin));
        out.set(node, m.a, m.b, m.c, m.d);
    }
};

/// Attributes derived from moments.
enum class MomentFormula : std::uint8_t {
    inertia,
    major,
    minor,
    elongation,
    orientation,
    eccentricity,
    hu2,
    hu3,
    hu4,
    hu5,
    hu6,
    hu7,
};
template <MomentFormula Formula> struct OfMoments {
    using Value = double;
    MomentRows second;
    MomentRows third;
    Areas area;

    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        if constexpr (Formula == MomentFormula::inertia) {
            return inertiaOf(second.second(node));
        } else if constexpr (Formula == MomentFormula::major) {
            return majorAxisOf(area(node), second.second(node));
        } else if constexpr (Formula == MomentFormula::minor) {
            return minorAxisOf(area(node), second.second(node));
        } else if constexpr (Formula == MomentFormula::elongation) {
            return elongationOf(second.second(node));
        } else if constexpr (Formula == MomentFormula::orientation) {
            return orientationOf(second.second(node));
        } else if constexpr (Formula == MomentFormula::eccentricity) {
            return eccentricityOf(second.second(node));
        } else if constexpr (Formula == MomentFormula::hu2) {
            return hu2Of(second.second(node));
        } else if constexpr (Formula == MomentFormula::hu3) {
            return hu3Of(third.third(node));
        } else if constexpr (Formula == MomentFormula::hu4) {
            return hu4Of(third.third(node));
        } else if constexpr (Formula == MomentFormula::hu5) {
            return hu5Of(third.third(node));
        } else if constexpr (Formula == MomentFormula::hu6) {
            return hu6Of(second.second(node), third.third(node));
        } else {
            return hu7Of(third.third(node));
        }
    }
};

struct PerimeterOf {
    using Value = std::uint64_t;
    Sums outline;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return perimeterOf(outline(node)); }
};
struct CircularityOf {
    using Value = double;
    Sums outline;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return circularityOf(area(node), perimeterOf(outline(node)));
    }
};
struct EulerOf {
    using Value = std::int32_t;
    Sums outline;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return eulerOf(outline(node)); }
};
struct HolesOf {
    using Value = std::uint32_t;
    Sums outline;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return static_cast<std::uint32_t>(1 - eulerOf(outline(node)));
    }
};

/// Nodes entered minus nodes left in the Euler tour up to the node.
struct DepthOf {
    using Value = std::uint32_t;
    const std::uint32_t* endsBefore; ///< nodes + 1: number of components that end before an index
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return static_cast<Value>(node) - endsBefore[node + 1];
    }
};
struct DescendantsOf {
    using Value = std::uint32_t;
    const std::uint32_t* subtreeEnd;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return subtreeEnd[node] - static_cast<Value>(node) - 1;
    }
};
/// 1 for a leaf; 0 after the last node.
struct IsLeafOf {
    using Value = std::uint32_t;
    const std::uint32_t* subtreeEnd;
    std::uint32_t nodeCount;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return node < nodeCount && subtreeEnd[node] == node + 1 ? 1U : 0U;
    }
};

/// Level of the parent, in the order of a max-tree.
struct RisingParentOf {
    using Value = std::uint16_t;
    NodePlan plan;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept { return plan.rising(plan.parent[node]); }
};

/// The topmost ancestor whose level is within delta of a node's is the last node, up to the node itself, whose parent
/// is lower than that: every node numbered after it, up to the node, lies in it, and so does that node's parent.
struct StabilityOf {
    using Value = double;

    struct IsBelow {
        std::uint32_t limit;
        [[nodiscard]] POLLARD_HOST_DEVICE bool operator()(std::uint16_t level) const noexcept { return level < limit; }
    };

    NodePlan plan;
    IntervalTable<Smallest<std::uint16_t>> parents; ///< of RisingParentOf
    Areas area;
    std::uint16_t delta;

    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        const std::uint32_t level = plan.rising(node);
        const IsBelow isBelow{level > delta ? level - delta : 0U};
        const std::uint32_t around = parents.lastBefore(static_cast<std::uint32_t>(node) + 1, 0, isBelow);
        return around == node ? kUndefined : stabilityOf(area(node), area(around));
    }
};

} // namespace pollard::cuda
