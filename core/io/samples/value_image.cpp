#include "io/samples/value_image.hpp"

#include "base/text.hpp"
#include "image/mask.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <type_traits>
#include <utility>

namespace pollard {

namespace {

/// Bits of the sample that is @p levels whole numbers above or below another one.
std::uint64_t movedSample(ValueType type, std::uint64_t bits, std::uint16_t levels, bool up) {
    return dispatch(type, [&]<class T>(T) {
        if constexpr (std::is_floating_point_v<T>) {
            const double number = numberOfSample(type, bits);
            return bitsOfSample(static_cast<T>(up ? number + levels : number - levels));
        } else {
            return bitsOfSample(static_cast<T>(up ? bits + levels : bits - levels)); // wraps within the type
        }
    });
}

/// Changes a mapping of samples into one of values. @param last see lastLevelOf()
void scale(ValueMapping& mapping, const Calibration& calibration, std::uint16_t last) {
    const bool turns = calibration.slope < 0;
    if (mapping.ranks) {
        RankedValues ranks = *mapping.ranks;
        std::ranges::transform(ranks.values, ranks.values.begin(),
                               [&](double value) { return calibration.valueOf(value); });
        if (turns) {
            std::ranges::reverse(ranks.values);
            std::ranges::reverse(ranks.samples);
        }
        mapping.ranks = std::make_shared<const RankedValues>(std::move(ranks));
    } else {
        mapping.offset = calibration.valueOf(turns ? mapping.offset + mapping.step * last : mapping.offset);
        mapping.step *= std::abs(calibration.slope);
    }
    if (turns && mapping.file.first) {
        mapping.file.first = movedSample(mapping.file.type, *mapping.file.first, last, mapping.file.slope > 0);
    }
    mapping.file.intercept = calibration.valueOf(mapping.file.intercept);
    mapping.file.slope *= calibration.slope;
    mapping.minimum = calibration.valueOf(mapping.minimum);
    mapping.maximum = calibration.valueOf(mapping.maximum);
    if (turns) {
        std::swap(mapping.minimum, mapping.maximum);
    }
    if (!calibration.unit.empty()) {
        mapping.unit = calibration.unit;
    }
}

/// Samples that are levels are values until a calibration is applied.
ValueMapping mappingOfSamples(PixelType type) {
    ValueMapping mapping;
    mapping.exact = true;
    mapping.maximum = maxLevelOf(type);
    mapping.file.type = type == PixelType::u8 ? ValueType::u8 : ValueType::u16;
    mapping.file.first = 0;
    return mapping;
}

/// The mapping with the range of the valid pixels; 0 if there are none.
ValueMapping mappingOfSamples(const LoadedImage& loaded) {
    ValueMapping mapping = mappingOfSamples(loaded.image->type());
    const ValidLevels levels = validLevelsOf(loaded);
    mapping.minimum = levels.none ? 0 : levels.smallest;
    mapping.maximum = levels.none ? 0 : levels.largest;
    return mapping;
}

void turnLevels(LoadedImage& loaded, std::uint16_t last) {
    const auto turned = std::make_shared<Image>(loaded.image->type(), loaded.image->extent());
    turned->setSides(loaded.image->sides());
    dispatch(turned->type(), [&]<class T>(T) {
        const auto from = loaded.image->pixels<T>();
        std::ranges::transform(from, turned->pixels<T>().begin(),
                               [last](T level) { return static_cast<T>(last - std::min<std::uint16_t>(level, last)); });
    });
    KeptValues::moveTo(turned, loaded.image);
    loaded.image = turned;
}

} // namespace

std::optional<Calibration> calibrationOf(double slope, double intercept, std::string unit) {
    if (slope == 0 || !std::isfinite(slope) || !std::isfinite(intercept) ||
        (slope == 1 && intercept == 0 && unit.empty())) {
        return std::nullopt;
    }
    return Calibration{slope, intercept, std::move(unit)};
}

MappingChoice inSamples(MappingChoice choice, const Calibration& calibration) {
    const bool turns = calibration.slope < 0;
    if (choice.range == MappingChoice::Range::fixed) {
        choice.low = calibration.sampleOf(choice.low);
        choice.high = calibration.sampleOf(choice.high);
        if (turns) {
            std::swap(choice.low, choice.high);
        }
    } else if (choice.range == MappingChoice::Range::percentile && turns) {
        choice.low = 1 - std::exchange(choice.high, 1 - choice.low);
    }
    return choice;
}

ValueMapping storedMapping(PixelType type, const Calibration& calibration) {
    ValueMapping mapping = mappingOfSamples(type);
    scale(mapping, calibration, maxLevelOf(type));
    return mapping;
}

std::uint16_t lastLevelOf(const ValueMapping& mapping, PixelType type) noexcept {
    return mapping.ranks ? static_cast<std::uint16_t>(mapping.ranks->values.size() - 1) : maxLevelOf(type);
}

void calibrate(LoadedImage& loaded) {
    const std::optional<Calibration>& calibration = loaded.info.calibration;
    if (!calibration) {
        return;
    }
    std::optional<ValueMapping>& mapping = loaded.info.mapping;
    if (!mapping) {
        mapping = mappingOfSamples(loaded);
    }
    const std::uint16_t last = lastLevelOf(*mapping, loaded.image->type());
    if (turnsLevels(calibration)) {
        turnLevels(loaded, last);
    }
    scale(*mapping, *calibration, last);
    KeptValues::scale(loaded.image, *calibration);
}

namespace {

constexpr std::string_view kLostValues = "more than 65536 different values: nearly equal ones";
constexpr double kLastLevel = 65535;

std::string shortNumber(double number) { return generalText(number, 3); }

} // namespace

LoadedImage imageOfValues(const SourceFile& source, const ValueGrid& values, const ReadOptions& options,
                          const ValueGaps& gaps, ImageInfo info, const JobControl& control) {
    const ValueGaps all{gaps.noData ? gaps.noData : options.noData, gaps.valid};
    MappedLevels mapped = namingFile(
        source.path, [&] { return levelsOfValues(values, options.mapping, all, control, options.statistics.get()); });
    info.mapping = mapped.mapping;
    info.invalidPixels = mapped.invalidPixels;
    noteLostValues(options.mapping, info);
    return {std::move(mapped.image), std::move(mapped.valid), std::move(info)};
}

void noteLostValues(const MappingChoice& choice, ImageInfo& info) {
    if (!info.mapping || info.mapping->exact || choice.range != MappingChoice::Range::automatic ||
        info.mapping->ranks || info.mapping->file.first) {
        return;
    }
    const ValueMapping& mapping = *info.mapping;
    const std::string unit = mapping.unit.empty() ? std::string() : " " + mapping.unit;
    std::string note =
        std::string(kLostValues) + ", closer than about " + shortNumber(mapping.step) + unit + ", share a level";
    if (mapping.clipped > 0) {
        note += "; " + std::to_string(mapping.clipped) + (mapping.clipped == 1 ? " pixel" : " pixels") + " beyond " +
                shortNumber(mapping.valueOf(0)) + " to " + shortNumber(mapping.valueOf(kLastLevel)) + unit +
                " became one of these ends";
    }
    note += "; --range 0.1%:99.9% maps fewer values more finely";
    std::erase_if(info.notes, [](const std::string& one) { return one.starts_with(kLostValues); });
    info.notes.push_back(std::move(note));
}

void addValues(std::optional<ValueMapping>& all, const std::optional<ValueMapping>& part) {
    if (!all || !part) {
        all = all ? all : part;
        return;
    }
    const bool isFloat = all->file.type == ValueType::f32 || all->file.type == ValueType::f64;
    const bool areApart = all->ranks || all->file.first || (!isFloat && all->step <= std::abs(all->file.slope));
    all->exact =
        all->exact && part->exact && (areApart || (all->minimum == part->maximum && all->maximum == part->minimum));
    all->minimum = std::min(all->minimum, part->minimum);
    all->maximum = std::max(all->maximum, part->maximum);
    all->nan += part->nan;
    all->infinite += part->infinite;
    all->clipped += part->clipped;
}

std::shared_ptr<const Mask> maskOfGaps(Mask mask, std::uint64_t& invalid) {
    invalid = std::uint64_t{mask.width()} * mask.height() - mask.count();
    return invalid == 0 ? nullptr : std::make_shared<const Mask>(std::move(mask));
}

namespace {

struct LevelRange {
    std::uint16_t smallest = 0xffff;
    std::uint16_t largest = 0;
};

/// Smallest and largest level of the valid pixels; an empty range if there are none.
LevelRange rangeOf(const LoadedImage& loaded) {
    const Image& image = *loaded.image;
    const auto joined = [](LevelRange a, const LevelRange& b) {
        return LevelRange{std::min(a.smallest, b.smallest), std::max(a.largest, b.largest)};
    };
    constexpr std::uint32_t kRows = 64;
    return dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* pixels = image.pixels<Pixel>().data();
        return tbb::parallel_reduce(
            tbb::blocked_range<std::uint32_t>(0, image.height(), kRows), LevelRange{},
            [&](const auto& rows, LevelRange found) {
                for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                    const Pixel* row = pixels + std::size_t{y} * image.width();
                    const auto add = [&](std::uint32_t first, std::uint32_t last) {
                        const auto [low, high] = std::minmax_element(row + first, row + last);
                        found = joined(found, {*low, *high});
                    };
                    if (loaded.valid) {
                        forEachRun(*loaded.valid, y, true, add);
                    } else {
                        add(0, image.width());
                    }
                }
                return found;
            },
            joined);
    });
}

} // namespace

void ValidLevels::join(const ValidLevels& part) noexcept {
    invalid += part.invalid;
    if (!part.none) {
        smallest = none ? part.smallest : std::min(smallest, part.smallest);
        largest = std::max(largest, part.largest);
        none = false;
    }
}

ValidLevels validLevelsOf(const LoadedImage& part) {
    const std::uint64_t invalid = part.info.invalidPixels;
    if (invalid == part.image->pixelCount()) {
        return {invalid};
    }
    const LevelRange range = rangeOf(part);
    return {invalid, false, range.smallest, range.largest};
}

} // namespace pollard
