#include "base/buffer.hpp"
#include "formats/gdal/gdal_dataset.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <gdal.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// How the bands of a page are converted to pixels: directly to levels, or to values that are mapped to levels.
struct GdalPlan {
    std::optional<GreyPlan> levels; ///< or
    std::optional<ValuePlan> values;
    GDALDataType type = GDT_Byte; ///< in which samples are read
    bool masked = false;          ///< a mask of the page marks pixels without data
    std::vector<std::string> notes;

    /// @throws Error(invalidArgument) for a sample that does not exist, Error(formatUnsupported) for complex numbers
    static GdalPlan of(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset);

    [[nodiscard]] const std::vector<int>& samples() const noexcept {
        return levels ? levels->samples : values->samples;
    }
    /// The first sample.
    [[nodiscard]] int sample() const noexcept { return samples()[0]; }
    [[nodiscard]] int alpha() const noexcept { return levels ? levels->alpha : values->alpha; }
    [[nodiscard]] bool isPalette() const noexcept { return levels && !levels->palette.empty(); }
    [[nodiscard]] bool mayHaveGaps() const noexcept;
};

/// The blocks in which the file stores the level of the options.
BlockGrid gdalBlocks(const ReadOptions& options, const GdalDataset& dataset, const GdalPlan& plan) {
    int width = 0;
    int height = 0;
    if (GDALRasterBandH band = dataset.band(plan.sample(), options.level); band != nullptr) {
        GDALGetBlockSize(band, &width, &height);
    }
    return {static_cast<std::uint32_t>(std::max(width, 1)), static_cast<std::uint32_t>(std::max(height, 1)), 0, 0};
}

constexpr std::uint64_t kChunkBytes = 8ULL << 20;

std::vector<std::array<std::uint16_t, 3>> coloursOf(GDALColorTableH table, int bits) {
    // Files may state fewer colours than they use; the others are black.
    std::vector<std::array<std::uint16_t, 3>> colours(std::size_t{1} << bits);
    const auto count = std::min(colours.size(), static_cast<std::size_t>(GDALGetColorEntryCount(table)));
    const auto byte = [](short value) { return static_cast<std::uint16_t>(std::clamp<int>(value, 0, 255)); };
    for (std::size_t i = 0; i < count; ++i) {
        const GDALColorEntry* entry = GDALGetColorEntry(table, static_cast<int>(i));
        colours[i] = {byte(entry->c1), byte(entry->c2), byte(entry->c3)};
    }
    return colours;
}

/// Whether a mask, rather than the no-data value or transparency, marks pixels.
bool hasMask(GDALRasterBandH band) {
    const int flags = GDALGetMaskFlags(band);
    const bool byValues = (flags & GMF_NODATA) != 0 && (flags & GMF_PER_DATASET) != 0;
    return (flags & (GMF_ALL_VALID | GMF_ALPHA)) == 0 && ((flags & GMF_NODATA) == 0 || byValues);
}

int keepReading(double /*fraction*/, const char* /*text*/, void* control) {
    return static_cast<const JobControl*>(control)->stopRequested() ? FALSE : TRUE;
}

/// Rows of some bands.
class Rows {
public:
    Rows(std::vector<GDALRasterBandH> bands, GDALDataType type, const PixelRegion& region, std::uint32_t most)
        : bands_(std::move(bands)), type_(type), region_(region),
          rowBytes_(std::size_t{region.width} * static_cast<std::size_t>(GDALGetDataTypeSizeBytes(type))),
          bandBytes_(rowBytes_ * most), bytes_(bandBytes_ * bands_.size()), rows_(bands_.size()) {}

    /// @returns false if GDAL fails
    [[nodiscard]] bool read(std::uint32_t first, std::uint32_t count, const JobControl& control) {
        for (std::size_t i = 0; i < bands_.size(); ++i) {
            GDALRasterIOExtraArg more;
            INIT_RASTERIO_EXTRA_ARG(more);
            more.pfnProgress = keepReading;
            more.pProgressData = const_cast<JobControl*>(&control);
            if (GDALRasterIOEx(bands_[i], GF_Read, static_cast<int>(region_.x), static_cast<int>(region_.y + first),
                               static_cast<int>(region_.width), static_cast<int>(count), bytes_.data() + i * bandBytes_,
                               static_cast<int>(region_.width), static_cast<int>(count), type_, 0, 0,
                               &more) != CE_None) {
                return false;
            }
        }
        return true;
    }
    /// One row for each band.
    [[nodiscard]] std::span<const std::byte* const> row(std::uint32_t y) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            rows_[i] = bytes_.data() + i * bandBytes_ + y * rowBytes_;
        }
        return rows_;
    }

