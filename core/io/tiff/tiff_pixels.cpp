#include "io/tiff/tiff_pixels.hpp"

#include "io/metadata/geo_keys.hpp"
#include "io/read_support.hpp"
#include "io/tiff/tiff_decode.hpp"
#include "io/tiff/tiff_names.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pollard {

namespace {

/// GDAL_NODATA is text; nothing if it is not a number.
std::optional<double> noDataOf(const ImageInfo& info) {
    const std::string text = geoText(info.carried, kGdalNoDataTag);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || end == text.c_str() ? std::nullopt : std::optional(value);
}

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

GreyPlan levelPlan(const SourceFile& source, const ReadOptions& options, TiffPage& page, std::optional<double> noData) {
    const TiffFacts& facts = page.facts;
    const bool alphaChosen =
        options.channel.kind == ChannelChoice::Kind::sample && options.channel.sample == facts.alphaSample;
    const int alpha = alphaChosen ? -1 : facts.alphaSample;
    GreyPlan plan;
    if (facts.photometric == PHOTOMETRIC_PALETTE) {
        const TiffPalette palette = readTiffPalette(source, page);
        plan =
            GreyPlan::forPalette(source, options.channel, facts.bits, palette.type, palette.colours, page.info.notes);
        plan.alpha = alpha;
    } else {
        plan = GreyPlan::forSamples(source, options.channel, facts.decodedBits, colourSamples(facts), facts.samples,
                                    facts.alpha, page.info.notes, alpha);
        plan.inverted = facts.photometric == PHOTOMETRIC_MINISWHITE && plan.samples[0] == 0;
        if (options.channel.kind == ChannelChoice::Kind::sample) {
            plan.alpha = alpha;
        }
    }
    if (noData && *noData >= 0 && *noData <= 65535 && *noData == std::floor(*noData)) {
        plan.noData = static_cast<std::uint16_t>(*noData);
    }
    return plan;
}

ValuePlan valuePlan(const SourceFile& source, const ReadOptions& options, TiffPage& page,
                    std::optional<double> noData) {
    const TiffFacts& facts = page.facts;
    std::vector<std::string>& notes = page.info.notes;
    ValuePlan plan;
    plan.kind = facts.kind;
    plan.bits = facts.decodedBits;
    plan.noData = noData;
    const bool log = facts.photometric == PHOTOMETRIC_LOGLUV;
    // The same choice of samples as for levels; the bit depth does not matter.
    GreyPlan samples = GreyPlan::forSamples(source, options.channel, 16, log ? 1 : colourSamples(facts), facts.samples,
                                            facts.alpha, notes, facts.alphaSample);
    plan.samples = samples.samples;
    plan.alpha = plan.samples[0] == facts.alphaSample ? -1 : facts.alphaSample;
    if (log && options.channel.kind == ChannelChoice::Kind::luminance) {
        plan.samples = {1}; // Y of XYZ
    }
    return plan;
}

bool isLabChroma(const TiffFacts& facts, const ReadOptions& options) {
    return facts.photometric == PHOTOMETRIC_CIELAB && facts.hasLevels() &&
           options.channel.kind == ChannelChoice::Kind::sample &&
           (options.channel.sample == 1 || options.channel.sample == 2);
}

void noteMeaning(const ReadOptions& options, TiffPage& page) {
    std::vector<std::string>& notes = page.info.notes;
    if (options.channel.kind == ChannelChoice::Kind::sample) {
        return;
    }
    switch (page.facts.photometric) {
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
        if (page.facts.samples < 4) {
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
    if (compressed) {
        checkClaim(source, claim, options.limits);
    }
    const TiffStorage storage = locatePixels(source, page, blocks);
    claim.storedBytes = storage.bytes;
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
                                  (noDataOf(page.info) ? "the no-data value" : "0"));
    }
    return storage;
}

/// Marks pixels excluded by the page's transparency mask in @p gaps.
void readMask(const SourceFile& source, const ReadOptions& options, const TiffPage& page, const PixelRegion& region,
              GapMap& gaps, const JobControl& control) {
    const auto mask = std::find_if(page.masks.begin(), page.masks.end(), [&](const TiffDirectory& directory) {
        return directory.width == page.facts.width && directory.height == page.facts.height;
    });
    if (mask == page.masks.end()) {
        return;
    }
    TiffPage maskPage = openTiffMask(source, *mask);
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
               {region, [&] { return std::make_unique<GreyRows>(source, plan, scratch, &gaps); }, &gaps}, control);
}

std::size_t pixelBytesOf(const TiffPlan& plan) {
    return plan.levels ? bytesOf(plan.levels->type) : bytesOf(plan.values->type()) + 2;
}

} // namespace

TiffPlan planTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page) {
    TiffPlan plan;
    plan.noData = noDataOf(page.info);
    if (isLabChroma(page.facts, options)) {
        plan.values = ValuePlan{{options.channel.sample}, SampleKind::signedInteger, page.facts.bits, -1, plan.noData};
    } else if (page.facts.hasLevels()) {
        plan.levels = levelPlan(source, options, page, plan.noData);
    } else {
        plan.values = valuePlan(source, options, page, plan.noData);
    }
    noteMeaning(options, page);
    return plan;
}

TiffValues readTiffValues(const SourceFile& source, const ReadOptions& options, TiffPage& page, const ValuePlan& plan,
                          const PixelRegion& region, const JobControl& control) {
    const TiffStorage storage = checkedStorage(source, options, page, region, bytesOf(plan.type()) + 2);
    GapMap gaps(region.width, region.height);
    ValueBuffer values(plan.type(), region.width, region.height);
    readMask(source, options, page, region, gaps, control);
    decodeTiff(source, page, storage,
               {region, [&] { return std::make_unique<ValueRows>(plan, values, gaps); }, plan.noData ? &gaps : nullptr},
               control);
    return {std::move(values), gaps.valid()};
}

TiffPixels readTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page,
                          const PixelRegion& region, const JobControl& control) {
    const TiffPlan plan = planTiffPixels(source, options, page);
    if (plan.values) {
        const TiffValues read = readTiffValues(source, options, page, *plan.values, region, control);
        MappedLevels mapped =
            levelsOfValues(read.values.grid(), options.mapping,
                           {plan.values->samples.size() == 1 ? plan.noData : std::nullopt, read.valid}, control);
        return {std::move(mapped.image), std::move(mapped.valid), mapped.mapping};
    }
    const TiffStorage storage = checkedStorage(source, options, page, region, pixelBytesOf(plan));
    auto image = std::make_shared<Image>(plan.levels->type, region.width, region.height);
    GapMap gaps(region.width, region.height);
    readMask(source, options, page, region, gaps, control);
    decodeTiff(source, page, storage,
               {region, [&] { return std::make_unique<GreyRows>(source, *plan.levels, *image, &gaps); },
                plan.levels->noData ? &gaps : nullptr},
               control);
    return {std::move(image), gaps.valid(), std::nullopt};
}

} // namespace pollard
