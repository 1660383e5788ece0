#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace pollard {

/// The files that GDAL may read while it works on one file: files in the folder of the file and below it, links
/// resolved, and GDAL's own data files. Nothing is written. Not thread-safe.
class GdalFolder {
public:
    explicit GdalFolder(const std::filesystem::path& file);

    /// The real path of the file, under which GDAL opens it.
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
    /// Whether @p name is a driver's name for a part of the file: HDF5:"/data/a.h5"://group/image.
    [[nodiscard]] bool isPart(const std::string& name) const;
    /// Why GDAL's results must not be used; empty if they may.
    [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }
    /// The first file outside the folder that GDAL tried to read; empty if there is none.
    [[nodiscard]] const std::string& outside() const noexcept { return outside_; }

    /// Whether GDAL may read a file or folder with this name. Sets refusal() if the name means a data base, a part of
    /// another file or a description.
    [[nodiscard]] bool admits(const std::string& name);
    /// Like admits(), for the content of a file. Also checks that GDAL can read a virtual raster in limited time.
    [[nodiscard]] bool admitsContent(const std::string& name);

    /// Replaces GDAL's access to files on all threads: a thread with a folder reads only files of that folder, a thread
    /// without one reads all files. Of GDAL's virtual file systems, only files in memory and parts of files remain.
    /// Call it once, before other calls of GDAL.
    static void guardFiles();
    /// Sets the folder of this thread, null for none. @returns the previous folder
    static GdalFolder* use(GdalFolder* folder) noexcept;

private:
    struct Callbacks;

    std::filesystem::path file_;
    std::filesystem::path root_;
    std::string refusal_;
    std::string outside_;
    std::map<std::filesystem::path, std::uint64_t> virtualRasters_; ///< checked, with the number of their sources
};

/// Refuses an SQLite data base with content that is computed on reading: views, computed columns, and virtual tables
/// other than the R-trees of GeoPackages. Such content can take any time and can read other files.
/// @throws Error(formatUnsupported), Error(fileDamaged) if the file is no data base, Error(limitExceeded) for more than
/// 100,000 tables and indexes, Error(fileUnreadable) if another program has not written its changes to the file yet
void requirePlainTables(const std::filesystem::path& file);

} // namespace pollard
