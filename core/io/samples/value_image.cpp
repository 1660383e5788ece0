#include "io/samples/value_image.hpp"

#include <utility>

namespace pollard {

LoadedImage imageOfValues(const SourceFile& source, const ValueGrid& values, const ReadOptions& options,
                          const ValueGaps& gaps, ImageInfo info, const JobControl& control) {
    MappedLevels mapped = namingFile(
        source.path, [&] { return levelsOfValues(values, options.mapping, gaps, control, options.statistics.get()); });
    info.mapping = mapped.mapping;
    info.invalidPixels = mapped.invalidPixels;
    return {std::move(mapped.image), std::move(mapped.valid), std::move(info)};
}

std::shared_ptr<const Mask> maskOfGaps(Mask mask, std::uint64_t& invalid) {
    invalid = std::uint64_t{mask.width()} * mask.height() - mask.count();
    return invalid == 0 ? nullptr : std::make_shared<const Mask>(std::move(mask));
}

} // namespace pollard
