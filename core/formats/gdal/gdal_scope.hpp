#pragma once

#include "base/error.hpp"
#include "formats/gdal/gdal_folder.hpp"

#include <array>
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <cstddef>
#include <cstdint>
#include <gdal.h>
#include <memory>
#include <ogr_srs_api.h>
#include <span>
#include <string>
#include <type_traits>

namespace pollard {

struct CloseGdal {
    void operator()(void* dataset) const noexcept { GDALClose(dataset); }
};
using GdalHandle = std::unique_ptr<void, CloseGdal>;

struct ReleaseGdalSystem {
    void operator()(OGRSpatialReferenceH system) const noexcept { OSRRelease(system); }
};
/// A coordinate system.
using GdalSystem = std::unique_ptr<std::remove_pointer_t<OGRSpatialReferenceH>, ReleaseGdalSystem>;

/// The coordinate system of a text in WKT, with axes in the order east, north; null if GDAL does not know it.
[[nodiscard]] inline GdalSystem gdalSystem(const std::string& text) {
    GdalSystem system(text.empty() ? nullptr : OSRNewSpatialReference(text.c_str()));
    if (system) {
        OSRSetAxisMappingStrategy(system.get(), OAMS_TRADITIONAL_GIS_ORDER);
    }
    return system;
}

/// A coordinate system as WKT. @param format "WKT1_GDAL", "WKT2_2019"
[[nodiscard]] inline std::string gdalText(OGRSpatialReferenceH system, const char* format) {
    const std::string option = std::string("FORMAT=") + format;
    const std::array<const char*, 2> options{option.c_str(), nullptr};
    char* written = nullptr;
    OSRExportToWktEx(system, &written, options.data());
    std::string text = written != nullptr ? written : "";
    CPLFree(written);
    return text;
}

/// A file in GDAL's memory, removed with this object.
class GdalMemoryFile {
public:
    /// @param extension with the dot
    explicit GdalMemoryFile(const std::string& extension)
        : name_("/vsimem/pollard-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + extension) {}
    ~GdalMemoryFile() {
        VSIUnlink(name_.c_str());
        VSIUnlink((name_ + ".aux.xml").c_str());
    }
    GdalMemoryFile(const GdalMemoryFile&) = delete;
    GdalMemoryFile& operator=(const GdalMemoryFile&) = delete;

    [[nodiscard]] const char* name() const noexcept { return name_.c_str(); }
    /// The content, valid until the file changes; empty if there is no file.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        vsi_l_offset size = 0;
        const GByte* data = VSIGetMemFileBuffer(name_.c_str(), &size, FALSE);
        return {reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
    }

private:
    std::string name_;
};

/// Prepares GDAL for files from unknown sources, once: drivers of image files and of a few vector formats only, no
/// plugins, no Python, no network, no printed messages. GdalFolder guards the access to files. Images cannot make GDAL
/// use drivers of vector files.
void prepareGdal();

/// A scope for GDAL calls about one file on this thread: they only read files of its folder, and messages are kept
/// instead of printed. Scopes of different files must not overlap on a thread.
class GdalScope {
public:
    /// Prepares GDAL. @p folder must outlive this object.
    explicit GdalScope(GdalFolder& folder);
    ~GdalScope();
    GdalScope(const GdalScope&) = delete;
    GdalScope& operator=(const GdalScope&) = delete;

    [[nodiscard]] bool hasFailed() const noexcept { return !first_.empty(); }
    /// The first error that GDAL reported, or why the folder refused a file, in one line that names the file.
    [[nodiscard]] Error failure(ErrorCode code, const std::string& otherwise) const;
    /// @throws Error if the folder refused a file that GDAL tried to read
    void requireAdmitted() const;

private:
    static void keep(CPLErr level, CPLErrorNum number, const char* text);

    GdalFolder& folder_;
    GdalFolder* outer_;
    std::string first_;
};

} // namespace pollard
