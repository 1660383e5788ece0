#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace pollard {

/// The files that GDAL may read while it works on one file: those in its folder and below, by their real places, and
/// the tables of GDAL itself. Nothing is written. Not for several threads at once.
class GdalFolder {
public:
    explicit GdalFolder(const std::filesystem::path& file);

    /// The real path of the file, under which GDAL opens it.
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
    /// Whether this is the text by which a driver names a part of the file: HDF5:"/data/a.h5"://group/image.
    [[nodiscard]] bool isPart(const std::string& name) const;
    /// Why GDAL's results must not be used; empty if they may be.
    [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }
    /// The first file beyond the folder that GDAL asked for; empty if there is none.
    [[nodiscard]] const std::string& outside() const noexcept { return outside_; }

    /// Whether GDAL may read a file or folder with this name. Of other names, those that would be data bases, parts of
    /// other files or descriptions in place of names set refusal().
    [[nodiscard]] bool admits(const std::string& name);
    /// As admits() for the content of a file. A virtual raster must be one that GDAL can read in limited time.
    [[nodiscard]] bool admitsContent(const std::string& name);

    /// Replaces GDAL's access to files for all threads: on a thread with a folder files of this folder can be read, on
    /// others all files can. Compressed, remote and other virtual files can not, except those in memory and parts of
    /// files. Once, before other calls of GDAL.
    static void guardFiles();
    /// Sets the folder of this thread, null for none. @returns the one before
    static GdalFolder* use(GdalFolder* folder) noexcept;

private:
    struct Callbacks;

    std::filesystem::path file_;
    std::filesystem::path root_;
    std::string refusal_;
    std::string outside_;
    std::map<std::filesystem::path, std::uint64_t> virtualRasters_; ///< checked ones, with the number of their sources
};

} // namespace pollard
