#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Direction of an axis of voxels, in the axes of a space.
using AxisDirection = std::array<double, 3>;

/// Letters of the ends of a space's axes, e.g. {"RL", "AP", "SI"}: x ascends to the right, y to anterior, z to
/// superior.
using SpaceLetters = std::array<std::string_view, 3>;

inline constexpr SpaceLetters kRas{"RL", "AP", "SI"};
inline constexpr SpaceLetters kLps{"LR", "PA", "SI"};

/// "x to L, y to P, z to S", by the largest component of each direction, with ", oblique" if an axis is not parallel to
/// an axis of the space. Empty if a direction is zero or not finite. @param directions of x, y and z, at most three
[[nodiscard]] std::string directionsText(std::span<const AxisDirection> directions, const SpaceLetters& letters);

/// Length of a direction.
[[nodiscard]] double lengthOf(const AxisDirection& direction) noexcept;

/// Name of a unit of length as PixelSize has it, "µm", "mm", "cm", "m" or "nm"; nothing for others.
[[nodiscard]] std::optional<std::string> voxelUnit(std::string_view text);

} // namespace pollard
