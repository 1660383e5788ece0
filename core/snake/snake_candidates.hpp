#pragma once

#include "snake/place_steps.hpp"
#include "snake/region_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// What is known of the eight places around each node of a contour, at one distance: the sums to the left of the edges
/// there. Kept as long as the ends of an edge stay, over all other moves, steps and splits, since most of the time of a
/// snake goes into these sums.
class SnakeCandidates {
public:
    static constexpr std::size_t kPlaces = PlaceSteps::kCount;

    /// Of one node. A bit of known says that the sum is there.
    struct Side {
        std::array<RegionSums, kPlaces> sums;
        std::uint8_t known = 0;

        [[nodiscard]] bool knows(std::size_t place) const noexcept { return (known >> place & 1U) != 0; }
        void put(std::size_t place, const RegionSums& sum) noexcept {
            sums[place] = sum;
            known = static_cast<std::uint8_t>(known | 1U << place);
        }
    };
    struct Node {
        Side to;   ///< edges from the node before to the places
        Side from; ///< edges from the places to the node after
    };

    /// Makes room for the nodes of a contour where there is none yet.
    void require(std::size_t count) {
        if (nodes_.empty()) {
            nodes_.resize(count);
        }
    }
    [[nodiscard]] Node& operator[](std::size_t node) noexcept { return nodes_[node]; }
    [[nodiscard]] const Node& operator[](std::size_t node) const noexcept { return nodes_[node]; }

    /// @p node moved: of it nothing is known any more, and nothing of what leads to it from its neighbours' places.
    void forget(std::size_t before, std::size_t node, std::size_t after) noexcept {
        if (nodes_.empty()) {
            return;
        }
        nodes_[before].from.known = 0;
        nodes_[node].to.known = 0;
        nodes_[node].from.known = 0;
        nodes_[after].to.known = 0;
    }
    /// @p node moved to one of its places at this distance: some of the new places are old ones, or the node's own.
    /// @param to, from sums of the edges that led to the node and away from it before
    void shift(std::size_t before, std::size_t node, std::size_t after, std::size_t place, const RegionSums& to,
               const RegionSums& from);
    /// The nodes became those with these old numbers; -1 for a new one. Of an edge that was split nothing is known.
    void renumber(const std::vector<std::ptrdiff_t>& oldNumbers);

private:
    std::vector<Node> nodes_;
};

} // namespace pollard
