#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Which regions count as maximally stable.
struct MserSpec {
    std::optional<std::uint16_t> delta;   ///< grey levels, >= 1; none: 5 at 8 bits, 5 * 257 at 16 bits
    std::uint64_t minArea = 30;           ///< px
    std::optional<std::uint64_t> maxArea; ///< px; none: a quarter of the image
    double maxVariation = 0.25;           ///< largest variation, >= 0
    double minDiversity = 0.2;            ///< smallest part by which a region differs from the next one around it, 0..1

    bool operator==(const MserSpec&) const = default;
};

/// A maximally stable region and the ellipse of the same second moments.
struct MserRegion {
    std::uint32_t node = 0;  ///< of the tree; the region's pixels are those of the nodes [node, subtreeEnd[node])
    std::uint16_t level = 0; ///< grey level of the node
    std::uint32_t area = 0;  ///< px
    double variation = 0;    ///< q(n) of findMser()
    double x = 0;            ///< centre, px; the centre of the first pixel is (0, 0)
    double y = 0;
    double major = 0; ///< axes' whole lengths, px, as the attributes `major` and `minor`
    double minor = 0;
    double angle = 0; ///< of the major axis, radians, as the attribute `orientation`

    bool operator==(const MserRegion&) const = default;
};

/// Maximally stable extremal regions of one polarity: bright ones of a max-tree, dark ones of a min-tree (Matas, Chum,
/// Urban & Pajdla, "Robust wide-baseline stereo from maximally stable extremal regions", 2002; as a walk over the
/// component tree: Nister & Stewenius, "Linear time maximally stable extremal regions", 2008).
///
/// The variation q(n) of a node is (A(m) - A(n)) / A(n), where m is the component that holds n at the threshold
/// level(n) - delta (min-tree: + delta): the lowest component around n, n itself included, whose level is at least
/// that. It is the attribute `stability` of this delta, and 0 where that has no value because the parent is more than
/// delta levels away: such a component does not change at all. A node is a region iff
///  1. it is not the root;
///  2. q(n) is a local minimum along the branches: q(n) < q(parent), and q(n) <= q(child) for every child. Neighbours
///     that are the root or more than delta levels away do not count: between them and n lie thresholds at which the
///     component changes by the whole difference of both. So of a chain of equal values the largest component is
///     chosen;
///  3. minArea <= A(n) <= maxArea and q(n) <= maxVariation;
///  4. from the root downwards: (A(r) - A(n)) / A(r) >= minDiversity, where r is the smallest region already chosen
///     that holds n, if there is one. So of nested regions that are much alike the largest is chosen.
///
/// @param area the area of every node
/// @return in ascending order of nodes: a region comes before those inside it
/// @throws Error(invalidArgument) for values out of range or a column of another tree; Cancelled
[[nodiscard]] std::vector<MserRegion> findMser(const ComponentTree& tree, const AttributeColumn& area,
                                               const MserSpec& spec, const JobControl& control = {});

/// The pixels of a node's component.
/// @throws Error(invalidArgument) for a node that the tree has not; Cancelled
[[nodiscard]] Mask componentMask(const ComponentTree& tree, std::uint32_t node, const JobControl& control = {});

/// Image of shape (height, width) whose pixels hold 1 + the index of the smallest of @p regions around them, 0 where
/// there is none.
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint32_t> mserLabels(const ComponentTree& tree, const std::vector<MserRegion>& regions,
                                               const JobControl& control = {});

} // namespace pollard
