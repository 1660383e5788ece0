#include "operators/structuring_element.hpp"

#include <algorithm>
#include <cmath>

namespace pollard {
namespace {

/// Share of a length within which two lengths are equal, because a unit other than px rounds them.
constexpr double kRounding = 1e-9;

} // namespace

std::int32_t reachAlong(double radius, double side) noexcept {
    return static_cast<std::int32_t>(std::floor(radius / side * (1 + kRounding)));
}

std::vector<Chord> chordsOf(OperatorShape shape, double radius, const VoxelSides& sides, bool isVolume) {
    std::vector<Chord> chords;
    const std::int32_t deep = isVolume ? reachAlong(radius, sides.z) : 0;
    const std::int32_t high = reachAlong(radius, sides.y);
    const std::int32_t wide = reachAlong(radius, sides.x);
    for (std::int32_t z = -deep; z <= deep; ++z) {
        for (std::int32_t y = -high; y <= high; ++y) {
            if (shape == OperatorShape::box) {
                chords.push_back({z, y, wide});
                continue;
            }
            const double squared = z * sides.z * (z * sides.z) + y * sides.y * (y * sides.y);
            const double rest = radius * radius * (1 + 2 * kRounding) - squared;
            if (rest >= 0) {
                chords.push_back({z, y, std::min(wide, reachAlong(std::sqrt(rest), sides.x))});
            }
        }
    }
    return chords;
}

} // namespace pollard
