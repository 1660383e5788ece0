#pragma once

#include "recipe/recipe.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pollard::cli {

/// Expands the inputs of a batch to images, in order: a folder to its files with the extensions of readable formats,
/// not recursively; a path with * or ? in its last part, unless such a file exists, to the matching files; both sorted
/// by name. Other inputs stay unchanged.
/// @throws UsageError for a folder or a pattern without images; Error(fileUnreadable) for an unreadable folder
[[nodiscard]] std::vector<std::string> expandInputs(const std::vector<std::string>& inputs);

/// The files of a folder or a pattern as the slices of a volume, in the order of the numbers in their names: a2 before
/// a10. Nothing for the path of a file.
/// @throws as expandInputs()
[[nodiscard]] std::vector<std::filesystem::path> slicesNamed(const std::filesystem::path& path);

/// A recipe named on a command line.
struct RecipeArgument {
    Recipe recipe;
    std::string file; ///< empty for a preset
};
/// Reads a recipe file, or finds the preset of `preset:NAME`.
/// @throws UsageError for an unknown preset; Error as loadRecipe()
[[nodiscard]] RecipeArgument recipeNamed(const std::string& text);

/// Checks in advance that a result can be written: the folder exists and is writable, and the target is not a folder.
/// @throws Error(writeFailed)
void requireWritable(const std::filesystem::path& target);

/// @param orArray a NumPy array is written, too
/// @param orImage PNG and JPEG are written, too, see writeImage()
/// @throws UsageError unless the name ends as a name of a TIFF, NIfTI, NRRD, MetaImage or FITS file or of OME-Zarr, see
/// writeResult()
void requireResultName(const std::filesystem::path& target, bool orArray = false, bool orImage = false);

/// Whether a NumPy array has this name.
[[nodiscard]] bool namesArray(const std::filesystem::path& target);

/// @param orArray a NumPy array is written, too
/// @throws UsageError unless the name ends in .tif or .tiff, the only format of images with several pages
void requireTiffName(const std::filesystem::path& target, bool orArray = false);

/// @throws UsageError unless the name ends as a name of a TIFF file or of OME-Zarr, which can have several channels
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
/// @param outputs files without a name are not written
/// @throws UsageError, Error(writeFailed)
void requireOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);
/// Checks the files to write of a command with one input. @param image as named on the command line
void requireOutputs(const std::string& image, const std::vector<NamedFile>& outputs);

} // namespace pollard::cli
