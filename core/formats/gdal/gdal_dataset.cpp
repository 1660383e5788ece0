#include "formats/gdal/gdal_dataset.hpp"

#include "base/error.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "formats/tiff/tiff_handle.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cpl_string.h>
#include <cstdlib>
#include <filesystem>
#include <ogr_srs_api.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kMostPages = 100'000;

GdalHandle openNamed(const char* name) {
    return GdalHandle(GDALOpenEx(name, GDAL_OF_RASTER, nullptr, nullptr, nullptr));
}

/// A part of a file with several.
struct Part {
    std::string name; ///< for GDAL
    std::string text;
};

/// A virtual raster, or a file beside an image of a format without parts, can name any file as a part; only parts of
/// this file are taken.
std::vector<Part> partsOf(GDALDatasetH dataset, const GdalFolder& folder) {
    const CPLStringList texts(GDALGetMetadata(dataset, "SUBDATASETS"), FALSE);
    std::vector<Part> parts;
    while (parts.size() < kMostPages) {
        const std::string key = "SUBDATASET_" + std::to_string(parts.size() + 1);
        const char* name = texts.FetchNameValue((key + "_NAME").c_str());
        if (name == nullptr || !folder.isPart(name)) {
            break;
        }
        const char* text = texts.FetchNameValue((key + "_DESC").c_str());
        parts.push_back({name, factText(text != nullptr ? text : name)});
    }
    return parts;
}

/// The levels of the first band, each smaller than the one before.
void findLevels(GdalDataset& dataset) {
    GDALRasterBandH first = dataset.band(0);
    const auto sizeOf = [](GDALRasterBandH band) {
        return ResolutionLevel{static_cast<std::uint32_t>(GDALGetRasterBandXSize(band)),
                               static_cast<std::uint32_t>(GDALGetRasterBandYSize(band))};
    };
    dataset.levels = {sizeOf(first)};
    std::vector<std::pair<ResolutionLevel, int>> smaller;
    for (int i = 0; i < GDALGetOverviewCount(first); ++i) {
        if (GDALRasterBandH overview = GDALGetOverview(first, i); overview != nullptr) {
            smaller.emplace_back(sizeOf(overview), i);
        }
    }
    std::stable_sort(smaller.begin(), smaller.end(),
                     [](const auto& a, const auto& b) { return a.first.width > b.first.width; });
    for (const auto& [size, number] : smaller) {
        const ResolutionLevel& last = dataset.levels.back();
        if (size.width > 0 && size.height > 0 && size.width <= last.width && size.height <= last.height &&
            (size.width < last.width || size.height < last.height)) {
            dataset.levels.push_back(size);
            dataset.overviews.push_back(number);
        }
    }
}

} // namespace

GdalDataset GdalDataset::open(const SourceFile& source, const ReadOptions& options) {
    GdalDataset dataset;
    dataset.folder = std::make_unique<GdalFolder>(source.path);
    const GdalScope scope(*dataset.folder);
    const auto openPart = [&](const char* name) {
        GdalHandle handle = openNamed(name);
        scope.requireAdmitted();
        if (!handle) {
            throw scope.failure(ErrorCode::fileDamaged, "GDAL cannot open the file");
        }
        return handle;
    };
    dataset.handle = openPart(dataset.folder->file().c_str());
    const std::vector<Part> parts = partsOf(dataset.handle.get(), *dataset.folder);
    const std::size_t pages = std::max<std::size_t>(parts.size(), 1);
    requireIndex(source.path, "page", options.page, pages, "file");
    if (parts.size() > 1 || (parts.size() == 1 && dataset.samples() == 0)) {
        for (const Part& part : parts) {
            dataset.pages.push_back(part.text);
        }
        dataset.handle = openPart(parts[static_cast<std::size_t>(options.page)].name.c_str());
    }
    if (dataset.samples() == 0) {
        throw scope.failure(ErrorCode::formatUnsupported, "the file holds no image");
    }
    findLevels(dataset);
    scope.requireAdmitted();
    requireIndex(source.path, "level", options.level, dataset.levels.size(), "page");
    return dataset;
}

GDALRasterBandH GdalDataset::band(int sample, int level) const noexcept {
    return level == 0 ? band(sample) : GDALGetOverview(band(sample), overviews[static_cast<std::size_t>(level) - 1]);
}

