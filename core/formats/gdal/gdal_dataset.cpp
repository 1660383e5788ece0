#include "formats/gdal/gdal_dataset.hpp"

#include "formats/gdal/gdal_scope.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"
#include "io/samples/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cpl_string.h>
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

/// A virtual raster states its parts as it likes, and so may a file beside an image of a format without parts.
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
        throw scope.failure(ErrorCode::formatUnsupported, "the file holds no picture");
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

} // namespace pollard
