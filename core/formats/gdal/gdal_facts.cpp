#include "formats/gdal/gdal_dataset.hpp"
#include "formats/gdal/gdal_handles.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "formats/tiff/tiff_handle.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/metadata/band_items.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"

#include <array>
#include <cpl_string.h>
#include <cstdlib>
#include <filesystem>
#include <ogr_srs_api.h>
#include <optional>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace pollard {

namespace {

/// Metadata without statistics, which are those of other pixels after a filter.
void copyMetadata(GDALMajorObjectH from, GDALMajorObjectH to) {
    const CPLStringList texts(GDALGetMetadata(from, nullptr), FALSE);
    CPLStringList kept;
    for (int i = 0; i < texts.size(); ++i) {
        if (!std::string_view(texts[i]).starts_with("STATISTICS_")) {
            kept.AddString(texts[i]);
        }
    }
    GDALSetMetadata(to, kept.List(), nullptr);
}

void copyBand(const GdalDataset& dataset, int sample, GDALRasterBandH to) {
    GDALRasterBandH from = dataset.band(sample);
    copyMetadata(from, to);
    if (const char* text = GDALGetDescription(from); text != nullptr && *text != '\0') {
        GDALSetDescription(to, text);
    }
    GDALSetRasterColorInterpretation(to, GDALGetRasterColorInterpretation(from));
    if (const auto value = dataset.noDataOf(sample)) {
        switch (GDALGetRasterDataType(to)) {
        case GDT_Int64:
            GDALSetRasterNoDataValueAsInt64(to, sampleOf<std::int64_t>(*value).value_or(0));
            break;
        case GDT_UInt64:
            GDALSetRasterNoDataValueAsUInt64(to, sampleOf<std::uint64_t>(*value).value_or(0));
            break;
        default:
            GDALSetRasterNoDataValue(to, value->number);
        }
    }
    int isSet = 0;
    if (const double value = GDALGetRasterScale(from, &isSet); isSet != 0 && value != 1) {
        GDALSetRasterScale(to, value);
    }
    if (const double value = GDALGetRasterOffset(from, &isSet); isSet != 0 && value != 0) {
        GDALSetRasterOffset(to, value);
    }
    if (const char* unit = GDALGetRasterUnitType(from); unit != nullptr && *unit != '\0') {
        GDALSetRasterUnitType(to, unit);
    }
}

/// A GeoTIFF of one pixel with the tags of the page; empty if GDAL cannot write it.
std::vector<std::byte> tinyGeoTiff(const GdalDataset& dataset, OGRSpatialReferenceH otherwise = nullptr) {
    GDALDatasetH from = dataset.handle.get();
    const GdalMemoryFile file(".tif");
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    std::array<const char*, 2> asPixels{"INTERLEAVE=PIXEL", nullptr};
    GdalHandle tiny(driver == nullptr
                        ? nullptr
                        : GDALCreate(driver, file.name(), 1, 1, dataset.samples(),
                                     GDALGetRasterDataType(dataset.band(0)), const_cast<char**>(asPixels.data())));
    if (!tiny) {
        return {};
    }
    copyMetadata(from, tiny.get());
    OGRSpatialReferenceH system = GDALGetSpatialRef(from);
    if (system = system != nullptr ? system : otherwise; system != nullptr) {
        GDALSetSpatialRef(tiny.get(), system);
    }
    std::array<double, 6> transform{};
    if (GDALGetGeoTransform(from, transform.data()) == CE_None) {
        GDALSetGeoTransform(tiny.get(), transform.data());
    } else if (GDALGetGCPCount(from) > 0) {
        GDALSetGCPs2(tiny.get(), GDALGetGCPCount(from), GDALGetGCPs(from), GDALGetGCPSpatialRef(from));
    }
    GDALSetMetadata(tiny.get(), GDALGetMetadata(from, "RPC"), "RPC");
    for (int i = 0; i < dataset.samples(); ++i) {
        copyBand(dataset, i, GDALGetRasterBand(tiny.get(), i + 1));
    }
    tiny.reset();
    const std::span<const std::byte> bytes = file.bytes();
    return {bytes.begin(), bytes.end()};
}

/// Tags of a TIFF in memory; none if it is damaged.
std::vector<CopiedTag> tagsOf(std::span<const std::byte> tiff) {
    constexpr std::uint64_t kMemoryLimit = 256ULL << 20;
    const int descriptor = tiff.empty() ? -1 : ::memfd_create("tags", MFD_CLOEXEC);
    if (descriptor < 0) {
        return {};
    }
    std::vector<CopiedTag> tags;
    if (::write(descriptor, tiff.data(), tiff.size()) == static_cast<ssize_t>(tiff.size())) {
        try {
            const TiffHandle handle =
                TiffHandle::openForReading("/proc/self/fd/" + std::to_string(descriptor), kMemoryLimit);
            if (TIFFReadDirectory(handle.get()) == 1) {
                tags = readCopiedTags(handle.get());
            }
        } catch (const Error&) {
            tags.clear();
        }
    }
    ::close(descriptor);
    return tags;
}

void addValueFacts(GDALRasterBandH band, ImageInfo& info) {
    int isSet = 0;
    if (const double scale = GDALGetRasterScale(band, &isSet); isSet != 0 && scale != 1) {
        info.facts.emplace_back("Scale of values", factNumber(scale));
    }
    if (const double offset = GDALGetRasterOffset(band, &isSet); isSet != 0 && offset != 0) {
        info.facts.emplace_back("Offset of values", factNumber(offset));
    }
    if (const char* unit = GDALGetRasterUnitType(band); unit != nullptr && *unit != '\0') {
        info.facts.emplace_back("Unit of values", factText(unit));
    }
}

int usedBits(GDALRasterBandH band, const GdalSample& sample) {
    const char* text = GDALGetMetadataItem(band, "NBITS", "IMAGE_STRUCTURE");
    const int bits = text != nullptr ? std::atoi(text) : 0;
    return sample.kind == SampleKind::unsignedInteger && bits > 0 && bits < sample.bits ? bits : sample.bits;
}

} // namespace

