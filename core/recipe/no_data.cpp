#include "recipe/no_data.hpp"

#include "image/mask_runs.hpp"
#include "io/metadata/geo_tags.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

namespace pollard {

namespace {

/// Value of a mark that is no level.
constexpr std::uint32_t kWideMark = std::numeric_limits<std::uint32_t>::max();
/// Pixels that are read together.
constexpr std::uint64_t kPixelsAtOnce = std::uint64_t{1} << 24;

/// Copies rows of levels into 32 bits.
void widen(const Image& image, std::size_t first, std::size_t count, std::byte* out) {
    auto* const to = reinterpret_cast<std::uint32_t*>(out);
    dispatch(image.type(), [&]<class T>(T) {
        const auto from = image.pixels<T>().subspan(first, count);
        std::copy(from.begin(), from.end(), to);
    });
}

void fillRun(std::byte* row, std::uint32_t first, std::uint32_t last, int bits, std::uint32_t value) {
    withPixel(bits, [&]<class T>(T) {
        T* const pixels = reinterpret_cast<T*>(row);
        std::fill(pixels + first, pixels + last, static_cast<T>(value));
    });
}

} // namespace

std::optional<std::uint16_t> noDataLevel(PixelType type, const ImageInfo& info) {
    const std::optional<double> value = statedNoData(info);
    if (!value) {
        return std::nullopt;
    }
    const auto& mapping = info.mapping;
    const double level = mapping ? mapping->levelOf(mapping->file.intercept + mapping->file.slope * *value) : *value;
    const bool isLevel = level >= 0 && level <= maxLevelOf(type) && level == std::floor(level);
    return isLevel ? std::optional(static_cast<std::uint16_t>(level)) : std::nullopt;
}

LevelsInUse::LevelsInUse(const ValidLevels& range, PixelType type, const ImageInfo& info) : range_(range) {
    takeFacts(type, info);
    if (!range.none) {
        std::fill(used_.begin() + range.smallest, used_.begin() + range.largest + 1, true);
    }
}

void LevelsInUse::takeFacts(PixelType type, const ImageInfo& info) {
    used_.resize(std::size_t{maxLevelOf(type)} + 1);
    stated_ = stated_ ? stated_ : noDataLevel(type, info);
    isMapped_ = isMapped_ || info.mapping;
}

void LevelsInUse::add(std::uint16_t level) {
    used_.at(level) = true;
    range_.join({0, false, level, level});
}

void LevelsInUse::add(const LoadedImage& source) {
    const Image& image = *source.image;
    takeFacts(image.type(), source.info);
    if (source.valid) {
        range_.invalid += image.pixelCount() - source.valid->count();
    }
    dispatch(image.type(), [&]<class T>(T) {
        std::vector<std::uint8_t> seen(used_.size());
        const T* row = image.pixels<T>().data();
        for (std::uint32_t y = 0; y < image.extent().rows(); ++y, row += image.width()) {
            const auto note = [&](std::uint32_t first, std::uint32_t last) {
                std::for_each(row + first, row + last, [&](T level) { seen[level] = 1; });
            };
            source.valid ? forEachRun(*source.valid, y, true, note) : note(0, image.width());
        }
        for (std::size_t level = 0; level < seen.size(); ++level) {
            if (seen[level] != 0) {
                add(static_cast<std::uint16_t>(level));
            }
        }
    });
}

void LevelsInUse::add(RegionSource& source, const JobControl& control) {
    const Extent whole = source.extent();
    const auto rows =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kPixelsAtOnce / whole.width, 1, whole.height));
    for (std::uint32_t slice = 0; slice < whole.slices; ++slice) {
        for (std::uint32_t y = 0; y < whole.height; y += std::min(rows, whole.height - y)) {
            add(source.readBox({0, y, whole.width, std::min(rows, whole.height - y)}, {slice, 1},
                               control.withoutProgress()));
        }
    }
}

bool LevelsInUse::isFree(std::size_t level, ResultValues values) const {
    switch (values) {
    case ResultValues::levels:
        return !used_[level];
    case ResultValues::between:
        return range_.none || level < range_.smallest || level > range_.largest;
    case ResultValues::differences:
        return range_.none ? level > 0 : level > std::size_t{range_.largest} - range_.smallest;
    default:
        return true;
    }
}

std::optional<NoDataMark> LevelsInUse::markFor(std::span<const ResultValues> values) const {
    const auto isOther = [](ResultValues each) { return each == ResultValues::others; };
    if (range_.invalid == 0 || std::ranges::all_of(values, isOther)) {
        return std::nullopt;
    }
    const auto isFreeInAll = [&](std::size_t level) {
        return std::ranges::all_of(values, [&](ResultValues each) { return isFree(level, each); });
    };
    if (!isMapped_ && !std::ranges::all_of(values, areLevels)) {
        return std::nullopt;
    }
    if (stated_ && isFreeInAll(*stated_)) {
        return NoDataMark{*stated_, false};
    }
    if (!isMapped_) {
        return std::nullopt;
    }
    for (std::size_t level = 0; level < used_.size(); ++level) {
        if (isFreeInAll(level)) {
            return NoDataMark{static_cast<std::uint32_t>(level), false};
        }
    }
    return NoDataMark{kWideMark, true};
}

std::optional<NoDataMark> noDataMark(const LoadedImage& source, ResultValues values) {
    LevelsInUse used;
    if (source.valid) {
        used.add(source);
    }
    return used.markFor(values);
}

std::optional<NoDataMark> noDataMark(RegionSource& source, ResultValues values, const JobControl& control) {
    const std::optional<ValidLevels>& range = source.validLevels();
    if (!range) {
        return std::nullopt;
    }
    const LevelsInUse byRange(*range, source.type(), source.info());
    const std::optional<NoDataMark> mark = byRange.markFor(values);
    if (values != ResultValues::levels || byRange.isSettled(mark)) {
        return mark;
    }
    LevelsInUse used;
    used.add(source, control);
    return used.markFor(values);
}

PixelRows markedRows(const Image& image, const Mask* valid, const std::optional<NoDataMark>& mark) {
    if (!mark) {
        return pixelRowsOf(image);
    }
    const int bits = mark->isWide ? 32 : bitsOf(image.type());
    PixelRows rows{image.extent(), bits, {}};
    rows.read = [plain = pixelRowsOf(image), &image, valid, mark = *mark, bits,
                 rowBytes = rows.rowBytes()](std::uint64_t first, std::uint32_t count, std::byte* out) {
        if (mark.isWide) {
            widen(image, first * image.width(), std::size_t{count} * image.width(), out);
        } else {
            plain.read(first, count, out);
        }
        for (std::uint32_t row = 0; valid != nullptr && row < count; ++row) {
            forEachRun(*valid, static_cast<std::uint32_t>(first) + row, false,
                       [&](std::uint32_t begin, std::uint32_t end) {
                           fillRun(out + row * rowBytes, begin, end, bits, mark.value);
                       });
        }
    };
    return rows;
}

PixelRows ownedRows(std::shared_ptr<const Image> image, std::shared_ptr<const Mask> valid,
                    const std::optional<NoDataMark>& mark) {
    PixelRows rows = markedRows(*image, valid.get(), mark);
    rows.read = [read = std::move(rows.read), image = std::move(image), valid = std::move(valid)](
                    std::uint64_t first, std::uint32_t count, std::byte* out) { read(first, count, out); };
    return rows;
}

} // namespace pollard
