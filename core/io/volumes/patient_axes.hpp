#pragma once

#include "image/volume_plane.hpp"
#include "io/image_file.hpp"
#include "io/volumes/voxel_place.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace pollard {

/// A plane through a patient. Its normal is the axis to the right, to anterior or to superior.
enum class PatientPlane : std::uint8_t { sagittal, coronal, axial };

/// The end of the patient that a direction in right-anterior-superior points to: "R", "L", "A", "P", "S" or "I". The
/// second nearest end follows, as in "AS", if the direction is more than 20 degrees from the nearest one. Empty for
/// directions without a length.
[[nodiscard]] std::string patientLetters(const AxisDirection& direction);

/// The plane of voxels across an axis, by the axis of the patient that is nearest to its normal. Nothing if the steps
/// in the plane are parallel. @param map in right-anterior-superior
[[nodiscard]] std::optional<PatientPlane> patientPlane(const VoxelMap& map, VolumeAxis across);

/// Directions to the right and down in the image of a plane of voxels, see VolumePlane.
[[nodiscard]] std::array<AxisDirection, 2> directionsIn(const VoxelMap& map, VolumeAxis across,
                                                        const PlaneTurn& turn = {});

/// The turn that shows a section with the patient upright: superior on top in sagittal and coronal planes, anterior at
/// the left in sagittal planes and on top in axial planes. Left and right are as in the slices if the rows of both run
/// along x; else the patient's left is at the right. None without a plane.
[[nodiscard]] PlaneTurn uprightTurn(const VoxelMap& map, VolumeAxis across);

/// Map from voxels to the patient in right-anterior-superior, with the sides that the user set; nothing if the file
/// does not state it.
[[nodiscard]] std::optional<VoxelMap> patientMap(const ImageInfo& info);

/// Place of the centre of a voxel, in the space of the map.
[[nodiscard]] AxisDirection voxelCentre(const VoxelMap& map, double x, double y, double z) noexcept;

/// Sets the lengths of steps; a length of 0 keeps the step.
void setStepLengths(VoxelMap& map, const std::array<double, 3>& lengths) noexcept;

} // namespace pollard