private:
    std::vector<GDALRasterBandH> bands_;
    GDALDataType type_;
    PixelRegion region_;
    std::size_t rowBytes_;
    std::size_t bandBytes_;
    Buffer<std::byte> bytes_;
    std::vector<const std::byte*> rows_;
};

/// The bands of samples at the level of the options, of the size that the first sample has there.
std::vector<GDALRasterBandH> bandsOf(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset,
                                     const std::vector<int>& samples) {
    const ResolutionLevel& level = dataset.levels[static_cast<std::size_t>(options.level)];
    std::vector<GDALRasterBandH> bands;
    for (const int sample : samples) {
        GDALRasterBandH band = dataset.band(sample, options.level);
        if (band == nullptr || static_cast<std::uint32_t>(GDALGetRasterBandXSize(band)) != level.width ||
            static_cast<std::uint32_t>(GDALGetRasterBandYSize(band)) != level.height) {
            throw readError(ErrorCode::fileDamaged, source.path,
                            "sample " + std::to_string(sample) + " has no level " + std::to_string(options.level) +
                                " of " + std::to_string(level.width) + " x " + std::to_string(level.height) +
                                " pixels");
        }
        bands.push_back(band);
    }
    return bands;
}

void requireRoom(const SourceFile& source, const ReadOptions& options, const PixelRegion& region,
                 const BlockGrid& blocks, const GdalPlan& plan) {
    const auto sampleBytes = static_cast<std::uint64_t>(GDALGetDataTypeSizeBytes(plan.type));
    const std::size_t samples = plan.levels ? plan.levels->samples.size() : plan.values->samples.size();
    const std::uint64_t pixelBytes = plan.levels ? bytesOf(plan.levels->type) : bytesOf(plan.values->type()) + 2;
    const std::uint64_t blockBytes = std::uint64_t{blocks.width} * blocks.height * sampleBytes * samples;
    const std::uint64_t pixels = std::uint64_t{region.width} * region.height;
    PixelClaim claim{region.width,
                     region.height,
                     static_cast<int>(8 * sampleBytes),
                     pixels * pixelBytes,
                     std::numeric_limits<std::uint64_t>::max(),
                     true};
    checkClaim(source, claim, options.limits); // checks the number of pixels before it is used
    claim.decodedBytes += blockBytes;
    checkClaim(source, claim, options.limits);
}

/// Reads all rows of the region into the sink, and gaps of the mask.
void decode(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset, const GdalPlan& plan,
            const PixelRegion& region, RowSink& sink, GapMap& gaps, const JobControl& control) {
    const std::vector<GDALRasterBandH> bands = bandsOf(source, options, dataset, sink.samples());
    const std::uint64_t rowBytes =
        std::uint64_t{region.width} * bands.size() * static_cast<std::uint64_t>(GDALGetDataTypeSizeBytes(plan.type));
    const std::uint32_t blockRows = gdalBlocks(options, dataset, plan).height;
    const std::uint64_t affordable = std::max<std::uint64_t>(kChunkBytes / rowBytes, 1);
    const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(affordable, region.height));
    Rows rows(bands, plan.type, region, most);
    std::optional<Rows> mask;
    if (plan.masked) {
        mask.emplace(std::vector{GDALGetMaskBand(bands.front())}, GDT_Byte, region, most);
    }
    std::vector<std::uint8_t> flags(region.width);
    for (std::uint32_t top = 0; top < region.height;) {
        // Ends at the end of a block if possible, so that no block is decoded twice.
        std::uint32_t count = std::min(most, region.height - top);
        if (const std::uint32_t beyond = (region.y + top + count) % blockRows; beyond < count) {
            count -= top + count < region.height ? beyond : 0;
        }
        const GdalScope scope(*dataset.folder);
        const bool done = rows.read(top, count, control) && (!mask || mask->read(top, count, control));
        control.throwIfStopped();
        scope.requireAdmitted();
        if (!done) {
            throw scope.failure(ErrorCode::fileDamaged, "GDAL cannot read the pixels");
        }
        for (std::uint32_t y = 0; y < count; ++y) {
            const RowPlace place{0, top + y, region.width};
            sink.put(place, {rows.row(y), 1, 0});
            if (mask) {
                const std::byte* row = mask->row(y)[0];
                std::transform(row, row + region.width, flags.begin(),
                               [](std::byte valid) { return valid == std::byte{0} ? 1 : 0; });
                gaps.add(place, flags);
            }
        }
        top += count;
        control.report(static_cast<double>(top) / region.height, "reading");
    }
}

