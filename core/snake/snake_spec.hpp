#pragma once

#include "snake/region_law.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// Nodes that move in one round.
enum class SnakeMoves : std::uint8_t {
    sequential, ///< one after the other, each at the new positions of the others: the reference
    parity,     ///< all even nodes, then all odd ones, simultaneously
    /// All nodes with a larger gain than their neighbours, simultaneously, each by the best of several steps.
    localBest,
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

/// First step for an image: the largest power of two up to maxStep, or, if maxStep is 0, up to 1/32 of the longer side,
/// at least 4; at most the longer side. Steps must be larger than the noise between node and object.
[[nodiscard]] std::uint32_t usedMaxStep(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height) noexcept;

/// How contours move, and whether they share a background. Several contours together always move step by step on the
/// CPU.
struct ContourEngine {
    /// Evolves to the end on the document's engine, which cannot pause; else state by state on the CPU.
    bool isWhole = false;
    std::string algorithm;                   ///< of that engine; empty: its default for the moves of the spec
    std::optional<std::uint32_t> apart = {}; ///< px around each start: every contour on its own part; empty: together

    bool operator==(const ContourEngine&) const = default;
};

/// Parameters of the evolution of contours.
struct ContourChoice {
    SnakeSpec spec;
    ContourEngine engine;

    bool operator==(const ContourChoice&) const = default;
};

} // namespace pollard
