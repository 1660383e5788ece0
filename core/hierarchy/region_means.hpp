#pragma once

#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Mean levels of the regions of a hierarchy for any cut. The basins are sorted so that the basins of a region are
/// neighbours; two sums over the first basins give the sum over a region.
class RegionMeans {
public:
    /// Refers to the hierarchy, which must outlive it. O(pixels + basins)
    /// @param image of which the hierarchy may have been made, or another one of its size
    /// @param valid pixels with data; null: all
    /// @throws Error(invalidArgument) for an image of another size; Error(outOfMemory), Cancelled
    RegionMeans(const Hierarchy& hierarchy, const Image& image, const Mask* valid, const JobControl& control = {});

    /// The mean level, rounded down, of the region of which @p basin stands after the first @p merges merges, see
    /// Hierarchy::regionAfter(); 0 without data. O(log basins)
    [[nodiscard]] std::uint32_t of(std::uint32_t basin, std::uint32_t merges) const;

private:
    struct Sums {
        std::uint64_t levels = 0;
        std::uint64_t pixels = 0;
    };
    void order(const JobControl& control);

    const Hierarchy& hierarchy_;
    std::vector<std::uint32_t> place_;   ///< of a basin; the basins that join it follow, with all that joined them
    std::vector<std::uint32_t> behind_;  ///< places from the basin that a basin joins to the basin itself
    std::vector<std::uint32_t> count_;   ///< basins that join a basin in any number of steps, and the basin itself
    std::vector<std::uint32_t> first_;   ///< of a basin: index in joining_
    std::vector<std::uint32_t> joining_; ///< the basins that join a basin, in the order of their merges
    std::vector<Sums> before_;           ///< over the basins before a place
};

} // namespace pollard
