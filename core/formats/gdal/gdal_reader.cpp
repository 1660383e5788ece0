#include "formats/gdal/gdal_dataset.hpp"
#include "formats/gdal/gdal_pixels.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "io/image_reader.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <gdal.h>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace pollard {

namespace {

/// Drivers of formats that other readers know. They read the sources of virtual rasters only.
constexpr std::array<std::string_view, 8> kWithReaders{"GTiff",       "COG",  "PNG", "JPEG",
                                                       "JP2OpenJPEG", "WEBP", "PNM", "FITS"};

/// An open page with its facts.
struct Page {
    Page(const SourceFile& source, const ReadOptions& options)
        : dataset(GdalDataset::open(source, options)), plan(GdalPlan::of(source, options.channel, dataset)),
          info(describeGdal(source, options, dataset, plan.sample())) {
        info.notes.insert(info.notes.end(), plan.notes.begin(), plan.notes.end());
    }

    [[nodiscard]] LoadedImage read(const SourceFile& source, const ReadOptions& options,
                                   const JobControl& control) const {
        return readGdalPixels(source, options, dataset, plan, info,
                              wantedRegion(source, options, info.width, info.height), control);
    }

    GdalDataset dataset;
    GdalPlan plan;
    ImageInfo info;
};

class GdalRegions final : public RegionReader {
public:
    GdalRegions(const SourceFile& source, const ReadOptions& options)
        : source_(source), options_(options), page_(source, options) {}

    const ImageInfo& info() const noexcept override { return page_.info; }
    BlockGrid blocks() const noexcept override { return gdalBlocks(options_, page_.dataset, page_.plan); }
    bool mayHaveGaps() const noexcept override { return page_.plan.mayHaveGaps(); }
    LoadedImage read(const PixelRegion& region, const JobControl& control) override {
        options_.region = region;
        return page_.read(source_, options_, control);
    }

private:
    const SourceFile& source_;
    ReadOptions options_;
    Page page_;
};

class GdalReader final : public ImageReader {
public:
    FormatFilter filter() const override {
        return {"GDAL rasters", {"vrt", "nc",  "h5",  "hdf", "ims",  "img",   "bil",  "bip", "bsq", "envi",
                                 "ers", "asc", "grd", "grb", "grib", "grib2", "safe", "bmp", "gif", "ntf",
                                 "dt0", "dt1", "dt2", "hgt", "pix",  "rst",   "sdat", "bag"}};
    }

    bool recognises(std::span<const std::byte>) const override { return false; }

    /// Asks the drivers, which look at the content and at files beside. A file in memory has no folder.
    bool recognisesFile(const SourceFile& source) const override {
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
    bool isLastResort() const noexcept override { return true; }
    bool readsRegions() const override { return true; }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        return Page(source, options).info;
    }

    std::unique_ptr<RegionReader> openRegions(const SourceFile& source, const ReadOptions& options) const override {
        return std::make_unique<GdalRegions>(source, options);
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        return Page(source, options).read(source, options, control);
    }
};

} // namespace

const ImageReader& gdalReader() {
    static const GdalReader reader;
    return reader;
}

} // namespace pollard
