#include "formats/tiff/tiff_pixels.hpp"

#include "formats/tiff/tiff_decode.hpp"
#include "formats/tiff/tiff_names.hpp"
#include "io/metadata/band_items.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

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

/// What the page states about the numbers that a plan takes; nothing for colours of a palette.
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
                          return std::make_unique<RowFan>(std::move(sinks));
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

} // namespace pollard
