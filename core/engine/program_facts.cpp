#include "engine/program_facts.hpp"

#include "formats/dicom/dicom_pixels.hpp"
#include "geo/sky_coordinates.hpp"

#include <cstdint>
#include <cstdio>
#include <jpeglib.h>
#include <nlohmann/json.hpp>
#include <openjpeg.h>
#include <png.h>
#include <pugixml.hpp>
#include <string_view>
#include <tbb/version.h>
#include <tiffio.h>
#include <utility>
#include <webp/decode.h>
#include <zlib.h>

#ifdef POLLARD_WITH_FITS
#include <fitsio.h>
#endif
#ifdef POLLARD_WITH_GDAL
#include <gdal.h>
#endif
#ifdef POLLARD_WITH_OPENSLIDE
#include <openslide.h>
#endif
#ifdef POLLARD_WITH_PROJ
#include <proj.h>
#endif
#ifdef POLLARD_WITH_ZARR
#include <blosc.h>
#include <lz4.h>
#include <zstd.h>
#endif

namespace pollard {

namespace {

/// Formats a version number with components in this base as "1.2.3".
std::string dotted(std::uint64_t number, std::uint64_t base) {
    return std::to_string(number / base / base) + '.' + std::to_string(number / base % base) + '.' +
           std::to_string(number % base);
}

/// Extracts "4.5.0" from "LIBTIFF, Version 4.5.0\nCopyright ..."
std::string tiffVersion() {
    const std::string_view text = TIFFGetVersion();
    const std::size_t first = text.find_first_of("0123456789");
    return first == std::string_view::npos ? std::string() : std::string(text.substr(first, text.find('\n') - first));
}

} // namespace

std::vector<LibraryVersion> libraryVersions() {
    std::vector<LibraryVersion> libraries;
#ifdef POLLARD_WITH_DCMTK
    libraries.push_back({"DCMTK", dcmtkVersion(), "BSD-3-Clause"});
#endif
#ifdef POLLARD_WITH_ZARR
    libraries.push_back({"c-blosc", blosc_get_version_string(), "BSD-3-Clause"});
#endif
#ifdef POLLARD_WITH_FITS
    libraries.push_back({"cfitsio", std::to_string(CFITSIO_MAJOR) + '.' + std::to_string(CFITSIO_MINOR), "CFITSIO"});
#endif
#ifdef POLLARD_WITH_GDAL
    libraries.push_back({"GDAL", GDALVersionInfo("RELEASE_NAME"), "MIT"});
#endif
    libraries.push_back({"libjpeg", std::to_string(JPEG_LIB_VERSION / 10) + '.' + std::to_string(JPEG_LIB_VERSION % 10),
                         "IJG AND BSD-3-Clause"});
#ifdef POLLARD_WITH_ZARR
    libraries.push_back({"liblz4", LZ4_versionString(), "BSD-2-Clause"});
#endif
    libraries.push_back({"libpng", dotted(png_access_version_number(), 100), "libpng-2.0"});
    libraries.push_back({"libtiff", tiffVersion(), "libtiff"});
    libraries.push_back({"libwebp", dotted(static_cast<std::uint64_t>(WebPGetDecoderVersion()), 256), "BSD-3-Clause"});
    libraries.push_back({"nlohmann-json",
                         dotted(NLOHMANN_JSON_VERSION_MAJOR * 10000ULL + NLOHMANN_JSON_VERSION_MINOR * 100ULL +
                                    NLOHMANN_JSON_VERSION_PATCH,
                                100),
                         "MIT"});
    libraries.push_back({"oneTBB", TBB_runtime_version(), "Apache-2.0"});
    libraries.push_back({"OpenJPEG", opj_version(), "BSD-2-Clause"});
#ifdef POLLARD_WITH_OPENSLIDE
    libraries.push_back({"OpenSlide", openslide_get_version(), "LGPL-2.1-only"});
#endif
#ifdef POLLARD_WITH_PROJ
    libraries.push_back({"PROJ", proj_info().version, "MIT"});
#endif
    libraries.push_back({"pugixml",
                         std::to_string(PUGIXML_VERSION / 1000) + '.' + std::to_string(PUGIXML_VERSION % 1000 / 10) +
                             '.' + std::to_string(PUGIXML_VERSION % 10),
                         "MIT"});
#ifdef POLLARD_WITH_WCS
    libraries.push_back({"wcslib", wcslibVersion(), "LGPL-3.0-or-later"});
#endif
    libraries.push_back({"zlib", zlibVersion(), "Zlib"});
#ifdef POLLARD_WITH_ZARR
    libraries.push_back({"Zstandard", ZSTD_versionString(), "BSD-3-Clause"});
#endif
    return libraries;
}

ProgramFacts programFacts(std::string name, std::string version, const EngineRegistry& engines) {
    std::string engineLine = "engines:";
    for (const Engine* engine : engines.engines()) {
        engineLine += ' ' + engine->name();
    }
    std::string libraryLine = "libraries:";
    for (const LibraryVersion& library : libraryVersions()) {
        libraryLine += (libraryLine.back() == ':' ? " " : ", ") + library.name + ' ' + library.version;
    }
    return {std::move(name), std::move(version), {std::move(engineLine), std::move(libraryLine)}};
}

} // namespace pollard
