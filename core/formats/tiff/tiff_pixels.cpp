#include "formats/tiff/tiff_pixels.hpp"

#include "base/parallel.hpp"
#include "formats/tiff/tiff_decode.hpp"
#include "formats/tiff/tiff_description.hpp"
#include "formats/tiff/tiff_facts.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Colour samples at the start of a pixel: 1 grey, 3 RGB, 4 CMYK.
int colourSamples(const TiffFacts& facts) {
    switch (facts.photometric) {
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_YCBCR:
        return 3;
    case PHOTOMETRIC_SEPARATED:
        return facts.samples >= 4 ? 4 : 1;
    case kLinearRawPhotometric:
        return facts.samples == 3 ? 3 : 1;
    default:
        return 1;
    }
}

GreyPlan levelPlan(const SourceFile& source, const ReadOptions& options, const ChannelChoice& choice,
                   const TiffPage& page, const std::optional<NoData>& noData, std::vector<std::string>& notes) {
    const TiffFacts& facts = page.facts;
    const bool alphaChosen = choice.kind == ChannelChoice::Kind::sample && choice.sample == facts.alphaSample;
    const int alpha = alphaChosen || options.ignoreAlpha ? -1 : facts.alphaSample;
    GreyPlan plan;
    if (facts.photometric == PHOTOMETRIC_PALETTE) {
        const TiffPalette palette = readTiffPalette(source, page);
        plan = GreyPlan::forPalette(source, choice, facts.bits, palette.type, palette.colours, notes);
        plan.alpha = alpha;
    } else {
        plan = GreyPlan::forSamples(source, choice, facts.decodedBits, colourSamples(facts), facts.samples, facts.alpha,
                                    notes, alpha);
        plan.inverted = facts.photometric == PHOTOMETRIC_MINISWHITE && plan.samples[0] == 0;
        if (choice.kind == ChannelChoice::Kind::sample) {
            plan.alpha = alpha;
        }
    }
    plan.noData = noData ? levelOfNoData(*noData) : std::nullopt;
    return plan;
}

ValuePlan valuePlan(const SourceFile& source, const ReadOptions& options, const ChannelChoice& choice,
                    const TiffPage& page, const std::optional<NoData>& noData, std::vector<std::string>& notes) {
    const TiffFacts& facts = page.facts;
    ValuePlan plan;
    plan.kind = facts.kind;
    plan.bits = facts.decodedBits;
    plan.noData = noData;
    const bool log = facts.photometric == PHOTOMETRIC_LOGLUV;
    const int alpha = options.ignoreAlpha ? -1 : facts.alphaSample;
    // The same choice of samples as for levels; the bit depth does not matter.
    GreyPlan samples = GreyPlan::forSamples(source, choice, 16, log ? 1 : colourSamples(facts), facts.samples,
                                            facts.alpha, notes, alpha);
    plan.samples = samples.samples;
    plan.alpha = plan.samples[0] == alpha ? -1 : alpha;
    if (log && choice.kind == ChannelChoice::Kind::luminance) {
        plan.samples = {1}; // Y of XYZ
    }
    return plan;
}

bool isLabChroma(const TiffFacts& facts, const ChannelChoice& choice) {
    return facts.photometric == PHOTOMETRIC_CIELAB && facts.hasLevels() && choice.kind == ChannelChoice::Kind::sample &&
           (choice.sample == 1 || choice.sample == 2);
}

void noteMeaning(const ChannelChoice& choice, const TiffFacts& facts, std::vector<std::string>& notes) {
    if (choice.kind == ChannelChoice::Kind::sample) {
        return;
    }
    switch (facts.photometric) {
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
        notes.emplace_back("shown as lightness L* of Lab");
        break;
    case PHOTOMETRIC_LOGLUV:
        notes.emplace_back("shown as luminance Y of XYZ");
        break;
    case PHOTOMETRIC_LOGL:
        notes.emplace_back("shown as luminance Y");
        break;
    case PHOTOMETRIC_SEPARATED:
        if (facts.samples < 4) {
            notes.emplace_back("inks that are not CMYK: the first one is shown");
        }
        break;
    case PHOTOMETRIC_CFA:
        notes.emplace_back("colour filter array: shown as the sensor saw it, one colour a pixel");
        break;
    default:
        break;
    }
}

