#pragma once

#include "snake/place_steps.hpp"
#include "snake/region_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Cache for the eight positions around each node of a contour at one distance: sums left of the edges to and from
/// them. Entries stay valid across moves, steps and splits while the ends of their edge stay, since most of a snake's
/// time goes into these sums.
class SnakeCandidates {
public:
    static constexpr std::size_t kPlaces = PlaceSteps::kCount;

    /// Sums of one node in one direction; bit k of known marks sum k as valid.
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
        Side to;   ///< edges from the previous node to the positions
        Side from; ///< edges from the positions to the next node
    };

    /// Allocates entries for the nodes of a contour if there are none yet.
    void require(std::size_t count) {
        if (nodes_.empty()) {
            nodes_.resize(count);
        }
    }
    [[nodiscard]] Node& operator[](std::size_t node) noexcept { return nodes_[node]; }
    [[nodiscard]] const Node& operator[](std::size_t node) const noexcept { return nodes_[node]; }

    /// Invalidates the sums around @p node after it moved, and those of its neighbours that depend on it.
    void forget(std::size_t before, std::size_t node, std::size_t after) noexcept {
        if (nodes_.empty()) {
            return;
        }
        nodes_[before].from.known = 0;
        nodes_[node].to.known = 0;
        nodes_[node].from.known = 0;
        nodes_[after].to.known = 0;
    }
    /// As forget(), if @p node moved to one of its positions at this distance: reuses sums where new positions are old
    /// ones or the node's former position.
    /// @param to, from sums of the former edges to and from the node
    void shift(std::size_t before, std::size_t node, std::size_t after, std::size_t place, const RegionSums& to,
               const RegionSums& from);
    /// Reorders entries after a split; @p oldNumbers has the former index of every node, -1 for a new one. Entries of
    /// split edges are invalid.
    void renumber(const std::vector<std::ptrdiff_t>& oldNumbers);

private:
    std::vector<Node> nodes_;
};

} // namespace pollard
