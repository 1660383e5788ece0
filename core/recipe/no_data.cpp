#include "recipe/no_data.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "image/mask.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/samples/value_levels.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace pollard {

namespace {

/// Number of pixels that are read together.
constexpr std::uint64_t kPixelsAtOnce = std::uint64_t{1} << 24;

/// The next wider type of the same kind; the type itself if there is none.
ValueType wider(ValueType type) noexcept {
    using enum ValueType;
    switch (type) {
    case i8:
        return i16;
    case i16:
        return i32;
    case i32:
        return i64;
    case u8:
        return u16;
    case u16:
        return u32;
    case u32:
        return u64;
    case f32:
        return f64;
    default:
        return type;
    }
}

template <class T> T sampleIn(std::uint64_t bits) noexcept {
    T sample{};
    std::memcpy(&sample, &bits, sizeof sample);
    return sample;
}

/// A sample in a type that holds it.
std::uint64_t converted(std::uint64_t bits, ValueType from, ValueType to) noexcept {
    return from == to ? bits : sampleNearest(to, numberOfSample(from, bits));
}

/// Value of a difference of levels.
double differenceOf(const ValueMapping& mapping, double levels) noexcept {
    return mapping.step / std::abs(mapping.file.slope) * levels;
}

/// Bits of the sample of a level of a result. @param type of the result
std::uint64_t sampleOf(const std::optional<ValueMapping>& mapping, ResultValues values, std::uint16_t level,
                       ValueType type) noexcept {
    if (!mapping) {
        return sampleNearest(type, level);
    }
    return values == ResultValues::differences && mapping->isProportional()
               ? sampleNearest(type, differenceOf(*mapping, level))
               : converted(mapping->sampleOf(level), mapping->file.type, type);
}

double largestOf(ValueType type) {
    return dispatch(type, []<class T>(T) { return static_cast<double>(std::numeric_limits<T>::max()); });
}

} // namespace

std::optional<std::uint16_t> noDataLevel(PixelType type, const ImageInfo& info) {
    const std::optional<double> number = statedNoData(info);
    if (!number) {
        return std::nullopt;
    }
    const auto& mapping = info.mapping;
    const double level = mapping ? mapping->levelOf(mapping->file.intercept + mapping->file.slope * *number) : *number;
    const bool isLevel = level >= 0 && level <= maxLevelOf(type) && level == std::floor(level);
    return isLevel ? std::optional(static_cast<std::uint16_t>(level)) : std::nullopt;
}

void UsedLevels::begin(PixelType type, const ImageInfo& info) {
    Source& source = sources_.emplace_back();
    source.type = type;
    source.mapping = info.mapping;
    source.stated = statedNoData(info);
    source.used.resize(std::size_t{maxLevelOf(type)} + 1);
}

UsedLevels::UsedLevels(const ValidLevels& range, PixelType type, const ImageInfo& info) {
    begin(type, info);
    Source& source = sources_.back();
    source.range = range;
    if (!range.none) {
        std::fill(source.used.begin() + range.smallest, source.used.begin() + range.largest + 1, true);
    }
}

void UsedLevels::add(std::uint16_t level) {
    Source& source = sources_.back();
    source.used.at(level) = true;
    source.range.join({0, false, level, level});
}

void UsedLevels::addInvalidPixels() { ++sources_.back().range.invalid; }

void UsedLevels::addAll(PixelType type, const ImageInfo& info) {
    begin(type, info);
    Source& source = sources_.back();
    std::fill(source.used.begin(), source.used.end(), true);
    source.range = {0, false, 0, maxLevelOf(type)};
}

void UsedLevels::add(const LoadedImage& source) {
    begin(source.image->type(), source.info);
    addPixels(source);
}

