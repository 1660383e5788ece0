#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Direction of an axis of voxels, in the axes of a space.
using AxisDirection = std::array<double, 3>;

/// Letters of both ends of the axes of a space, e.g. {"RL", "AP", "SI"}: x ascends to the right, y to anterior, z to
/// superior.
using SpaceLetters = std::array<std::string_view, 3>;

inline constexpr SpaceLetters kRas{"RL", "AP", "SI"};
inline constexpr SpaceLetters kLps{"LR", "PA", "SI"};

/// "x to L, y to P, z to S", by the largest component of each direction, with ", oblique" if an axis is not parallel to
/// an axis of the space. Empty if a direction is zero or not finite. @param directions of x, y and z, at most three
[[nodiscard]] std::string directionsText(std::span<const AxisDirection> directions, const SpaceLetters& letters);

/// Length of a direction.
[[nodiscard]] double lengthOf(const AxisDirection& direction) noexcept;

/// Name of a unit of length for PixelSize, "µm", "mm", "cm", "m" or "nm"; nothing for other units.
[[nodiscard]] std::optional<std::string> voxelUnit(std::string_view text);

/// Affine map from the index of a voxel along x, y and z to the place of its centre.
struct VoxelMap {
    std::array<std::array<double, 3>, 3> steps{}; ///< along x, y and z, from voxel to voxel
    std::array<double, 3> origin{};               ///< centre of the first voxel

    bool operator==(const VoxelMap&) const = default;
};

/// The qform of NIfTI: a rotation with the sides of a voxel.
struct VoxelRotation {
    std::array<double, 3> quaternion{}; ///< b, c and d
    double handed = 1;                  ///< -1: the z axis points the other way
    std::array<double, 3> sides{};
    std::array<double, 3> origin{};
    int code = 1;

    [[nodiscard]] VoxelMap map() const noexcept;

    bool operator==(const VoxelRotation&) const = default;
};

inline constexpr std::string_view kRasSpace = "right-anterior-superior";

/// Where voxels lie in a space. In an anatomical space the maps are in right-anterior-superior: x ascends to the right,
/// y to anterior, z to superior.
struct VoxelPlace {
    VoxelMap map;                               ///< of the rotation if the code is 0
    int code = 1;                               ///< sform code of NIfTI; 0: only the rotation is stated
    std::optional<VoxelRotation> rotation{};    ///< stated in addition to the map
    std::string unit{};                         ///< of the maps; empty: unknown
    std::string space = std::string(kRasSpace); ///< in the file, by the names of NRRD; empty: unknown
    bool isAnatomical = true;

    bool operator==(const VoxelPlace&) const = default;
};

/// Moves the origin to voxel (@p x, @p y, @p z).
void moveFirst(std::optional<VoxelPlace>& place, double x, double y, double z) noexcept;
/// Adapts the map to blocks of x * y * z voxels.
void shrinkVoxels(std::optional<VoxelPlace>& place, double x, double y, double z) noexcept;

/// The letters "LPS" of an anatomical space of NRRD, such as "left-posterior-superior", "LPS" or "lpst"; nothing for
/// others.
[[nodiscard]] std::optional<std::string> anatomicalLetters(std::string_view space);
/// Converts a map in an anatomical space to right-anterior-superior, or back.
/// @param letters of anatomicalLetters() whose axes are R or L, A or P, S or I, in this order
void turnSpace(VoxelMap& map, std::string_view letters) noexcept;

} // namespace pollard
