#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Criteria of maximally stable regions.
struct MserSpec {
    std::optional<std::uint16_t> delta;   ///< grey levels, >= 1; unset: 5 at 8 bits, 5 * 257 at 16 bits
    std::uint64_t minArea = 30;           ///< px
    std::optional<std::uint64_t> maxArea; ///< px; unset: a quarter of the image
    double maxVariation = 0.25;           ///< largest variation, >= 0
    double minDiversity = 0.2;            ///< smallest relative difference in area to the next larger region, 0..1

    bool operator==(const MserSpec&) const = default;
};

/// A maximally stable region and, in an image, the ellipse with its second moments.
struct MserRegion {
    std::uint32_t node = 0;  ///< the region has the pixels of the nodes [node, subtreeEnd[node])
    std::uint16_t level = 0; ///< grey level of the node
    std::uint32_t area = 0;  ///< px
    double variation = 0;    ///< q(n) of findMser()
    double x = 0;            ///< centre, px; the centre of the first pixel is (0, 0)
    double y = 0;
    double z = 0;
    double major = 0; ///< full lengths of the axes, px, as the attributes `major` and `minor`; 0 in a volume
    double minor = 0;
    double angle = 0; ///< of the major axis, radians, as the attribute `orientation`

    bool operator==(const MserRegion&) const = default;
};

/// Maximally stable extremal regions of one polarity: bright ones of a max-tree, dark ones of a min-tree (Matas, Chum,
/// Urban & Pajdla, "Robust wide-baseline stereo from maximally stable extremal regions", 2002; as a walk over the
/// component tree: Nister & Stewenius, "Linear time maximally stable extremal regions", 2008).
///
/// The variation q(n) of a node is (A(m) - A(n)) / A(n), where m is the component that contains n at the threshold
/// level(n) - delta (min-tree: + delta): the lowest component around n, possibly n itself, with at least that level. It
/// is the attribute `stability` for this delta, and 0 where that is undefined because the parent is more than delta
/// levels away: such a component does not change at all. A node is a region iff
/// 1. it is not the root;
/// 2. q(n) is a local minimum along the branches: q(n) < q(parent), and q(n) <= q(child) for every child. Neighbours
///   that are the root or more than delta levels away do not count: between them and n lie thresholds at which the
///   component changes by their whole difference. In a chain of equal values this selects the largest component;
/// 3. minArea <= A(n) <= maxArea and q(n) <= maxVariation;
/// 4. from the root downwards: (A(r) - A(n)) / A(r) >= minDiversity, where r is the smallest chosen region that
///   contains n, if there is one. Among nested regions of similar size this selects the largest.
///
/// @param area per node, px
/// @return in ascending order of nodes, so a region comes before those inside it
/// @throws Error(invalidArgument) for values out of range or a column of another tree; Cancelled
[[nodiscard]] std::vector<MserRegion> findMser(const ComponentTree& tree, const AttributeColumn& area,
                                               const MserSpec& spec, const JobControl& control = {});

/// Image of shape (slices, height, width) with 1 + the index of the smallest of @p regions that contains the pixel, 0
/// if none does.
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint32_t> mserLabels(const ComponentTree& tree, const std::vector<MserRegion>& regions,
                                               const JobControl& control = {});

} // namespace pollard
