#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pollard::cli {

/// Checks in advance that a result can be written: the folder exists and is writable, and the target is not a folder.
/// @throws Error(writeFailed)
void requireWritable(const std::filesystem::path& target);

/// @param orArray a NumPy array is written, too
/// @param orImage PNG and JPEG are written, too, see writeImage()
/// @throws UsageError unless the name is that of a TIFF, NIfTI, NRRD, MetaImage or FITS file or of OME-Zarr, see
/// writeResult()
void requireResultName(const std::filesystem::path& target, bool orArray = false, bool orImage = false);

/// Whether a NumPy array has this name.
[[nodiscard]] bool namesArray(const std::filesystem::path& target);

/// @param orArray a NumPy array is written, too
/// @throws UsageError unless the name ends in .tif or .tiff, the only format of images with several pages
void requireTiffName(const std::filesystem::path& target, bool orArray = false);

/// @throws UsageError unless the name is that of a TIFF file or of OME-Zarr, which can have several channels
void requireChannelsName(const std::filesystem::path& target);

/// @throws UsageError if both paths denote the same file: a result never replaces its source or another result. @p one
/// may be a folder or pattern of slices, see slicesNamed(); @p what describes it in the message.
void requireDifferent(const std::filesystem::path& one, const std::filesystem::path& other, const std::string& what);

/// A file of a command, with its description in messages: "the table".
struct NamedFile {
    std::filesystem::path path;
    std::string what;
};
/// Checks files to write in their order: each differs from the inputs and the files before it, and can be written.
/// @param outputs those without a name are not written
/// @throws UsageError, Error(writeFailed)
void requireOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);
/// The same for an image as the only input. @param image as named on the command line
void requireOutputs(const std::string& image, const std::vector<NamedFile>& outputs);

} // namespace pollard::cli
