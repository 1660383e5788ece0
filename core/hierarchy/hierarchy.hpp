#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/grid_edges.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
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
    /// Finds regions on a device that keeps the hierarchy.
    class Regions {
    public:
        virtual ~Regions() = default;
        Regions(const Regions&) = delete;
        Regions& operator=(const Regions&) = delete;

        /// As regions() of partition.hpp; nothing if the device fails, has too little memory, or does not know the
        /// mask. Thread-safe.
        /// @throws Error(outOfMemory) of the host, Cancelled
        [[nodiscard]] virtual std::optional<LabelImage> at(std::uint64_t strength, const Mask* valid,
                                                           const JobControl& control) const = 0;

    protected:
        Regions() = default;
    };

    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    /// Two basins whose regions become one.
    struct Merge {
        std::uint64_t strength = 0; ///< above 0
        std::uint32_t basin = 0;
        std::uint32_t other = 0;
    };

    /// Neighbouring basins.
    struct Basins {
        std::uint32_t first = 0;
        std::uint32_t second = 0;
    };

    static constexpr std::uint32_t kNoMerge = std::numeric_limits<std::uint32_t>::max();

    /// How a basin ceases to stand for a region.
    struct Join {
        std::uint32_t into = 0;         ///< the basin that stands for both regions; itself if the basin never joins
        std::uint32_t merge = kNoMerge; ///< number of the merge; ascending along `into`
    };

    struct Counts {
        std::size_t basins = 0;
        std::size_t withData = 0; ///< basins of pixels with data
    };

    /// @param basins of the pixels, numbered in the order of their first pixels
    /// @param merges in any order, without circles
    /// @param regions of a device that keeps the hierarchy; may be null
    /// @throws Cancelled
    Hierarchy(const Extent& extent, Buffer<std::uint32_t> basins, const Counts& counts, std::vector<Merge> merges,
              const JobControl& control = {}, std::shared_ptr<const Regions> regions = nullptr);

    [[nodiscard]] const Extent& extent() const noexcept { return extent_; }
    /// Basin of each pixel; basins are numbered in the order of their first pixels.
    [[nodiscard]] const Buffer<std::uint32_t>& basins() const noexcept { return basins_; }
    [[nodiscard]] std::size_t basinCount() const noexcept { return joins_.size(); }
    /// How each basin joins another one.
    [[nodiscard]] std::span<const Join> joins() const noexcept { return joins_; }
    /// Strengths of the merges in their order, ascending; one less than basins if all pixels have data.
    [[nodiscard]] const std::vector<std::uint64_t>& strengths() const noexcept { return strengths_; }

    /// Basins at the edge of each merge: a minimum spanning tree of the basins.
    [[nodiscard]] const std::vector<Basins>& edges() const noexcept { return edges_; }
    /// The merge that joins the regions of two basins; kNoMerge for the same basin and if only one has data. O(log
    /// basins)
    [[nodiscard]] std::uint32_t mergeOf(std::uint32_t basin, std::uint32_t other) const noexcept;
    /// Number of merges of at most this strength, which come first. O(log basins)
    [[nodiscard]] std::uint32_t mergesUpTo(std::uint64_t strength) const noexcept;
    /// Strength of the boundary between two basins; 0 for the same basin, kNever if only one has data. O(log basins)
    [[nodiscard]] std::uint64_t between(std::uint32_t basin, std::uint32_t other) const noexcept;
    /// The basin that stands for a basin's region if boundaries of at most @p strength are removed. O(log basins)
    [[nodiscard]] std::uint32_t regionOf(std::uint32_t basin, std::uint64_t strength) const noexcept {
        return regionAfter(basin, mergesUpTo(strength));
    }
    /// As regionOf(), after the first @p merges merges.
    [[nodiscard]] std::uint32_t regionAfter(std::uint32_t basin, std::uint32_t merges) const noexcept;
    /// Number of regions with data if boundaries of at most @p strength are removed. O(log basins)
    [[nodiscard]] std::size_t regionsAt(std::uint64_t strength) const noexcept;
    /// The smallest strength with at most this many regions; the largest strength if there are always more. O(1)
    [[nodiscard]] std::uint64_t strengthFor(std::size_t regions) const noexcept;
    /// Null if no device keeps the hierarchy.
    [[nodiscard]] const Regions* onDevice() const noexcept { return regions_.get(); }

private:
    Extent extent_;
    Buffer<std::uint32_t> basins_;
    std::vector<Join> joins_; ///< per basin
    std::vector<std::uint64_t> strengths_;
    std::vector<Basins> edges_;
    std::size_t withData_; ///< basins
    std::shared_ptr<const Regions> regions_;
};

} // namespace pollard
