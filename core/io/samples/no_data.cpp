#include "io/samples/no_data.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <type_traits>

namespace pollard {

namespace {

/// Bits of a whole number as T; nothing if T does not have it.
template <class T> std::optional<T> wholeAs(const NoData& noData) noexcept {
    const std::uint64_t magnitude = *noData.magnitude;
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    if (!noData.isNegative || magnitude == 0) {
        return magnitude <= kMost ? std::optional(static_cast<T>(magnitude)) : std::nullopt;
    }
    const bool fits = std::is_signed_v<T> && magnitude <= kMost + 1;
    return fits ? std::optional(static_cast<T>(0 - magnitude)) : std::nullopt;
}

} // namespace

NoData NoData::whole(bool isNegative, std::uint64_t magnitude) {
    NoData noData(isNegative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude));
    noData.isNegative = isNegative;
    noData.magnitude = magnitude;
    return noData;
}

NoData NoData::whole(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return whole(number < 0, number < 0 ? 0 - bits : bits);
}

std::optional<NoData> NoData::parse(std::string_view text) {
    const std::optional<double> number = leadingNumber(text);
    if (!number) {
        return std::nullopt;
    }
    constexpr std::string_view kSpaces = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    std::uint64_t magnitude = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, magnitude);
    const bool isWhole = error == std::errc{} && (end == last || kSpaces.find(*end) != std::string_view::npos);
    return isWhole ? whole(isNegative, magnitude) : NoData(*number);
}

template <class T> std::optional<T> sampleOf(const NoData& noData) noexcept {
    const double value = noData.number;
    if (std::isnan(value)) {
        return std::nullopt; // NaN never counts as data, whatever the file states
    }
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isinf(value)) {
            return static_cast<T>(value);
        }
        constexpr double kLargest = std::numeric_limits<T>::max();
        return static_cast<T>(std::clamp(value, -kLargest, kLargest));
    } else {
        if (noData.magnitude) {
            return wholeAs<T>(noData);
        }
        if (value != std::floor(value)) {
            return std::nullopt;
        }
        // Both ends are powers of two, exact as doubles.
        const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
        const double begin = std::is_signed_v<T> ? -end : 0.0;
        if (value >= end) {
            return value == end ? std::optional<T>(std::numeric_limits<T>::max()) : std::nullopt;
        }
        return value < begin ? std::nullopt : std::optional<T>(static_cast<T>(value));
    }
}

template <class T> bool isNoData(T sample, T noData) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        // ARE_REAL_EQUAL of GDAL, which has the precision of 32-bit floats for doubles, too.
        constexpr T kTolerance = static_cast<T>(2 * std::numeric_limits<float>::epsilon());
        return sample == noData || (std::isfinite(sample) && std::isfinite(noData) &&
                                    std::abs(sample - noData) < kTolerance * std::abs(sample + noData));
    } else {
        return sample == noData;
    }
}

#define POLLARD_NO_DATA(T)                                                                                             \
    template std::optional<T> sampleOf(const NoData&) noexcept;                                                        \
    template bool isNoData(T, T) noexcept
POLLARD_NO_DATA(std::uint8_t);
POLLARD_NO_DATA(std::uint16_t);
POLLARD_NO_DATA(std::int8_t);
POLLARD_NO_DATA(std::int16_t);
POLLARD_NO_DATA(std::uint32_t);
POLLARD_NO_DATA(std::int32_t);
POLLARD_NO_DATA(std::uint64_t);
POLLARD_NO_DATA(std::int64_t);
POLLARD_NO_DATA(float);
POLLARD_NO_DATA(double);
#undef POLLARD_NO_DATA

} // namespace pollard