GdalSample GdalDataset::sampleOf(const SourceFile& source, int sample) const {
    GDALRasterBandH from = band(sample);
    const GDALDataType type = GDALGetRasterDataType(from);
    const int bits = GDALGetDataTypeSizeBits(type);
    const char* pixelType = GDALGetMetadataItem(from, "PIXELTYPE", "IMAGE_STRUCTURE");
    if (type == GDT_Byte && pixelType != nullptr && EQUAL(pixelType, "SIGNEDBYTE")) {
        return {type, SampleKind::signedInteger, bits};
    }
    if (GDALDataTypeIsComplex(type) != 0 || bits == 0) {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        std::string(GDALGetDataTypeName(type)) +
                            " samples are not supported, only integers and floating-point numbers");
    }
    const SampleKind kind = GDALDataTypeIsFloating(type) != 0 ? SampleKind::real
                            : GDALDataTypeIsSigned(type) != 0 ? SampleKind::signedInteger
                                                              : SampleKind::unsignedInteger;
    return {type, kind, bits};
}

std::optional<NoData> GdalDataset::noDataOf(int sample) const noexcept {
    GDALRasterBandH from = band(sample);
    int isSet = 0;
    NoData value = 0;
    switch (GDALGetRasterDataType(from)) {
    case GDT_Int64:
        value = NoData::whole(static_cast<std::int64_t>(GDALGetRasterNoDataValueAsInt64(from, &isSet)));
        break;
    case GDT_UInt64:
        value = NoData::whole(false, GDALGetRasterNoDataValueAsUInt64(from, &isSet));
        break;
    default:
        value = GDALGetRasterNoDataValue(from, &isSet);
    }
    return isSet != 0 && !std::isnan(value.number) ? std::optional(value) : std::nullopt;
}

std::optional<Calibration> GdalDataset::calibration(const std::vector<int>& samples) const {
    std::optional<Calibration> common;
    for (const int sample : samples) {
        GDALRasterBandH from = band(sample);
        int hasScale = 0;
        const double scale = GDALGetRasterScale(from, &hasScale);
        int hasOffset = 0;
        const double offset = GDALGetRasterOffset(from, &hasOffset);
        const char* unit = GDALGetRasterUnitType(from);
        Calibration stated{hasScale != 0 ? scale : 1, hasOffset != 0 ? offset : 0,
                           unit != nullptr ? factText(unit) : std::string()};
        if (common && stated != *common) {
            return std::nullopt;
        }
        common = std::move(stated);
    }
    return common ? calibrationOf(common->slope, common->intercept, common->unit) : std::nullopt;
}

bool GdalDataset::isRgb() const noexcept {
    if (samples() < 3) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        if (GDALGetRasterColorInterpretation(band(i)) != GCI_RedBand + i ||
            GDALGetRasterDataType(band(i)) != GDALGetRasterDataType(band(0))) {
            return false;
        }
    }
    return true;
}

int GdalDataset::alphaSample() const noexcept {
    for (int i = 1; i < samples(); ++i) {
        if (GDALGetRasterColorInterpretation(band(i)) == GCI_AlphaBand) {
            return i;
        }
    }
    return -1;
}

GDALColorTableH GdalDataset::palette() const noexcept {
    GDALColorTableH table = samples() == 1 ? GDALGetRasterColorTable(band(0)) : nullptr;
    const GDALDataType type = GDALGetRasterDataType(band(0));
    const bool isIndex = type == GDT_Byte || type == GDT_UInt16;
    return table != nullptr && isIndex && GDALGetPaletteInterpretation(table) == GPI_RGB &&
                   GDALGetColorEntryCount(table) > 0
               ? table
               : nullptr;
}

namespace {

/// Copies metadata except statistics, which do not describe the pixels of a filtered image.
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
    return tagsOf(tiff); // outside of scopes, so that libtiff does not know the tags of GeoTIFF
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

namespace {

/// The coordinate system in a file of ESRI; null if it is not known.
GdalSystem systemIn(const std::filesystem::path& file) {
    constexpr std::size_t kMostBytes = 65536;
    std::string text(kMostBytes, '\0');
    const FilePointer stream = openForReading(file);
    text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
    GdalSystem system(OSRNewSpatialReference(nullptr));
    std::array<char*, 2> lines{text.data(), nullptr};
    if (system && OSRImportFromESRI(system.get(), lines.data()) != OGRERR_NONE) {
        system.reset();
    }
    return system;
}

} // namespace

std::vector<CopiedTag> gdalPlace(const SourceFile& source, const std::filesystem::path& system) {
    GdalDataset dataset;
    try {
        dataset = GdalDataset::open(source, {});
    } catch (const Error& error) {
        if (error.code() == ErrorCode::formatUnsupported || error.code() == ErrorCode::fileDamaged) {
            return {};
        }
        throw;
    }
    const GdalSystem stated = system.empty() ? nullptr : systemIn(system);
    return gdalTags(dataset, stated.get());
}

} // namespace pollard
