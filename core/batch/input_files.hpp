#pragma once

#include "base/job_control.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pollard {

/// The files of a folder that @p wanted accepts, sorted; does not look into subfolders.
/// @throws Error(fileUnreadable)
[[nodiscard]] std::vector<std::string> filesIn(const std::filesystem::path& folder,
                                               const std::function<bool(const std::filesystem::path&)>& wanted);

/// The files of a folder with the extension of a readable format, as filesIn(). Arrays of NumPy are left out:
/// beside images, most arrays are tables and objects of Python.
[[nodiscard]] std::vector<std::string> imagesIn(const std::filesystem::path& folder);
/// Whether imagesIn() lists a file, or a folder of Zarr with this name.
[[nodiscard]] bool isImageName(const std::filesystem::path& file);
/// Whether a file is an array of NumPy that can be read as an image.
[[nodiscard]] bool isImageArray(const std::filesystem::path& file);

/// The files in a folder and its folders, sorted by folder and name. A folder of Zarr is listed instead of its files.
/// Folders without permission to read them are left out.
/// @throws Error(fileUnreadable) for a folder that cannot be read; Cancelled
[[nodiscard]] std::vector<std::filesystem::path> filesUnder(const std::filesystem::path& folder,
                                                            const JobControl& control = {});

/// Images, or folders with images, that an OME-Zarr folder lists which is no image itself.
struct ImageList {
    std::string title;                        ///< "Wells", "Fields of the well", "Labels" or "Images"
    std::filesystem::path folder;             ///< in which they are
    std::vector<std::filesystem::path> paths; ///< with the folder; none: an image
    std::vector<bool> exists = {};            ///< for each path, whether there is a group or an array
    std::vector<std::string> rows = {};       ///< names of the rows of a plate, if the file states them
    std::vector<std::string> columns = {};    ///< and of its columns
};
/// @param path any file or folder; the folder, or the file in it with its metadata, which has at most 1 MB
/// @return without paths for images, damaged metadata and builds without Zarr
[[nodiscard]] ImageList imagesListedBy(const std::filesystem::path& path);
/// The images of all wells and fields of a plate, or of another list; else the path.
/// @param missing takes the listed images that do not exist, unless none does; null: they are left out
[[nodiscard]] std::vector<std::filesystem::path> imagesUnder(const std::filesystem::path& path,
                                                             std::vector<std::filesystem::path>* missing = nullptr);

/// The first existing field of the first existing well, if the path is a plate or a well; else the path.
[[nodiscard]] std::filesystem::path firstOfPlate(const std::filesystem::path& path);

/// The outermost folder above an image with the name .zarr, or else with metadata of Zarr; else the path.
[[nodiscard]] std::filesystem::path hierarchyOf(const std::filesystem::path& image);
/// The name of an image in tables and messages: its file name, or "plate.zarr/A/1/0" in a hierarchy of Zarr.
[[nodiscard]] std::filesystem::path nameInTables(const std::filesystem::path& image);
/// A name for the results of an image: its file name without the extension; in a hierarchy of Zarr with its place
/// there, "plate_A_1_0" for plate.zarr/A/1/0.
[[nodiscard]] std::string resultName(const std::filesystem::path& image);

} // namespace pollard
