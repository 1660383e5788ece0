#include "snake/snake_spec.hpp"

#include <algorithm>
#include <bit>

namespace pollard {

std::string_view nameOf(RegionLaw law) noexcept {
    switch (law) {
    case RegionLaw::gaussian:
        return "gaussian";
    case RegionLaw::poisson:
        return "poisson";
    case RegionLaw::gamma:
        return "gamma";
    case RegionLaw::rayleigh:
        return "rayleigh";
    }
    return {};
}

std::string_view nameOf(SnakeMoves moves) noexcept {
    switch (moves) {
    case SnakeMoves::sequential:
        return "sequential";
    case SnakeMoves::parity:
        return "parity";
    case SnakeMoves::localBest:
        return "local-best";
    }
    return {};
}

std::uint32_t usedMaxStep(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height) noexcept {
    constexpr std::uint32_t kPart = 32;
    constexpr std::uint32_t kLeast = 4;
    const std::uint32_t side = std::max({width, height, 1U});
    const std::uint32_t step = spec.maxStep != 0 ? spec.maxStep : std::max(side / kPart, kLeast);
    return std::bit_floor(std::min(step, side));
}

} // namespace pollard
