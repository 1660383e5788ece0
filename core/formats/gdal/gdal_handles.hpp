#pragma once

#include <array>
#include <cpl_conv.h>
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

/// The system of a WKT with the axes in the order east, north; null if GDAL does not know it.
[[nodiscard]] inline GdalSystem gdalSystem(const std::string& text) {
    GdalSystem system(text.empty() ? nullptr : OSRNewSpatialReference(text.c_str()));
    if (system) {
        OSRSetAxisMappingStrategy(system.get(), OAMS_TRADITIONAL_GIS_ORDER);
    }
    return system;
}

/// @param format "WKT1_GDAL", "WKT2_2019"
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
    /// The content, until the file changes; empty if there is no file.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        vsi_l_offset size = 0;
        const GByte* data = VSIGetMemFileBuffer(name_.c_str(), &size, FALSE);
        return {reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
    }

private:
    std::string name_;
};

} // namespace pollard
