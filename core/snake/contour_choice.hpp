#pragma once

#include "snake/snake_spec.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace pollard {

/// How contours move, and whether they share a background. Several contours together always move step by step on the
/// CPU.
struct ContourEngine {
    bool isWhole = false;  ///< the document's engine, which cannot pause, to the end; else the CPU, state by state
    std::string algorithm; ///< of that engine; empty: its default for the moves of the spec
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
