#include "formats/tiff/tiff_labels.hpp"

#include "formats/tiff/tiff_decode.hpp"
#include "io/read_support.hpp"
#include "io/samples/value_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace pollard {

namespace {

ImageInfo labelInfo(const std::filesystem::path& path) {
    ImageInfo info = readImageInfo(path);
    if (!info.format.ends_with("TIFF") || info.samples != 1 || info.photometric != "MinIsBlack" ||
        info.sampleFormat != "unsigned" || info.bits > 32) {
        throw readError(ErrorCode::formatUnsupported, path,
                        "is no label image, a TIFF with one unsigned number of at most 32 bits a pixel");
    }
    return info;
}

} // namespace

void requireTiffLabels(const std::filesystem::path& path) { (void)labelInfo(path); }

StoredLabels readTiffLabels(const std::filesystem::path& path, const JobControl& control) {
    const ImageInfo info = labelInfo(path);
    if (info.bits <= 16) {
        const LoadedImage loaded = readImage(path, {}, control);
        const Image& image = *loaded.image;
        StoredLabels result{image.width(), image.height(), Buffer<std::uint32_t>(image.pixelCount())};
        dispatch(image.type(), [&]<class T>(T) { std::ranges::copy(image.pixels<T>(), result.labels.begin()); });
        return result;
    }
    const SourceFile opened = openSource(path); // the first bytes tell the byte order
    const ReadOptions options;
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
