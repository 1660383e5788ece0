#pragma once

#include <filesystem>
#include <string>

namespace pollard::cli {

/// Checks in advance that a result can be written: the folder exists and is writable, and the target is not a folder.
/// @throws Error(writeFailed)
void requireWritable(const std::filesystem::path& target);

/// @param orArray a NumPy array is written, too
/// @throws UsageError unless the name is that of a TIFF, NIfTI or NRRD file or of OME-Zarr, see writeResult()
void requireResultName(const std::filesystem::path& target, bool orArray = false);

/// Whether a NumPy array has this name.
[[nodiscard]] bool namesArray(const std::filesystem::path& target);

/// @param orArray a NumPy array is written, too
/// @throws UsageError unless the name ends in .tif or .tiff, the only format of pictures with several pages
void requireTiffName(const std::filesystem::path& target, bool orArray = false);

/// @throws UsageError unless the name is that of a TIFF file or of OME-Zarr, which can have several channels
void requireChannelsName(const std::filesystem::path& target);

/// @throws UsageError if both paths denote the same file: a result never replaces its source or another result. @p one
/// may be a folder or pattern of slices, see slicesNamed(); @p what describes it in the message.
void requireDifferent(const std::filesystem::path& one, const std::filesystem::path& other, const std::string& what);

} // namespace pollard::cli
