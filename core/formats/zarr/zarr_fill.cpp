#include "formats/zarr/zarr_fill.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

namespace pollard {

namespace {

using Json = nlohmann::json;
using Pattern = std::array<std::byte, 8>;

template <class T> Pattern patternOf(T value) {
    Pattern pattern{};
    std::memcpy(pattern.data(), &value, sizeof(T));
    return pattern;
}

template <class Real, class Bits> Pattern realIn(const Json& value, const JsonPlace& place) {
    if (value.is_number()) {
        return patternOf(static_cast<Real>(value.get<double>()));
    }
    const std::string text = textIn(value, place);
    if (text == "NaN") {
        return patternOf(std::numeric_limits<Real>::quiet_NaN());
    }
    if (text == "Infinity" || text == "-Infinity") {
        const Real infinity = std::numeric_limits<Real>::infinity();
        return patternOf(text.front() == '-' ? -infinity : infinity);
    }
    Bits bits = 0;
    const char* end = text.data() + text.size();
    if (!text.starts_with("0x") || text.size() != 2 + 2 * sizeof(Bits) ||
        std::from_chars(text.data() + 2, end, bits, 16).ptr != end) {
        place.fail(shownJson(value) + ": expected a number, NaN, Infinity, -Infinity or the bits of a number");
    }
    return patternOf(bits);
}

template <class T> bool isValueOf(const Json& value) {
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    }
    if (value.is_number_integer()) { // below 0
        return std::is_signed_v<T> &&
               value.get<std::int64_t>() >= static_cast<std::int64_t>(std::numeric_limits<T>::lowest());
    }
    if (!value.is_number_float()) {
        return false;
    }
    const double number = value.get<double>(); // 2^63 and 2^64 are no values, though their types round to them
    return std::floor(number) == number && number >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
           number < std::ldexp(1.0, std::numeric_limits<T>::digits);
}

template <class T> Pattern wholeIn(const Json& value, const JsonPlace& place) {
    if (!isValueOf<T>(value)) {
        place.fail(shownJson(value) + ": is no value of the samples' type");
    }
    return patternOf(value.get<T>());
}

} // namespace

Pattern zarrFillIn(const Json& value, const JsonPlace& place, SampleKind kind, int bits) {
    if (kind == SampleKind::real) {
        return bits == 32 ? realIn<float, std::uint32_t>(value, place) : realIn<double, std::uint64_t>(value, place);
    }
    const bool isSigned = kind == SampleKind::signedInteger;
    switch (bits) {
    case 8:
        return isSigned ? wholeIn<std::int8_t>(value, place) : wholeIn<std::uint8_t>(value, place);
    case 16:
        return isSigned ? wholeIn<std::int16_t>(value, place) : wholeIn<std::uint16_t>(value, place);
    case 32:
        return isSigned ? wholeIn<std::int32_t>(value, place) : wholeIn<std::uint32_t>(value, place);
    default:
        return isSigned ? wholeIn<std::int64_t>(value, place) : wholeIn<std::uint64_t>(value, place);
    }
}

} // namespace pollard
