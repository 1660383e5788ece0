#include "image/value_mapping.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

namespace pollard {

namespace {

/// Nearest sample, clamped to the type; 0 for NaN as an integer.
template <class T> T nearest(double number) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(number);
    } else {
        // Both ends are powers of two, exact as doubles.
        const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
        const double begin = std::is_signed_v<T> ? -end : 0.0;
        const double rounded = std::round(number);
        if (!(rounded > begin)) {
            return std::isnan(rounded) ? T{} : std::numeric_limits<T>::lowest();
        }
        return rounded >= end ? std::numeric_limits<T>::max() : static_cast<T>(rounded);
    }
}

/// Whether a value is a bound, or so near to it that both read alike in the precision of the samples.
bool readsAs(double value, double bound, ValueType type) noexcept {
    constexpr double kNear = 5e-16;
    if (!std::isfinite(value) || !std::isfinite(bound)) {
        return value == bound;
    }
    const bool isFloat = type == ValueType::f32;
    return value == bound || (isFloat && static_cast<float>(value) == static_cast<float>(bound)) ||
           std::abs(value - bound) <= kNear * std::max(std::abs(value), std::abs(bound));
}

} // namespace

template <class T> std::uint64_t bitsOfSample(T sample) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &sample, sizeof sample); // little-endian
    return bits;
}
static_assert(std::endian::native == std::endian::little);
template std::uint64_t bitsOfSample(std::uint8_t) noexcept;
template std::uint64_t bitsOfSample(std::uint16_t) noexcept;
template std::uint64_t bitsOfSample(std::int8_t) noexcept;
template std::uint64_t bitsOfSample(std::int16_t) noexcept;
template std::uint64_t bitsOfSample(std::uint32_t) noexcept;
template std::uint64_t bitsOfSample(std::int32_t) noexcept;
template std::uint64_t bitsOfSample(std::uint64_t) noexcept;
template std::uint64_t bitsOfSample(std::int64_t) noexcept;
template std::uint64_t bitsOfSample(float) noexcept;
template std::uint64_t bitsOfSample(double) noexcept;

double numberOfSample(ValueType type, std::uint64_t bits) noexcept {
    return dispatch(type, [bits]<class T>(T sample) {
        std::memcpy(&sample, &bits, sizeof sample);
        return static_cast<double>(sample);
    });
}

double ValueMapping::valueOf(double level) const noexcept {
    if (ranks == nullptr) {
        return offset + step * level;
    }
    const std::vector<double>& values = ranks->values;
    if (!(level > 0)) {
        return values.front();
    }
    const auto last = static_cast<double>(values.size() - 1);
    if (level >= last) {
        return values.back();
    }
    const auto below = static_cast<std::size_t>(level);
    const double part = level - static_cast<double>(below);
    return part == 0 ? values[below] : values[below] + part * (values[below + 1] - values[below]);
}

double ValueMapping::levelOf(double value) const noexcept {
    if (ranks == nullptr) {
        return (value - offset) / step;
    }
    const std::vector<double>& values = ranks->values;
    const auto above = std::ranges::lower_bound(values, value);
    const auto place = static_cast<double>(std::distance(values.begin(), above));
    if (above == values.end()) {
        return place;
    }
    if (*above == value) {
        return place;
    }
    if (above == values.begin()) {
        return -1;
    }
    const double part = (*above - value) / (*above - *std::prev(above));
    constexpr double kHalf = 0.5; // beside an infinite value
    return place - (std::isfinite(part) ? part : kHalf);
}

bool ValueMapping::isSample(double value) const noexcept {
    const bool isFloat = file.type == ValueType::f32 || file.type == ValueType::f64;
    return ranks != nullptr && isFloat && file.slope == 1 && file.intercept == 0 &&
           std::ranges::binary_search(ranks->values, value);
}

bool ValueMapping::isBound(double value, double bound) const noexcept {
    const bool isFloat = file.type == ValueType::f32 || file.type == ValueType::f64;
    const bool isWhole =
        ranks != nullptr && !isFloat && file.slope == 1 && file.intercept == std::trunc(file.intercept);
    return value == bound || (!isWhole && readsAs(value, bound, file.type) && !isSample(bound));
}

std::optional<std::pair<std::uint16_t, std::uint16_t>>
ValueMapping::levelsWithin(double low, double high, std::uint16_t lastLevel) const noexcept {
    const auto most = static_cast<double>(lastLevel);
    const double last = ranks == nullptr ? most : std::min(most, static_cast<double>(ranks->values.size()) - 1);
    const auto isAtLeast = [&](double level) { return valueOf(level) >= low || isBound(valueOf(level), low); };
    const auto isAtMost = [&](double level) { return valueOf(level) <= high || isBound(valueOf(level), high); };
    if (!(low <= high)) {
        return std::nullopt;
    }
    // The place of a bound is rounded: its neighbours are looked at.
    double first = std::clamp(std::floor(levelOf(low)) - 1, 0.0, last);
    while (first <= last && !isAtLeast(first)) {
        ++first;
    }
    // Whole numbers beyond 2^53 may have equal values.
    const auto equal = ranks == nullptr ? std::ptrdiff_t{0}
                                        : std::ranges::upper_bound(ranks->values, high) -
                                              std::ranges::lower_bound(ranks->values, high);
    double end = std::clamp(std::ceil(levelOf(high)) + 1 + static_cast<double>(equal), 0.0, last);
    while (end >= 0 && !isAtMost(end)) {
        --end;
    }
    if (first > end) {
        return std::nullopt;
    }
    return std::pair(static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(end));
}

std::uint64_t ValueMapping::sampleOf(std::uint16_t level) const noexcept {
    if (ranks != nullptr) {
        return ranks->samples[std::min<std::size_t>(level, ranks->samples.size() - 1)];
    }
    if (!file.first) {
        return nearestSample(valueOf(level));
    }
    return dispatch(file.type, [&]<class T>(T sample) {
        if constexpr (std::is_integral_v<T>) {
            const std::uint64_t bits = file.slope > 0 ? *file.first + level : *file.first - level;
            std::memcpy(&sample, &bits, sizeof sample);
            return bitsOfSample(sample);
        } else {
            const double first = numberOfSample(file.type, *file.first);
            const auto above = static_cast<double>(level);
            return bitsOfSample(static_cast<T>(file.slope > 0 ? first + above : first - above));
        }
    });
}

std::uint64_t ValueMapping::nearestSample(double value) const noexcept {
    return dispatch(file.type,
                    [&]<class T>(T) { return bitsOfSample(nearest<T>((value - file.intercept) / file.slope)); });
}

bool ValueMapping::operator==(const ValueMapping& other) const noexcept {
    const bool sameRanks = ranks == other.ranks || (ranks && other.ranks && *ranks == *other.ranks);
    return sameRanks && offset == other.offset && step == other.step && exact == other.exact &&
           minimum == other.minimum && maximum == other.maximum && nan == other.nan && infinite == other.infinite &&
           clipped == other.clipped && unit == other.unit && file == other.file;
}

std::optional<std::pair<std::uint16_t, std::uint16_t>>
levelsWithin(const std::optional<ValueMapping>& mapping, double low, double high, std::uint16_t lastLevel) noexcept {
    return mapping ? mapping->levelsWithin(low, high, lastLevel) : ValueMapping{}.levelsWithin(low, high, lastLevel);
}

} // namespace pollard