/// Checks the file's claims against its size and the limits, at first without iterating over the strips, of which there
/// may be very many.
TiffStorage checkedStorage(const SourceFile& source, const ReadOptions& options, TiffPage& page,
                           const PixelRegion& region, std::uint64_t pixelBytes) {
    const TiffFacts& facts = page.facts;
    const TiffBlocks blocks = TiffBlocks::of(facts, region);
    const std::uint64_t pixels = std::uint64_t{region.width} * region.height;
    const bool wholePage = region.width == facts.width && region.height == facts.height;
    PixelClaim claim{region.width, region.height, 8, blocks.decodedBytes(facts), source.size, true};
    // Subsampled colours take less space than the resulting RGB.
    const bool compressed = facts.compression != COMPRESSION_NONE || facts.viaRgba;
    // Outside the region only few blocks are in memory at a time.
    claim.decodedBytes = wholePage ? claim.decodedBytes : std::min(claim.decodedBytes, pixels * pixelBytes);
    claim.decodedBytes =
        std::max(claim.decodedBytes, pixels <= UINT64_MAX / pixelBytes ? pixels * pixelBytes : UINT64_MAX);
    ReadLimits before = options.limits;
    if (!wholePage) {
        before.maxExpansion = std::numeric_limits<double>::infinity(); // omitted blocks are not known yet
    }
    if (compressed) {
        checkClaim(source, claim, before);
    }
    const TiffStorage storage = locatePixels(source, page, blocks);
    claim.storedBytes = storage.bytes;
    if (!wholePage) {
        claim.omittedBytes = storage.missing * facts.blockRowBytes() * facts.blockHeight;
    }
    if (!compressed && storage.missing == 0) {
        // Checks the file size only; memory is checked below.
        PixelClaim stored = claim;
        stored.compressed = false;
        stored.decodedBytes = blocks.decodedBytes(facts);
        ReadLimits sizeOnly = options.limits;
        sizeOnly.maxDecodedBytes = UINT64_MAX;
        checkClaim(source, stored, sizeOnly);
        claim.storedBytes = stored.decodedBytes;
    }
    checkClaim(source, claim, options.limits);
    if (storage.missing > 0) {
        page.info.notes.push_back(std::to_string(storage.missing) + (facts.tiled ? " tiles" : " strips") +
                                  " are left out of the file and count as " +
                                  (noDataOf(page.info.carried) ? "the no-data value" : "0"));
    }
    return storage;
}

/// Marks pixels excluded by the page's transparency mask in @p gaps.
void readMask(const SourceFile& source, const ReadOptions& options, const TiffPage& page, const PixelRegion& region,
              GapMap& gaps, const JobControl& control) {
    const TiffDirectory* mask = maskOf(page);
    if (mask == nullptr) {
        return;
    }
    const auto opened = page.openMask ? page.openMask : std::make_shared<TiffPage>(openTiffMask(source, *mask));
    TiffPage& maskPage = *opened;
    if (!maskPage.facts.hasLevels() || maskPage.facts.samples != 1) {
        return;
    }
    const TiffStorage storage = checkedStorage(source, options, maskPage, region, 1);
    GreyPlan plan;
    plan.samples = {0};
    plan.bits = maskPage.facts.bits;
    plan.type = plan.bits > 8 ? PixelType::u16 : PixelType::u8;
    plan.noData = std::uint16_t{0};
    Image scratch(plan.type, region.width, region.height);
    decodeTiff(source, maskPage, storage,
               {region, [&] { return std::make_unique<GreyRows>(source, plan, scratch, &gaps); }, {&gaps}}, control);
}

