#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string_view>

namespace pollard {

/// Whether a name of GDAL starts like "HDF5:", "vrt:" or "<VRTDataset>" instead of like the path of a file.
[[nodiscard]] bool isGdalDescription(std::string_view name);

/// Whether GDAL takes a file for a virtual raster (VRT).
[[nodiscard]] bool isVirtualRaster(const std::filesystem::path& file);

/// Counts the files of which GDAL reads the pixels of a virtual raster, with those of the virtual rasters among them.
/// @param counted results for the files on the way; those in it are not read again
/// @throws Error(limitExceeded) for one that is a source of itself, virtual rasters in more than 16 levels, or more
/// than a million files; Error(formatUnsupported) for a description in place of a file, Error(fileDamaged) if it is no
/// XML, Error(fileUnreadable)
std::uint64_t countSources(const std::filesystem::path& file, std::map<std::filesystem::path, std::uint64_t>& counted);

} // namespace pollard
