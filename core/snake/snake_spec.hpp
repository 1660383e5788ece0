#pragma once

#include "snake/region_law.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace pollard {

/// Which nodes move in one round.
enum class SnakeMoves : std::uint8_t {
    sequential, ///< one after the other, each seeing the others' new places: the reference
    parity,     ///< all even nodes, then all odd ones, together
    localBest,  ///< every node that gains more than both neighbours, together, each by the best of several steps
};
inline constexpr std::array kSnakeMoves{SnakeMoves::sequential, SnakeMoves::parity, SnakeMoves::localBest};
/// "sequential", "parity", "local-best"
[[nodiscard]] std::string_view nameOf(SnakeMoves moves) noexcept;

/// How a contour is to evolve.
struct SnakeSpec {
    RegionLaw law = RegionLaw::gaussian;
    SnakeMoves moves = SnakeMoves::localBest;
    std::uint32_t maxStep = 0;     ///< px; the first step of a node, a power of two; 0: see usedMaxStep()
    std::uint32_t minLength = 8;   ///< px; longer edges are split, by the larger of their two extents
    std::uint32_t minPixels = 16;  ///< that the contour and its surroundings have to hold
    std::uint32_t maxNodes = 4096; ///< no edge is split beyond
    std::uint32_t maxRounds = 0;   ///< 0: until nothing moves and nothing is split

    bool operator==(const SnakeSpec&) const = default;
};

/// The step for an image: the largest power of two up to the given one, or else up to 1/32 of the longer side, at least
/// 4; never beyond that side. Nodes have to reach over the noise between them and the object.
[[nodiscard]] std::uint32_t usedMaxStep(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height) noexcept;

} // namespace pollard