/// Pixels of a plan while they are decoded.
class TiffPlane {
public:
    TiffPlane(const SourceFile& source, const TiffPlan& plan, const PixelRegion& region, const GapMap& masked)
        : source_(source), plan_(plan), gaps_(masked) {
        if (plan.values) {
            values_.emplace(plan.values->type(), region.width, region.height);
        } else {
            image_ = std::make_shared<Image>(plan.levels->type, region.width, region.height);
        }
    }

    /// Set of omitted blocks; null if these count as 0.
    [[nodiscard]] GapMap* omitted() noexcept {
        return plan_.values ? plan_.noData ? &gaps_ : nullptr : plan_.levels->noData ? &gaps_ : nullptr;
    }
    [[nodiscard]] std::unique_ptr<RowSink> sink() {
        if (plan_.values) {
            return std::make_unique<ValueRows>(*plan_.values, *values_, gaps_);
        }
        return std::make_unique<GreyRows>(source_, *plan_.levels, *image_, &gaps_);
    }
    /// The result; frees the values.
    [[nodiscard]] TiffPixels finished(const ReadOptions& options, const JobControl& control) {
        if (!plan_.values) {
            return {std::move(image_), gaps_.valid(), std::nullopt};
        }
        const bool single = plan_.values->samples.size() == 1;
        MappedLevels mapped =
            levelsOfValues(values_->grid(), options.mapping, {single ? plan_.noData : std::nullopt, gaps_.valid()},
                           control, options.statistics.get());
        values_.reset();
        return {std::move(mapped.image), std::move(mapped.valid), mapped.mapping};
    }

private:
    const SourceFile& source_;
    const TiffPlan& plan_;
    GapMap gaps_;
    std::shared_ptr<Image> image_;
    std::optional<ValueBuffer> values_;
};

/// The calibration that the page states for the samples of a plan; nothing for colours of a palette.
std::optional<Calibration> calibrationFor(const TiffPlan& plan, const ImageInfo& info) {
    if (plan.levels && !plan.levels->palette.empty()) {
        return std::nullopt;
    }
    const std::span<const int> samples = plan.samples();
    return info.calibration && samples.size() == 1 ? info.calibration : bandCalibration(info.carried, samples);
}

} // namespace

bool TiffPlan::mayHaveGaps() const {
    if (levels) {
        return levels->alpha >= 0 || levels->noData;
    }
    return values->kind == SampleKind::real || values->alpha >= 0 || values->noData;
}

std::size_t TiffPlan::pixelBytes() const { return levels ? bytesOf(levels->type) : bytesOf(values->type()) + 2; }

TiffPlan planTiffPixels(const SourceFile& source, const ReadOptions& options, const ChannelChoice& choice,
                        const TiffPage& page) {
    TiffPlan plan;
    plan.noData = noDataOf(page.info.carried);
    plan.noData = plan.noData ? plan.noData : options.noData;
    if (isLabChroma(page.facts, choice)) {
        plan.values = ValuePlan{{choice.sample}, SampleKind::signedInteger, page.facts.bits, -1, plan.noData};
    } else if (page.facts.hasLevels()) {
        plan.levels = levelPlan(source, options, choice, page, plan.noData, plan.notes);
    } else {
        plan.values = valuePlan(source, options, choice, page, plan.noData, plan.notes);
    }
    plan.calibration = calibrationFor(plan, page.info);
    noteMeaning(choice, page.facts, plan.notes);
    return plan;
}

