#pragma once

#include "snake/region_law.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace pollard {

/// Nodes that move in one round.
enum class SnakeMoves : std::uint8_t {
    sequential, ///< one after the other, each with the others' new positions: the reference
    parity,     ///< all even nodes, then all odd ones, simultaneously
    localBest,  ///< simultaneously every node with a larger gain than its neighbours, each by the best of several steps
};
inline constexpr std::array kSnakeMoves{SnakeMoves::sequential, SnakeMoves::parity, SnakeMoves::localBest};
/// "sequential", "parity", "local-best"
[[nodiscard]] std::string_view nameOf(SnakeMoves moves) noexcept;

/// Parameters of an evolution.
struct SnakeSpec {
    RegionLaw law = RegionLaw::gaussian;
    SnakeMoves moves = SnakeMoves::localBest;
    std::uint32_t maxStep = 0;     ///< px; first step, a power of two; 0: see usedMaxStep()
    std::uint32_t minLength = 8;   ///< px; edges with a larger extent are split
    std::uint32_t minPixels = 16;  ///< smallest number of pixels inside and outside
    std::uint32_t maxNodes = 4096; ///< edges are not split beyond this number
    std::uint32_t maxRounds = 0;   ///< 0: until nothing moves or splits
    double lengthPrice = 0;        ///< energy per px of a contour's length, 0 to kMostLengthPrice

    bool operator==(const SnakeSpec&) const = default;
};

inline constexpr double kMostLengthPrice = 1e9;

/// First step for an image: the largest power of two up to maxStep, or if it is 0 up to 1/32 of the longer side, at
/// least 4; at most that side. Steps must be larger than the noise between node and object.
[[nodiscard]] std::uint32_t usedMaxStep(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height) noexcept;

} // namespace pollard