void UsedLevels::addPixels(const LoadedImage& part) {
    const Image& image = *part.image;
    Source& source = sources_.back();
    if (part.valid) {
        source.range.invalid += image.pixelCount() - part.valid->count();
    }
    dispatch(image.type(), [&]<class T>(T) {
        std::vector<std::uint8_t> seen(source.used.size());
        const T* row = image.pixels<T>().data();
        for (std::uint32_t y = 0; y < image.extent().rows(); ++y, row += image.width()) {
            const auto note = [&](std::uint32_t first, std::uint32_t last) {
                std::for_each(row + first, row + last, [&](T level) { seen[level] = 1; });
            };
            part.valid ? forEachRun(*part.valid, y, true, note) : note(0, image.width());
            if (part.valid) {
                forEachRun(*part.valid, y, false, [&](std::uint32_t first, std::uint32_t last) {
                    const std::uint16_t least = *std::min_element(row + first, row + last);
                    source.gap = std::min(source.gap.value_or(least), least);
                });
            }
        }
        for (std::size_t level = 0; level < seen.size(); ++level) {
            if (seen[level] != 0) {
                add(static_cast<std::uint16_t>(level));
            }
        }
    });
}

void UsedLevels::add(RegionSource& source, const JobControl& control) {
    begin(source.type(), source.info());
    const Extent whole = source.extent();
    const auto rows =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kPixelsAtOnce / whole.width, 1, whole.height));
    for (std::uint32_t slice = 0; slice < whole.slices; ++slice) {
        for (std::uint32_t y = 0; y < whole.height; y += std::min(rows, whole.height - y)) {
            addPixels(source.readBox({0, y, whole.width, std::min(rows, whole.height - y)}, {slice, 1},
                                     control.withoutProgress()));
        }
    }
}

bool UsedLevels::isMapped() const noexcept {
    return std::ranges::any_of(sources_, [](const Source& source) { return source.mapping.has_value(); });
}

bool UsedLevels::isFinal(const ResultSamples& samples) const noexcept {
    return !isMapped() || (samples.mark && sources_.front().stated &&
                           *samples.mark == sampleNearest(samples.type, *sources_.front().stated));
}

std::optional<std::uint64_t> UsedLevels::markOfLevels(std::span<const ResultValues> values) const {
    if (!std::ranges::all_of(values, areLevels)) {
        return std::nullopt;
    }
    std::optional<std::uint16_t> stated;
    for (const Source& source : sources_) {
        const double number = source.stated.value_or(-1);
        const bool isLevel = number >= 0 && number <= maxLevelOf(source.type) && number == std::floor(number);
        stated = stated || !isLevel ? stated : std::optional(static_cast<std::uint16_t>(number));
    }
    const auto isFree = [&](const Source& source) {
        return std::ranges::all_of(values, [&](ResultValues each) {
            return each == ResultValues::levels
                       ? !source.used[*stated]
                       : source.range.none || *stated < source.range.smallest || *stated > source.range.largest;
        });
    };
    return stated && std::ranges::all_of(sources_, isFree) ? std::optional<std::uint64_t>(*stated) : std::nullopt;
}

void UsedLevels::setMark(std::span<const ResultValues> values, ResultSamples& samples) const {
    std::vector<std::uint64_t> taken;
    std::vector<std::pair<double, double>> clipped; // beyond the range of levels
    std::vector<std::uint64_t> wished;
    for (const Source& source : sources_) {
        const ValidLevels& range = source.range;
        for (const ResultValues each : values) {
            const bool isDifference = each == ResultValues::differences && !(source.mapping && source.mapping->ranks);
            const std::size_t begin = isDifference || range.none ? 0 : range.smallest;
            const std::size_t end = range.none     ? 0
                                    : isDifference ? std::size_t{range.largest} - range.smallest + 1
                                                   : range.largest + 1U;
            for (std::size_t level = begin; level < end; ++level) {
                if (each != ResultValues::levels || source.used[level]) {
                    taken.push_back(sampleOf(source.mapping, each, static_cast<std::uint16_t>(level), samples.type));
                }
            }
        }
        if (source.stated) {
            wished.push_back(sampleNearest(samples.type, *source.stated));
        }
        if (source.mapping && !source.mapping->exact) {
            const auto& [slope, intercept] = std::pair(source.mapping->file.slope, source.mapping->file.intercept);
            clipped.emplace_back(std::minmax(
                {(source.mapping->minimum - intercept) / slope, (source.mapping->maximum - intercept) / slope}));
        }
    }
    for (const Source& source : sources_) {
        if (source.gap && source.mapping && source.mapping->exact) {
            wished.push_back(sampleOf(source.mapping, ResultValues::levels, *source.gap, samples.type));
        }
    }
    std::ranges::sort(taken);
    if (isFloat(samples.type)) {
        wished.push_back(sampleNearest(samples.type, std::numeric_limits<double>::quiet_NaN()));
    } else {
        wished.push_back(sampleNearest(samples.type, -std::numeric_limits<double>::infinity()));
        wished.push_back(sampleNearest(samples.type, std::numeric_limits<double>::infinity()));
        for (std::size_t level = 0; level <= std::numeric_limits<std::uint16_t>::max(); ++level) {
            wished.push_back(sampleOf(sources_.front().mapping, ResultValues::levels, static_cast<std::uint16_t>(level),
                                      samples.type));
        }
    }
    const auto isFree = [&](std::uint64_t sample) {
        const double number = numberOfSample(samples.type, sample);
        return !std::ranges::binary_search(taken, sample) && std::ranges::none_of(clipped, [&](const auto& range) {
            return number >= range.first && number <= range.second;
        });
    };
    const auto found = std::ranges::find_if(wished, isFree);
    if (found != wished.end()) {
        samples.mark = *found;
    } else if (wider(samples.type) != samples.type) {
        samples.type = wider(samples.type);
        setMark(values, samples);
    }
}