TiffStorage checkTiffStorage(const SourceFile& source, const ReadOptions& options, const TiffPage& page,
                             const PixelRegion& region) {
    const TiffFacts& facts = page.facts;
    const TiffBlocks blocks = TiffBlocks::of(facts, region);
    const TiffStorage storage = locatePixels(source, page, blocks);
    PixelClaim claim{region.width, region.height, facts.bits, blocks.decodedBytes(facts), storage.bytes, true};
    claim.omittedBytes = storage.missing * facts.blockRowBytes() * facts.blockHeight;
    if (facts.compression != COMPRESSION_NONE || facts.viaRgba) {
        checkExpansion(source, claim, options.limits.maxExpansion);
    }
    return storage;
}

std::vector<TiffPixels> readTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page,
                                       std::span<const TiffPlan> plans, const PixelRegion& region,
                                       const JobControl& control) {
    std::vector<TiffPixels> pixels;
    if (page.facts.separate && plans.size() > 1) {
        const std::vector<std::string> notes = page.info.notes;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            page.info.notes = notes; // each plane adds the same
            pixels.push_back(readTiffPixels(source, options, page, plans.subspan(i, 1), region, control).front());
        }
        return pixels;
    }
    const std::size_t pixelBytes =
        std::accumulate(plans.begin(), plans.end(), std::size_t{0},
                        [](std::size_t sum, const TiffPlan& plan) { return sum + plan.pixelBytes(); });
    const TiffStorage storage = checkedStorage(source, options, page, region, pixelBytes);
    GapMap masked(region.width, region.height);
    readMask(source, options, page, region, masked, control);
    std::deque<TiffPlane> planes;
    TiffDecodeJob job{region, [&planes]() -> std::unique_ptr<RowSink> {
                          if (planes.size() == 1) {
                              return planes.front().sink();
                          }
                          std::vector<std::unique_ptr<RowSink>> sinks;
                          for (TiffPlane& plane : planes) {
                              sinks.push_back(plane.sink());
                          }
                          return std::make_unique<RowSinkGroup>(std::move(sinks));
                      }};
    for (const TiffPlan& plan : plans) {
        GapMap* omitted = planes.emplace_back(source, plan, region, masked).omitted();
        if (omitted != nullptr) {
            job.gaps.push_back(omitted);
        }
    }
    decodeTiff(source, page, storage, job, control);
    for (TiffPlane& plane : planes) {
        pixels.push_back(plane.finished(options, control));
    }
    return pixels;
}