std::vector<CopiedTag> gdalTags(const GdalDataset& dataset, OGRSpatialReferenceH system) {
    std::vector<std::byte> tiff;
    {
        const GdalScope scope(*dataset.folder);
        tiff = tinyGeoTiff(dataset, system);
        scope.requireAdmitted();
    }
    return tagsOf(tiff); // outside of scopes, where libtiff does not know the tags of GeoTIFF
}

ImageInfo describeGdal(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset, int sample) {
    GDALDriverH driver = GDALGetDatasetDriver(dataset.handle.get());
    const GdalSample type = dataset.sampleOf(source, sample);
    ImageInfo info;
    std::vector<std::byte> tiff;
    {
        const GdalScope scope(*dataset.folder);
        const char* compression = GDALGetMetadataItem(dataset.handle.get(), "COMPRESSION", "IMAGE_STRUCTURE");
        info.format = GDALGetDriverShortName(driver);
        info.compression = compression != nullptr ? factText(compression) : "none";
        info.photometric = dataset.palette() != nullptr ? "Palette" : dataset.isRgb() ? "RGB" : "MinIsBlack";
        info.bits = usedBits(dataset.band(sample), type);
        info.facts.emplace_back("GDAL driver", factText(GDALGetDriverLongName(driver)));
        addValueFacts(dataset.band(sample), info);
        tiff = tinyGeoTiff(dataset);
        scope.requireAdmitted();
    }
    info.sampleFormat = nameOf(type.kind);
    info.samples = dataset.samples();
    info.page = options.page;
    if (!dataset.pages.empty()) {
        info.pages = static_cast<int>(dataset.pages.size());
        info.facts.emplace_back("Part", dataset.pages[static_cast<std::size_t>(options.page)]);
        if (info.pages > 1) {
            info.axes = {{'p', info.pages, dataset.pages}};
        }
    }
    info.carried = tagsOf(tiff);
    describeGeoTags(info);
    describeBands(info);
    arrangeChannels(info, dataset.alphaSample());
    const ResolutionLevel& full = dataset.levels[0];
    const ResolutionLevel& level = dataset.levels[static_cast<std::size_t>(options.level)];
    if (dataset.levels.size() > 1) {
        info.levels = dataset.levels;
    }
    info.level = options.level;
    info.width = level.width;
    info.height = level.height;
    if (options.level > 0) {
        scalePixels(info, full.width, full.height, static_cast<double>(full.width) / level.width,
                    static_cast<double>(full.height) / level.height);
    }
    return info;
}

} // namespace pollard
