#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/grid_edges.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace pollard {

/// What decides how strong the boundary between two regions is.
enum class Strength : std::uint8_t {
    altitude, ///< the smallest weight at which the regions are connected: quasi-flat zones
    dynamics, ///< extinction by the rise above the lowest weight of a basin
    area,     ///< extinction by the pixels of a basin
    volume,   ///< extinction by the sum of the rises over the pixels of a basin
};
inline constexpr std::array kAllStrengths{Strength::altitude, Strength::dynamics, Strength::area, Strength::volume};
[[nodiscard]] std::string_view nameOf(Strength strength) noexcept;
/// nullopt for other names
[[nodiscard]] std::optional<Strength> strengthOf(std::string_view name) noexcept;
inline constexpr std::array kAllEdgeWeights{EdgeWeight::difference, EdgeWeight::maximum};
[[nodiscard]] std::string_view nameOf(EdgeWeight weight) noexcept;
/// nullopt for other names
[[nodiscard]] std::optional<EdgeWeight> edgeWeightOf(std::string_view name) noexcept;

struct HierarchySpec {
    Strength strength = Strength::area;
    EdgeWeight weight = EdgeWeight::difference;
    Connectivity connectivity = Connectivity::four;

    bool operator==(const HierarchySpec&) const = default;
};

/// A hierarchy of partitions of an image: for each number t the regions that remain if boundaries of at most this
/// strength are removed. Regions for a larger t are unions of regions for a smaller t. The regions for t = 0 are the
/// basins: the flat zones for Strength::altitude, else the catchment basins of a watershed cut (Cousty, Bertrand,
/// Najman and Couprie, "Watershed cuts", 2009).
///
/// The strength of the boundary between two basins is the largest weight on the path between them in a minimum spanning
/// tree of the pixels, after its edges get new weights: the extinction value of the basin that vanishes at the edge, by
/// the measure of HierarchySpec::strength (Najman, Cousty and Perret, "Playing with Kruskal", 2013). Regions that
/// meet at one weight merge at the same time, so their strengths do not depend on the order of equal edges; the basin
/// of a pixel that two basins reach at the same weight does.
class Hierarchy {
public:
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    /// Two basins whose regions become one.
    struct Merge {
        std::uint64_t strength = 0; ///< above 0
        std::uint32_t basin = 0;
        std::uint32_t other = 0;
    };

    struct Counts {
        std::size_t basins = 0;
        std::size_t withData = 0; ///< basins of pixels with data
    };

    /// @param basins of the pixels, numbered in the order of their first pixels
    /// @param merges in any order, without circles
    /// @throws Cancelled
    Hierarchy(const Extent& extent, Buffer<std::uint32_t> basins, const Counts& counts, std::vector<Merge> merges,
              const JobControl& control = {});

    [[nodiscard]] const Extent& extent() const noexcept { return extent_; }
    /// Basin of each pixel; basins are numbered in the order of their first pixels.
    [[nodiscard]] const Buffer<std::uint32_t>& basins() const noexcept { return basins_; }
    [[nodiscard]] std::size_t basinCount() const noexcept { return into_.size(); }
    /// Strengths at which two regions merge, ascending; one less than basins if all pixels have data.
    [[nodiscard]] const std::vector<std::uint64_t>& strengths() const noexcept { return strengths_; }

    /// Strength of the boundary between two basins; 0 for the same basin, kNever if only one has data. O(log basins)
    [[nodiscard]] std::uint64_t between(std::uint32_t basin, std::uint32_t other) const noexcept;
    /// The basin that stands for a basin's region if boundaries of at most @p strength are removed. O(log basins)
    [[nodiscard]] std::uint32_t regionOf(std::uint32_t basin, std::uint64_t strength) const noexcept;
    /// Number of regions with data if boundaries of at most @p strength are removed. O(log basins)
    [[nodiscard]] std::size_t regionsAt(std::uint64_t strength) const noexcept;
    /// The smallest strength with at most this many regions; the largest strength if there are always more. O(1)
    [[nodiscard]] std::uint64_t strengthFor(std::size_t regions) const noexcept;

private:
    Extent extent_;
    Buffer<std::uint32_t> basins_;
    std::vector<std::uint32_t> into_;     ///< per basin the basin that it joins; itself for the last
    std::vector<std::uint64_t> joinedAt_; ///< per basin the strength at which it joins; ascending along into_
    std::vector<std::uint64_t> strengths_;
    std::size_t withData_; ///< basins
};

} // namespace pollard