GdalPlan GdalPlan::of(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset) {
    const ChannelChoice& choice = options.channel;
    GdalPlan plan;
    const GdalScope scope(*dataset.folder);
    const int colours = dataset.isRgb() ? 3 : 1;
    const bool hasAlpha = dataset.alphaSample() >= 0;
    const int alpha = options.ignoreAlpha ? -1 : dataset.alphaSample();
    const bool isChosen = choice.kind == ChannelChoice::Kind::sample;
    if (GDALColorTableH palette = dataset.palette(); palette != nullptr) {
        const GdalSample index = dataset.sampleOf(source, 0);
        plan.type = index.type;
        plan.levels =
            GreyPlan::forPalette(source, choice, index.bits, PixelType::u8, coloursOf(palette, index.bits), plan.notes);
    } else {
        // Levels and values use the same samples; the bit depth does not matter here.
        GreyPlan chosen = GreyPlan::forSamples(source, choice, 8, colours, dataset.samples(), hasAlpha, plan.notes,
                                               isChosen && choice.sample == alpha ? -1 : alpha);
        const GdalSample sample = dataset.sampleOf(source, chosen.samples[0]);
        chosen.alpha = isChosen && choice.sample == alpha ? -1 : alpha;
        plan.type = sample.type;
        if (sample.hasLevels()) {
            chosen.bits = sample.bits;
            chosen.type = sample.bits > 8 ? PixelType::u16 : PixelType::u8;
            plan.levels = std::move(chosen);
        } else {
            plan.values = ValuePlan{std::move(chosen.samples), sample.kind, sample.bits, chosen.alpha, std::nullopt};
        }
    }
    GDALRasterBandH first = dataset.band(plan.sample());
    plan.masked = hasMask(first);
    const std::optional<NoData> noData = plan.masked ? std::nullopt : dataset.noDataOf(plan.sample());
    if (plan.values) {
        plan.values->noData = noData;
    } else {
        plan.levels->noData = noData ? levelOfNoData(*noData) : std::nullopt;
    }
    return plan;
}

bool GdalPlan::mayHaveGaps() const noexcept {
    return masked || (levels ? levels->alpha >= 0 || levels->noData
                             : values->kind == SampleKind::real || values->alpha >= 0 || values->noData);
}

/// Reads the pixels of a region at the level of the options and completes the facts of @p info.
/// @throws Error(fileDamaged), Error(limitExceeded), Error(outOfMemory), Cancelled
LoadedImage readGdalPixels(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset,
                           const GdalPlan& plan, ImageInfo info, const PixelRegion& region, const JobControl& control) {
    requireRoom(source, options, region, gdalBlocks(options, dataset, plan), plan);
    GapMap gaps(region.width, region.height);
    LoadedImage loaded;
    if (plan.levels) {
        auto image = std::make_shared<Image>(plan.levels->type, region.width, region.height);
        GreyRows rows(source, *plan.levels, *image, &gaps);
        decode(source, options, dataset, plan, region, rows, gaps, control);
        loaded = {std::move(image), gaps.valid(), std::move(info)};
        if (loaded.valid) {
            loaded.info.invalidPixels = loaded.image->pixelCount() - loaded.valid->count();
        }
    } else {
        ValueBuffer values(plan.values->type(), region.width, region.height);
        ValueRows rows(*plan.values, values, gaps);
        decode(source, options, dataset, plan, region, rows, gaps, control);
        const bool single = plan.values->samples.size() == 1;
        loaded = imageOfValues(source, values.grid(), options,
                               {single ? plan.values->noData : std::nullopt, gaps.valid()}, std::move(info), control);
    }
    if (loaded.info.invalidPixels == 0) {
        loaded.valid.reset();
    }
    const std::optional<ValueMapping>& mapping = loaded.info.mapping;
    if (options.region && !options.statistics && mapping && !mapping->exact &&
        options.mapping.range != MappingChoice::Range::fixed) {
        loaded.info.notes.emplace_back("the range of values is that of the part that was read");
    }
    if (options.region) {
        loaded.info.carried = cropTags(std::move(loaded.info.carried), region, 1);
    }
    if (mapping) {
        // The no-data value is a stored value, not a level.
        std::erase_if(loaded.info.carried, [](const CopiedTag& tag) { return tag.tag == kGdalNoDataTag; });
    }
    return loaded;
}

/// Drivers of formats that have their own reader. They only read the sources of virtual rasters.
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

/// Whether a driver of GDAL recognises the file and no other reader does. Files in memory have no folder and are left
/// out.
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
    return (driver != nullptr && !hasReader) || !folder.refusal().empty(); // open() reports the reason
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
