#include "formats/gdal/gdal_dataset.hpp"
#include "formats/gdal/gdal_pixels.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "io/image_reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <gdal.h>
#include <string_view>
#include <system_error>

namespace pollard {

namespace {

/// Drivers of formats that other readers know. They read the sources of virtual rasters only.
constexpr std::array<std::string_view, 8> kWithReaders{"GTiff",       "COG",  "PNG", "JPEG",
                                                       "JP2OpenJPEG", "WEBP", "PNM", "FITS"};

class GdalPage final : public FilePage {
public:
    GdalPage(const SourceFile& source, const ReadOptions& options)
        : FilePage(source, options), dataset_(GdalDataset::open(source, options)),
          plan_(GdalPlan::of(source, options, dataset_)) {
        info_ = describeGdal(source, options, dataset_, plan_.sample());
        info_.notes.insert(info_.notes.end(), plan_.notes.begin(), plan_.notes.end());
        info_.masksByAlpha = plan_.alpha() >= 0;
        if (!plan_.isPalette()) {
            const GdalScope scope(*dataset_.folder);
            info_.calibration = dataset_.calibration(plan_.samples());
        }
    }

    BlockGrid blocks() const override { return gdalBlocks(options_, dataset_, plan_); }
    bool mayHaveGaps() const override { return plan_.mayHaveGaps(); }
    LoadedImage read(const JobControl& control) override {
        return readGdalPixels(source_, options_, dataset_, plan_, info_, part(), control);
    }

private:
    GdalDataset dataset_;
    GdalPlan plan_;
};

/// Asks the drivers, which look at the content and at files beside. A file in memory has no folder.
bool isForGdal(const SourceFile& source) {
    std::error_code failed;
    if (std::filesystem::canonical(source.path, failed).empty() || failed) {
        return false;
    }
    GdalFolder folder(source.path);
    const GdalScope scope(folder);
    GDALDriverH driver = GDALIdentifyDriverEx(folder.file().c_str(), GDAL_OF_RASTER, nullptr, nullptr);
    const bool hasReader =
        driver != nullptr &&
        std::ranges::find(kWithReaders, std::string_view(GDALGetDriverShortName(driver))) != kWithReaders.end();
    return (driver != nullptr && !hasReader) || !folder.refusal().empty(); // opening it tells why
}

} // namespace

const ImageReader& gdalReader() {
    static const ImageReader reader{
        .filter = {"GDAL rasters", {"vrt", "nc",  "h5",  "hdf", "ims",  "img",   "bil",  "bip", "bsq", "envi",
                                    "ers", "asc", "grd", "grb", "grib", "grib2", "safe", "bmp", "gif", "ntf",
                                    "dt0", "dt1", "dt2", "hgt", "pix",  "rst",   "sdat", "bag"}},
        .recognises = isForGdal,
        .open = openAs<GdalPage>,
        .readsRegions = true,
        .keepsOpen = true,
        .isLastResort = true};
    return reader;
}

} // namespace pollard