ResultSamples UsedLevels::samplesFor(std::span<const ResultValues> values) const {
    ResultSamples samples;
    if (sources_.empty()) {
        return samples;
    }
    const auto isOther = [](ResultValues each) { return each == ResultValues::others; };
    const bool areOthers = std::ranges::all_of(values, isOther);
    const bool hasDifferences = std::ranges::find(values, ResultValues::differences) != values.end();
    bool hasGaps = false;
    for (const Source& source : sources_) {
        ValueType type = source.mapping && !areOthers ? source.mapping->file.type : valueTypeOf(source.type);
        const bool areOwn = source.mapping && source.mapping->ranks; // of the differences, in a type that holds them
        if (hasDifferences && source.mapping && !areOwn && isSigned(type) && !source.range.none) {
            const double largest = differenceOf(*source.mapping, source.range.largest - source.range.smallest);
            while (largest > largestOf(type) && wider(type) != type) {
                type = wider(type);
            }
        }
        samples.type = bytesOf(type) > bytesOf(samples.type) || &source == &sources_.front() ? type : samples.type;
        hasGaps = hasGaps || source.range.invalid > 0;
    }
    if (hasGaps && !areOthers) {
        if (isMapped()) {
            setMark(values, samples);
        } else {
            samples.mark = markOfLevels(values);
        }
    }
    return samples;
}

ResultSamples resultSamples(const LoadedImage& source, ResultValues values) {
    UsedLevels used;
    const auto& mapping = source.info.mapping;
    const bool needsRange = mapping && values == ResultValues::differences && isSigned(mapping->file.type);
    if (source.image == nullptr) {
        return {};
    }
    if (source.valid || needsRange) {
        used.add(source);
    } else {
        used.addAll(source.image->type(), source.info);
    }
    return used.samplesFor(values);
}

ResultSamples resultSamples(RegionSource& source, ResultValues values, const JobControl& control) {
    const std::optional<ValidLevels>& range = source.validLevels();
    const auto& mapping = source.info().mapping;
    const bool needsRange = mapping && values == ResultValues::differences && isSigned(mapping->file.type);
    UsedLevels used;
    if (range) {
        const UsedLevels byRange(*range, source.type(), source.info());
        const ResultSamples samples = byRange.samplesFor(values);
        if (!mapping || (values == ResultValues::levels && byRange.isFinal(samples)) ||
            values == ResultValues::others) {
            return samples;
        }
        used.add(source, control);
    } else if (needsRange) {
        used.add(source, control);
    } else {
        used.addAll(source.type(), source.info());
    }
    return used.samplesFor(values);
}

