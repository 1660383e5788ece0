#include "io/tiff/tiff_labels.hpp"

#include "io/read_support.hpp"
#include "io/tiff/tiff_pixels.hpp"

#include <algorithm>
#include <system_error>

namespace pollard {

StoredLabels readTiffLabels(const std::filesystem::path& path, const JobControl& control) {
    const ImageInfo info = readImageInfo(path);
    if (!info.format.ends_with("TIFF") || info.samples != 1 || info.photometric != "MinIsBlack" ||
        info.sampleFormat != "unsigned" || info.bits > 32) {
        throw readError(ErrorCode::formatUnsupported, path,
                        "is no label image, a TIFF with one unsigned number of at most 32 bits a pixel");
    }
    std::error_code error;
    const SourceFile source{path, std::filesystem::file_size(path, error), {}};
    if (error) {
        throw readError(ErrorCode::fileUnreadable, path, error.message());
    }
    const ReadOptions options;
    TiffPage page = openTiffPage(source, options);
    if (page.facts.orientation != ORIENTATION_TOPLEFT) {
        throw readError(ErrorCode::formatUnsupported, path, "is a label image in another orientation than top-left");
    }
    const PixelRegion region{0, 0, page.facts.width, page.facts.height};
    StoredLabels result{region.width, region.height, Buffer<std::uint32_t>(std::size_t{region.width} * region.height)};
    const TiffPlan plan = planTiffPixels(source, options, page);
    if (plan.values && plan.values->type() == ValueType::u32) {
        const TiffValues read = readTiffValues(source, options, page, *plan.values, region, control);
        std::copy_n(static_cast<const std::uint32_t*>(read.values.grid().data), result.labels.size(),
                    result.labels.begin());
    } else {
        const TiffPixels read = readTiffPixels(source, options, page, region, control);
        dispatch(read.image->type(),
                 [&]<class T>(T) { std::ranges::copy(read.image->pixels<T>(), result.labels.begin()); });
    }
    return result;
}

} // namespace pollard
