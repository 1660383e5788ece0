#pragma once

#include "base/error.hpp"
#include "formats/gdal/gdal_folder.hpp"

#include <cpl_error.h>
#include <string>

namespace pollard {

/// Prepares GDAL for files from unknown sources, once: only drivers of images in files and of a few vector files, no
/// plugins, no Python, no network, files guarded by GdalFolder, messages silent. No image leads to drivers of vector
/// files.
void prepareGdal();

/// Calls of GDAL on this thread about one file: they read files of its folder only, and their messages are kept
/// instead of printed. Scopes of different files do not overlap on a thread.
class GdalScope {
public:
    /// Prepares GDAL. @p folder must outlive this object.
    explicit GdalScope(GdalFolder& folder);
    ~GdalScope();
    GdalScope(const GdalScope&) = delete;
    GdalScope& operator=(const GdalScope&) = delete;

    [[nodiscard]] bool hasFailed() const noexcept { return !first_.empty(); }
    /// The error that GDAL reported first, or why the folder refused, in a line for the user that names the file.
    [[nodiscard]] Error failure(ErrorCode code, const std::string& otherwise) const;
    /// @throws Error if the folder refused a name that the calls asked for
    void requireAdmitted() const;

private:
    static void keep(CPLErr level, CPLErrorNum number, const char* text);

    GdalFolder& folder_;
    GdalFolder* outer_;
    std::string first_;
};

} // namespace pollard
