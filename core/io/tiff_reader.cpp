#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/tiff_decode.hpp"
#include "io/tiff_facts.hpp"

#include <algorithm>
#include <array>

namespace pollard {

namespace {

GreyPlan planFor(const SourceFile& source, const ReadOptions& options, TiffPage& page) {
    const TiffFacts& facts = page.facts;
    if (facts.photometric == PHOTOMETRIC_PALETTE) {
        const TiffPalette palette = readTiffPalette(source, page);
        return GreyPlan::forPalette(source, options.channel, facts.bits, palette.type, palette.colours,
                                    page.info.notes);
    }
    const bool colour = facts.photometric == PHOTOMETRIC_RGB || facts.photometric == PHOTOMETRIC_YCBCR;
    GreyPlan plan = GreyPlan::forSamples(source, options.channel, facts.bits, colour ? 3 : 1, facts.samples,
                                         facts.alpha, page.info.notes);
    plan.inverted = facts.photometric == PHOTOMETRIC_MINISWHITE && plan.samples[0] == 0;
    return plan;
}

class TiffReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"TIFF", {"tif", "tiff", "btf", "tf8"}}; }

    bool recognises(std::span<const std::byte> head) const override {
        constexpr std::array<std::array<unsigned char, 4>, 4> kMagics = {
            {{'I', 'I', 42, 0}, {'M', 'M', 0, 42}, {'I', 'I', 43, 0}, {'M', 'M', 0, 43}}};
        return head.size() >= 4 && std::any_of(kMagics.begin(), kMagics.end(), [&](const auto& magic) {
                   return std::equal(magic.begin(), magic.end(), head.begin(), [](unsigned char a, std::byte b) {
                       return a == std::to_integer<unsigned char>(b);
                   });
               });
    }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        TiffPage page = openTiffPage(source, options.page);
        (void)planFor(source, options, page);
        return std::move(page.info);
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        TiffPage page = openTiffPage(source, options.page);
        const TiffFacts& facts = page.facts;
        GreyPlan plan = planFor(source, options, page);
        PixelClaim claim{facts.width,          facts.height, bitsOf(plan.type),
                         facts.decodedBytes(), source.size,  facts.compression != COMPRESSION_NONE};
        checkClaim(source, claim, options.limits); // before the strips are looked at: there may be very many
        const TiffStorage storage = locatePixels(source, page);
        claim.storedBytes = storage.bytes;
        checkClaim(source, claim, options.limits);

        auto image = std::make_shared<Image>(plan.type, facts.width, facts.height);
        GreyRows rows(source, std::move(plan), *image);
        decodeTiff(source, page, storage, rows, control);
        return {std::move(image), nullptr, std::move(page.info)};
    }
};

} // namespace

const ImageReader& tiffReader() {
    static const TiffReader reader;
    return reader;
}

} // namespace pollard