namespace {

/// The pixels of one channel with the facts of the page, upright.
LoadedImage finished(const TiffPage& page, TiffPixels pixels, const TiffPlan& plan, const ReadOptions& options,
                     const PixelRegion& upright, const JobControl& control) {
    if (const int orientation = page.facts.orientation; orientation != ORIENTATION_TOPLEFT) {
        const auto turned = std::make_shared<Image>(uprightImage(*pixels.image, orientation, control));
        KeptValues::turn(pixels.image, turned, orientation);
        pixels.image = turned;
        if (pixels.valid) {
            pixels.valid = std::make_shared<const Mask>(uprightMask(*pixels.valid, orientation));
        }
    }
    ImageInfo info = page.info;
    info.notes.insert(info.notes.end(), plan.notes.begin(), plan.notes.end());
    if (pixels.valid) {
        info.invalidPixels = pixels.image->pixelCount() - pixels.valid->count();
        if (info.invalidPixels == 0) {
            pixels.valid.reset();
        }
    }
    info.mapping = pixels.mapping;
    info.calibration = plan.calibration;
    info.band = plan.band(info.samples);
    info.masksByAlpha = plan.alpha() >= 0;
    noteLostValues(options.mapping, info);
    if (options.region && !options.statistics && info.mapping && !info.mapping->exact &&
        options.mapping.range != MappingChoice::Range::fixed) {
        info.notes.emplace_back("the range of values is that of the part that was read");
    }
    if (options.region) {
        info.carried = cropTags(std::move(info.carried), upright, 1);
    }
    if (info.mapping || page.facts.photometric == PHOTOMETRIC_MINISWHITE) {
        // The no-data value is a stored value, not a level.
        std::erase_if(info.carried, [](const CopiedTag& tag) { return tag.tag == kGdalNoDataTag; });
    }
    return {std::move(pixels.image), std::move(pixels.valid), std::move(info)};
}

/// The grid of strips or tiles in the upright image.
BlockGrid uprightBlocks(const TiffFacts& facts) {
    BlockGrid grid{facts.blockWidth, facts.blockHeight, 0, 0};
    const auto fromEnd = [](std::uint32_t side, std::uint32_t block) { return (block - side % block) % block; };
    const int o = facts.orientation;
    if (o == ORIENTATION_TOPRIGHT || o == ORIENTATION_BOTRIGHT || o == ORIENTATION_RIGHTBOT ||
        o == ORIENTATION_LEFTBOT) {
        grid.left = fromEnd(facts.width, facts.blockWidth);
    }
    if (o == ORIENTATION_BOTRIGHT || o == ORIENTATION_BOTLEFT || o == ORIENTATION_RIGHTTOP ||
        o == ORIENTATION_RIGHTBOT) {
        grid.top = fromEnd(facts.height, facts.blockHeight);
    }
    return swapsSides(o) ? BlockGrid{grid.height, grid.width, grid.top, grid.left} : grid;
}

/// A page of a file.
class TiffFilePage final : public FilePage {
public:
    TiffFilePage(const SourceFile& source, const ReadOptions& options, PageUse use)
        : FilePage(source, options), page_(openTiffPage(source, options)), notes_(page_.info.notes) {
        info_ = page_.info;
        if (use == PageUse::pixels) {
            return; // read() checks and plans
        }
        plans_.push_back(planTiffPixels(file(), options, options.channel, page_));
        info_.notes.insert(info_.notes.end(), plans_.front().notes.begin(), plans_.front().notes.end());
        info_.calibration = plans_.front().calibration;
        info_.band = plans_.front().band(info_.samples);
        info_.masksByAlpha = plans_.front().alpha() >= 0;
        if (use == PageUse::facts) {
            requirePixelsInFile(file(), page_);
            return;
        }
        const PixelRegion area = stored(part());
        requirePixelsInFile(file(), page_);
        (void)checkTiffStorage(file(), options, page_, area);
        options_.limits.maxExpansion = std::numeric_limits<double>::infinity(); // checked with all regions
        page_.handles = std::make_shared<TiffHandles>();
        if (const TiffDirectory* mask = maskOf(page_)) {
            page_.openMask = std::make_shared<TiffPage>(openTiffMask(file(), *mask));
            (void)checkTiffStorage(file(), options, *page_.openMask, area);
            page_.openMask->handles = std::make_shared<TiffHandles>();
        }
    }

    BlockGrid blocks() const override { return uprightBlocks(page_.facts); }
    bool mayHaveGaps() const override { return plans_.front().mayHaveGaps() || page_.openMask != nullptr; }

    LoadedImage read(const JobControl& control) override {
        return std::move(readEach({&options_.channel, 1}, control).front());
    }

    std::vector<LoadedImage> readEach(std::span<const ChannelChoice> channels, const JobControl& control) override {
        if (options_.threads > 0 && !arena_) {
            arena_.emplace(options_.threads);
        }
        const auto work = [&] { return decode(channels, control); };
        return arena_ ? arena_->execute(work) : work();
    }

private:
    /// The file that holds the page.
    [[nodiscard]] const SourceFile& file() const { return fileOf(page_, source_); }

    [[nodiscard]] PixelRegion stored(const PixelRegion& upright) const {
        return storedRegion(upright, page_.facts.orientation, page_.facts.width, page_.facts.height);
    }

    std::vector<LoadedImage> decode(std::span<const ChannelChoice> channels, const JobControl& control) {
        page_.info.notes = notes_;
        const PixelRegion upright = part();
        if (plans_.empty()) {
            for (const ChannelChoice& channel : channels) {
                plans_.push_back(planTiffPixels(file(), options_, channel, page_));
            }
        }
        std::vector<TiffPixels> pixels = readTiffPixels(file(), options_, page_, plans_, stored(upright), control);
        std::vector<LoadedImage> images;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            images.push_back(finished(page_, std::move(pixels[i]), plans_[i], options_, upright, control));
        }
        return images;
    }

