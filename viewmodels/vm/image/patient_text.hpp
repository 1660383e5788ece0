#pragma once

#include "image/extent.hpp"
#include "image/volume_plane.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

// Images and volumes in the axes of a patient: right, anterior and superior.

/// Where the voxels of an image lie in the patient, with the sides that the user set; nothing for files that do not
/// state it. @param info null: nothing
[[nodiscard]] std::optional<VoxelMap> patientMap(const ImageInfo* info);

/// Distances of the centre of a voxel from the origin of the patient's axes, "R 12.3  P 45.6  S 7.8 mm": to the right
/// or left, to anterior or posterior, to superior or inferior. Empty without a map.
[[nodiscard]] QString patientText(const ImageInfo* info, const Voxel& voxel);

/// The turn of a section beside the slices that puts the patient upright; none without a map.
[[nodiscard]] PlaneTurn turnOf(const ImageInfo* info, VolumeAxis across);

/// "axial", "coronal" or "sagittal", or "XY", "XZ" or "YZ" for files that do not state the axes of a patient.
[[nodiscard]] QString planeName(const ImageInfo* info, VolumeAxis across);
/// The same with a capital.
[[nodiscard]] QString planeTitle(const ImageInfo* info, VolumeAxis across);

} // namespace pollard::vm
