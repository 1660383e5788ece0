#include "io/samples/calibration.hpp"

#include "io/samples/kept_values.hpp"
#include "io/samples/value_levels.hpp"
#include "io/valid_levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
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

/// The range is that of the valid pixels; 0 if there are none.
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

} // namespace pollard