    TiffPage page_;
    std::vector<std::string> notes_;   ///< that hold for all regions
    std::vector<TiffPlan> plans_;      ///< of the channels; empty before read() of a page opened for PageUse::pixels
    std::optional<ThreadArena> arena_; ///< unset: the caller's
};

bool isTiff(const SourceFile& source) {
    using namespace std::string_view_literals;
    const auto magics = {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
    return std::ranges::any_of(magics, [&](std::string_view magic) { return source.startsWith(magic); });
}

} // namespace

const ImageReader& tiffReader() {
    static const ImageReader reader{.filter = {"TIFF", {"tif", "tiff", "btf", "tf8", "lsm", "stk"}},
                                    .recognises = isTiff,
                                    .open = openAs<TiffFilePage>,
                                    .readsRegions = true,
                                    .keepsOpen = true};
    return reader;
}

namespace {

ImageInfo labelInfo(const std::filesystem::path& path, const ReadOptions& options) {
    ImageInfo info = readImageInfo(path, options);
    if (!info.format.ends_with("TIFF") || info.samples != 1 || info.photometric != "MinIsBlack" ||
        info.sampleFormat != "unsigned" || info.bits > 32) {
        throw readError(ErrorCode::formatUnsupported, path,
                        "is no label image, a TIFF with one unsigned number of at most 32 bits a pixel");
    }
    return info;
}

} // namespace

void requireTiffLabels(const std::filesystem::path& path) { (void)labelInfo(path, {}); }

StoredLabels readTiffLabels(const std::filesystem::path& path, const JobControl& control, int number) {
    ReadOptions options;
    options.page = number;
    const ImageInfo info = labelInfo(path, options);
    if (info.bits <= 16) {
        const LoadedImage loaded = readImage(path, options, control);
        const Image& image = *loaded.image;
        StoredLabels result{image.width(), image.height(), Buffer<std::uint32_t>(image.pixelCount())};
        dispatch(image.type(), [&]<class T>(T) { std::ranges::copy(image.pixels<T>(), result.labels.begin()); });
        return result;
    }
    const SourceFile opened = openSource(path); // the first bytes tell the byte order
    TiffPage page = openTiffPage(opened, options);
    const SourceFile& source = fileOf(page, opened);
    if (page.facts.orientation != ORIENTATION_TOPLEFT) {
        throw readError(ErrorCode::formatUnsupported, path, "is a label image in another orientation than top-left");
    }
    const PixelRegion region{0, 0, page.facts.width, page.facts.height};
    requirePixelsInFile(source, page);
    const TiffBlocks blocks = TiffBlocks::of(page.facts, region);
    const TiffStorage storage = locatePixels(source, page, blocks);
    const std::uint64_t pixels = std::uint64_t{region.width} * region.height;
    checkClaim(source,
               {region.width, region.height, page.facts.decodedBits,
                std::max(blocks.decodedBytes(page.facts), 2 * pixels * sizeof(std::uint32_t)), storage.bytes, true},
               options.limits);
    const ValuePlan plan{{0}, SampleKind::unsignedInteger, page.facts.decodedBits, -1, std::nullopt};
    ValueBuffer values(plan.type(), region.width, region.height);
    GapMap gaps(region.width, region.height);
    decodeTiff(source, page, storage, {region, [&] { return std::make_unique<ValueRows>(plan, values, gaps); }},
               control);
    StoredLabels result{region.width, region.height, Buffer<std::uint32_t>(pixels)};
    std::copy_n(values.at<std::uint32_t>(0, 0), pixels, result.labels.begin());
    return result;
}

} // namespace pollard
