#include "io/samples/value_image.hpp"

#include "io/reduce.hpp"

#include <utility>

namespace pollard {

LoadedImage imageOfValues(const SourceFile& source, const ValueGrid& values, const ReadOptions& options,
                          const ValueGaps& gaps, ImageInfo info, const JobControl& control) {
    try {
        MappedLevels mapped = levelsOfValues(values, options.mapping, gaps, control, options.statistics.get());
        info.mapping = mapped.mapping;
        info.invalidPixels = mapped.invalidPixels;
        return {std::move(mapped.image), std::move(mapped.valid), std::move(info)};
    } catch (const Error& error) {
        throw readError(error.code(), source.path, error.what());
    }
}

std::shared_ptr<const Mask> maskOfGaps(Mask mask, std::uint64_t& invalid) {
    invalid = std::uint64_t{mask.width()} * mask.height() - mask.count();
    return invalid == 0 ? nullptr : std::make_shared<const Mask>(std::move(mask));
}

PixelRegion wantedRegion(const SourceFile& source, const ReadOptions& options, std::uint32_t width,
                         std::uint32_t height) {
    if (!options.region) {
        return {0, 0, width, height};
    }
    try {
        return checkedRegion(*options.region, width, height);
    } catch (const Error& error) {
        throw readError(error.code(), source.path, error.what());
    }
}

} // namespace pollard
