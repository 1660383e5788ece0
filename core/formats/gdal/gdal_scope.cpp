#include "formats/gdal/gdal_scope.hpp"

#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cpl_conv.h>
#include <cstdint>
#include <dlfcn.h>
#include <gdal.h>
#include <mutex>
#include <ogr_srs_api.h>
#include <string_view>
#include <tiffio.h>
#include <utility>

namespace pollard {

namespace {

/// Drivers of image files, in any order. Left out are
/// - drivers for servers or data bases, or with files that refer to them: WMS, WMTS, WCS, OGCAPI, HTTP, STACIT, STACTA,
///   EEDAI, DAAS, PLMOSAIC, PLSCENES, NGW, PostGISRaster, KMLSUPEROVERLAY, MRF, and on SQLite MBTiles, Rasterlite;
/// - drivers that draw documents (PDF, CAD), and Zarr, which reads only folders;
/// - XYZ and GenBin, which accept any list of numbers and any bytes; DERIVED, which computes from other files;
/// - LAN, which allocates memory for any width that a header states.
/// Other drivers use MEM for intermediate images; no file name can select it.
constexpr auto kDrivers = std::to_array<std::string_view>(
    {"VRT",      "GTiff",      "COG",     "NITF",        "RPFTOC",    "ECRGTOC", "HFA",     "SAR_CEOS",
     "CEOS",     "JAXAPALSAR", "GFF",     "ELAS",        "ESRIC",     "AIG",     "AAIGrid", "GRASSASCIIGrid",
     "ISG",      "SDTS",       "DTED",    "PNG",         "JPEG",      "MEM",     "JDEM",    "GIF",
     "BIGGIF",   "ESAT",       "FITS",    "BSB",         "XPM",       "BMP",     "DIMAP",   "AirSAR",
     "RS2",      "SAFE",       "PCIDSK",  "PCRaster",    "ILWIS",     "SGI",     "SRTMHGT", "Leveller",
     "Terragen", "netCDF",     "HDF4",    "HDF4Image",   "ISIS3",     "ISIS2",   "PDS",     "PDS4",
     "VICAR",    "TIL",        "ERS",     "JP2OpenJPEG", "L1B",       "FIT",     "GRIB",    "RMF",
     "MSGN",     "RST",        "GSAG",    "GSBG",        "GS7BG",     "COSAR",   "TSX",     "COASP",
     "R",        "MAP",        "WEBP",    "CALS",        "SENTINEL2", "PNM",     "DOQ1",    "DOQ2",
     "PAux",     "MFF",        "MFF2",    "GSC",         "FAST",      "BT",      "CPG",     "NDF",
     "EIR",      "DIPEx",      "LCP",     "GTX",         "LOSLAS",    "NTv2",    "CTable2", "ACE2",
     "SNODAS",   "KRO",        "ROI_PAC", "RRASTER",     "BYN",       "ARG",     "RIK",     "USGSDEM",
     "GXF",      "BAG",        "HDF5",    "HDF5Image",   "S102",      "NWT_GRD", "NWT_GRC", "ADRG",
     "SRP",      "BLX",        "SAGA",    "HF2",         "OZI",       "CTG",     "ZMap",    "NGSGEOID",
     "IRIS",     "PRF",        "SIGDEM",  "HEIF",        "TGA",       "ENVI",    "EHdr",    "ISCE"});

/// Drivers of vector files.
constexpr auto kVectorDrivers = std::to_array<std::string_view>({"GPKG", "ESRI Shapefile", "FlatGeobuf", "CSV"});

void setOptions() {
    constexpr std::array<std::pair<const char*, const char*>, 5> kOptions{
        {{"GDAL_DRIVER_PATH", "disable"}, // plugins
         {"GDAL_PYTHON_DRIVER_PATH", ""},
         {"GDAL_VRT_ENABLE_PYTHON", "NO"}, // functions in files
         {"GDAL_NUM_THREADS", "1"},        // GdalFolder is set for one thread only
         {"CPL_DEBUG", "OFF"}}};
    for (const auto& [name, value] : kOptions) {
        CPLSetConfigOption(name, value);
    }
    OSRSetPROJEnableNetwork(0);
}

void removeOtherDrivers() {
    for (int i = GDALGetDriverCount() - 1; i >= 0; --i) {
        GDALDriverH driver = GDALGetDriver(i);
        const std::string_view name = GDALGetDriverShortName(driver);
        if (std::ranges::find(kVectorDrivers, name) != kVectorDrivers.end()) {
            GDALSetMetadataItem(driver, GDAL_DCAP_RASTER, nullptr, nullptr); // GeoPackages can hold images
        } else if (std::ranges::find(kDrivers, name) == kDrivers.end()) {
            GDALDeregisterDriver(driver);
            GDALDestroyDriver(driver);
        }
    }
}

thread_local bool isInScope = false;
TIFFExtendProc gdalExtender = nullptr;

/// Limits GDAL's definitions of GeoTIFF tags to scopes: GDAL defines them for all users of libtiff, with counts of
/// another type.
void extendTiff(TIFF* tiff) {
    if (isInScope && gdalExtender != nullptr) {
        gdalExtender(tiff);
    }
}

/// Lets GDAL extend libtiff, which happens once with the first TIFF, and then takes the extension over.
void keepTiffExtension() {
    constexpr const char* kName = "/vsimem/pollard-first.tif";
    if (GDALDriverH driver = GDALGetDriverByName("GTiff"); driver != nullptr) {
        GDALClose(GDALCreate(driver, kName, 1, 1, 1, GDT_Byte, nullptr));
        VSIUnlink(kName);
        gdalExtender = TIFFSetTagExtender(extendTiff);
    }
}

/// Keeps HDF5 from printing errors on this thread; HDF5 has this setting per thread. GDAL does not export the library,
/// so the function is looked up by name in the process.
void silenceHdf5() {
    using SetPrinting = int (*)(std::int64_t stack, void* function, void* data);
    static const auto set = reinterpret_cast<SetPrinting>(::dlsym(RTLD_DEFAULT, "H5Eset_auto2"));
    thread_local bool isSilent = false;
    if (set != nullptr && !std::exchange(isSilent, true)) {
        set(0, nullptr, nullptr);
    }
}

} // namespace

void prepareGdal() {
    static std::once_flag once;
    std::call_once(once, [] {
        CPLSetErrorHandler(CPLQuietErrorHandler);
        setOptions();
        GDALAllRegister();
        setOptions(); // replaces the settings of a configuration file, which GDAL reads meanwhile
        removeOtherDrivers();
        keepTiffExtension();
        GdalFolder::guardFiles();
    });
}

GdalScope::GdalScope(GdalFolder& folder) : folder_(folder) {
    prepareGdal();
    silenceHdf5();
    outer_ = GdalFolder::use(&folder);
    CPLPushErrorHandlerEx(keep, this);
    isInScope = true;
}

GdalScope::~GdalScope() {
    isInScope = false;
    CPLPopErrorHandler();
    GdalFolder::use(outer_);
}

void GdalScope::keep(CPLErr level, CPLErrorNum /*number*/, const char* text) {
    if (level < CE_Failure) {
        return;
    }
    try {
        auto& scope = *static_cast<GdalScope*>(CPLGetErrorHandlerUserData());
        if (scope.first_.empty()) {
            scope.first_ = text;
        }
    } catch (...) {
        // Only memory can be exhausted, which the caller notices, too.
    }
}

Error GdalScope::failure(ErrorCode code, const std::string& otherwise) const {
    if (!folder_.refusal().empty()) {
        return readError(ErrorCode::formatUnsupported, folder_.file(), folder_.refusal());
    }
    std::string why = first_;
    // The file is named already.
    for (const std::string& known : {folder_.file().string() + ": ", folder_.file().string()}) {
        if (const std::size_t at = why.find(known); at != std::string::npos && known.size() > 1) {
            why.replace(at, known.size(), at == 0 ? "" : "the file");
        }
    }
    constexpr std::size_t kMostBytes = 500;
    why = factText(why, kMostBytes);
    why = why.empty() ? otherwise : "GDAL: " + why;
    if (!folder_.outside().empty()) {
        why += "; only files of the folder of the file are read, not " + factText(folder_.outside(), kMostBytes);
    }
    return readError(code, folder_.file(), why);
}

void GdalScope::requireAdmitted() const {
    if (!folder_.refusal().empty()) {
        throw failure(ErrorCode::formatUnsupported, "");
    }
}

} // namespace pollard