namespace {

/// Makes rows of samples from levels by a table.
class SampleRows {
public:
    SampleRows(const Image& image, const LoadedImage& source, ResultValues values, const ResultSamples& samples)
        : image_(image), levels_(source.image), valid_(source.valid),
          grid_(areLevels(values) ? source.samples : nullptr), samples_(samples) {
        const auto& mapping = source.info.mapping;
        const std::size_t levels = std::size_t{maxLevelOf(image.type())} + 1;
        for (std::size_t level = 0; level < levels; ++level) {
            table_.push_back(sampleOf(mapping, values, static_cast<std::uint16_t>(level), samples.type));
        }
    }

    void read(std::uint64_t first, std::uint32_t count, std::byte* out) const {
        dispatch(samples_.type, [&]<class T>(T) {
            dispatch(image_.type(), [&]<class Level>(Level) { readAs<T, Level>(first, count, out); });
        });
    }

private:
    template <class T, class Level> void readAs(std::uint64_t first, std::uint32_t count, std::byte* out) const {
        const std::size_t width = image_.width();
        const std::size_t begin = first * width;
        const auto levels = image_.pixels<Level>().subspan(begin, count * width);
        const std::span<T> row(reinterpret_cast<T*>(out), count * width);
        std::ranges::transform(levels, row.begin(), [this](Level level) { return sampleIn<T>(table_[level]); });
        if (grid_ != nullptr) {
            const auto before = levels_->pixels<Level>().subspan(begin, count * width);
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (levels[i] == before[i]) {
                    row[i] = own<T>(begin + i);
                }
            }
        }
        for (std::uint32_t y = 0; valid_ != nullptr && y < count; ++y) {
            forEachRun(*valid_, static_cast<std::uint32_t>(first) + y, false,
                       [&](std::uint32_t from, std::uint32_t to) {
                           for (std::size_t x = from; x < to; ++x) {
                               row[y * width + x] = withoutData<T>(begin + y * width + x, row[y * width + x]);
                           }
                       });
        }
    }

    /// The sample of a pixel in the source.
    template <class T> [[nodiscard]] T own(std::size_t pixel) const {
        const std::size_t bytes = bytesOf(grid_->type);
        std::uint64_t bits = 0;
        std::memcpy(&bits, grid_->samples.data() + pixel * bytes, bytes);
        return sampleIn<T>(converted(bits, grid_->type, samples_.type));
    }
    template <class T> [[nodiscard]] T withoutData(std::size_t pixel, T sample) const {
        if (grid_ != nullptr) {
            sample = own<T>(pixel);
        }
        if constexpr (std::is_floating_point_v<T>) {
            if (grid_ != nullptr && std::isnan(sample)) {
                return sample;
            }
        }
        return samples_.mark ? sampleIn<T>(*samples_.mark) : sample;
    }

    const Image& image_;
    std::shared_ptr<const Image> levels_;
    std::shared_ptr<const Mask> valid_;
    std::shared_ptr<const SampleGrid> grid_; ///< null: samples follow from the levels
    ResultSamples samples_;
    std::vector<std::uint64_t> table_; ///< bits of the sample of each level
};

} // namespace

PixelRows resultRows(const Image& image, const LoadedImage& source, ResultValues values, const ResultSamples& samples) {
    const bool isMapped = source.info.mapping && values != ResultValues::others;
    if (!isMapped && !samples.mark && (values == ResultValues::others || samples.type == valueTypeOf(image.type()))) {
        return pixelRowsOf(image);
    }
    PixelRows rows{image.extent(), samples.type, {}};
    rows.read = [made = std::make_shared<const SampleRows>(image, source, values, samples)](
                    std::uint64_t first, std::uint32_t count, std::byte* out) { made->read(first, count, out); };
    return rows;
}

LoadedImage withOwnLevels(const LoadedImage& source, std::shared_ptr<const Image> result, ValueMapping mapping) {
    LoadedImage own = source;
    own.image = std::move(result);
    own.samples = nullptr;
    own.info.mapping = std::move(mapping);
    return own;
}

PixelRows ownedRows(std::shared_ptr<const Image> image, const LoadedImage& source, ResultValues values,
                    const ResultSamples& samples) {
    PixelRows rows = resultRows(*image, source, values, samples);
    rows.read = [read = std::move(rows.read), image = std::move(image)](std::uint64_t first, std::uint32_t count,
                                                                        std::byte* out) { read(first, count, out); };
    return rows;
}

} // namespace pollard
