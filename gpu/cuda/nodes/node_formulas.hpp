#pragma once

#include "attributes/attribute_table.hpp"
#include "attributes/formulas.hpp"
#include "attributes/volume_formulas.hpp"
#include "attributes/volume_table.hpp"
#include "base/compiler.hpp"
#include "cuda/tree/interval_table.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>

// Value of each attribute at a node, from precomputed sums and extremes.

namespace pollard::cuda {

/// Writes `formula(node)`.
template <class Formula> struct FillColumn {
    using Value = typename Formula::Value;
    Formula formula;
    Value* out;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept { out[node] = formula(node); }
};

using Areas = ComponentSum<std::uint32_t>;
using Sums = ComponentSum<std::uint64_t>;

/// Joins to the smallest box that contains both. @tparam Box NodeBox or VolumeBox
template <class Box> struct JoinedBoxes {
    using Value = Box;
    [[nodiscard]] POLLARD_HOST_DEVICE static Box of(const Box& a, const Box& b) noexcept { return joined(a, b); }
};

/// A node as a candidate extremum: the largest over a component is its leaf of the most extreme level, and of equal
/// ones the leaf with the smallest canonical pixel. (A node that is no leaf has a child of a more extreme level.)
struct PeakKey {
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
struct WriteLeafDynamics {
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
    WriteLeafDynamics left;
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
struct VarianceOf {
    using Value = double;
    Sums sum;
    Sums squares;
    Areas area;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return varianceOf(area(node), sum(node), squares(node));
    }
};

/// Component sum of row k of terms.
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
/// From the rows of VolumeMomentTerms.
struct WritePrincipalMoments {
    MomentSumRows sums;
    Areas area;
    VoxelSides sides;
    PrincipalMoments* out;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint64_t a = area(node);
        const VolumeSums<std::uint64_t> s{sums(0, node), sums(1, node), sums(2, node), sums(3, node), sums(4, node),
                                          sums(5, node), sums(6, node), sums(7, node), sums(8, node)};
        out[node] = principalMomentsOf(a, volumeMomentsOf(a, s), sides);
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

/// Reads an input of the formulas of attribute_table.hpp and volume_table.hpp.
template <class Input> struct InputOf;

template <> struct InputOf<Area> {
    Areas area;
    POLLARD_HOST_DEVICE Area operator()(std::size_t node) const noexcept { return {area(node)}; }
};
template <> struct InputOf<Interval> {
    const std::uint32_t* subtreeEnd;
    POLLARD_HOST_DEVICE Interval operator()(std::size_t node) const noexcept {
        return {static_cast<std::uint32_t>(node), subtreeEnd[node]};
    }
};
template <> struct InputOf<Levels> {
    const std::uint16_t* level;
    const std::uint32_t* parent;
    POLLARD_HOST_DEVICE Levels operator()(std::size_t node) const noexcept {
        return {level[node], level[parent[node]]};
    }
};
template <> struct InputOf<LevelSum> {
    Sums sum;
    POLLARD_HOST_DEVICE LevelSum operator()(std::size_t node) const noexcept { return {sum(node)}; }
};
template <> struct InputOf<NodeBox> {
    const NodeBox* boxes;
    POLLARD_HOST_DEVICE NodeBox operator()(std::size_t node) const noexcept { return boxes[node]; }
};
template <> struct InputOf<Outline> {
    Sums sum;
    POLLARD_HOST_DEVICE Outline operator()(std::size_t node) const noexcept { return {sum(node)}; }
};
template <> struct InputOf<FirstSums> {
    MomentSumRows sums;
    POLLARD_HOST_DEVICE FirstSums operator()(std::size_t node) const noexcept {
        return {static_cast<double>(sums(0, node)), static_cast<double>(sums(1, node))};
    }
};
template <> struct InputOf<BorderSums> {
    MomentSumRows sums;
    POLLARD_HOST_DEVICE BorderSums operator()(std::size_t node) const noexcept {
        return {sums(0, node), sums(1, node), sums(2, node)};
    }
};
template <> struct InputOf<SecondMoments> {
    MomentRows rows;
    POLLARD_HOST_DEVICE SecondMoments operator()(std::size_t node) const noexcept { return rows.second(node); }
};
template <> struct InputOf<ThirdMoments> {
    MomentRows rows;
    POLLARD_HOST_DEVICE ThirdMoments operator()(std::size_t node) const noexcept { return rows.third(node); }
};

template <> struct InputOf<VoxelSides> {
    VoxelSides sides;
    POLLARD_HOST_DEVICE VoxelSides operator()(std::size_t /*node*/) const noexcept { return sides; }
};
template <> struct InputOf<VolumeBox> {
    const VolumeBox* boxes;
    POLLARD_HOST_DEVICE VolumeBox operator()(std::size_t node) const noexcept { return boxes[node]; }
};
template <> struct InputOf<VolumeFirstSums> {
    MomentSumRows sums;
    POLLARD_HOST_DEVICE VolumeFirstSums operator()(std::size_t node) const noexcept {
        return {static_cast<double>(sums(0, node)), static_cast<double>(sums(1, node)),
                static_cast<double>(sums(2, node))};
    }
};
template <> struct InputOf<PrincipalMoments> {
    const PrincipalMoments* moments;
    POLLARD_HOST_DEVICE PrincipalMoments operator()(std::size_t node) const noexcept { return moments[node]; }
};
template <> struct InputOf<VolumeOutline> {
    MomentSumRows sums;
    POLLARD_HOST_DEVICE VolumeOutline operator()(std::size_t node) const noexcept {
        return {sums(0, node), sums(1, node)};
    }
};

/// Value of an attribute from its inputs.
template <class Formula> struct Evaluate;
template <AttributeId Id, class T, class... Inputs> struct Evaluate<TypedFormula<Id, T, Inputs...>>
    : InputOf<Inputs>... {
    using Value = T;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return Formula<Id>::of(InputOf<Inputs>::operator()(node)...);
    }
};
template <AttributeId Id, class T, class... Inputs> struct Evaluate<TypedVolumeFormula<Id, T, Inputs...>>
    : InputOf<Inputs>... {
    using Value = T;
    POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return VolumeFormula<Id>::of(InputOf<Inputs>::operator()(node)...);
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
        return around == node ? kUndefinedAttribute : stabilityOf(area(node), area(around));
    }
};

} // namespace pollard::cuda
