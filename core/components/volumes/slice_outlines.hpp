#pragma once

#include "base/job_control.hpp"
#include "components/objects/object_column.hpp"
#include "components/volumes/volume_components.hpp"
#include "components/volumes/volume_features.hpp"

#include <cstdint>
#include <filesystem>
#include <span>

namespace pollard {

class TextFile;

/// Writes GeoJSON with a feature for each slice of an object, slice by slice: the polygons in the slice, in px, and the
/// properties `label`, `slice` (from 0), volume, centroid and mean grey level of the whole object.
/// @param components with labels and records
/// @param labels objects to write
/// @param unit of the properties
/// @param further properties of the objects
/// @throws Error(writeFailed), Error(outOfMemory); Cancelled
void writeSliceOutlines(TextFile& file, const VolumeComponents& components, std::span<const std::uint32_t> labels,
                        const JobControl& control = {}, const VolumeUnit& unit = {},
                        std::span<const ObjectColumn> further = {});

/// Writes a zip with a region of ImageJ for each slice of an object, "<label>-<slice>.roi" with slices from 1 as in
/// ImageJ, each placed in its slice of the stack.
/// @param components with labels
/// @param labels objects to write
/// @throws Error(limitExceeded) beyond 65,535 regions or 32,767 px; Error(writeFailed), Error(outOfMemory); Cancelled
void writeSliceRois(const std::filesystem::path& path, const VolumeComponents& components,
                    std::span<const std::uint32_t> labels, const JobControl& control = {});

} // namespace pollard
