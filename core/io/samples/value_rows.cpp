#include "io/samples/value_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace pollard {

namespace {

float fromParts(bool negative, std::uint32_t exponent, std::uint32_t largestExponent, int bias, std::uint32_t fraction,
                int fractionBits) {
    float magnitude = 0;
    if (exponent == largestExponent) {
        magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    } else {
        const std::uint32_t significand = exponent == 0 ? fraction : fraction | 1U << fractionBits;
        const int power = static_cast<int>(std::max(exponent, 1U)) - bias - fractionBits;
        magnitude = std::ldexp(static_cast<float>(significand), power);
    }
    return negative ? -magnitude : magnitude;
}

/// Bits of sample @p index of a packed row.
std::uint64_t packedBits(const std::byte* row, unsigned bits, std::size_t index) noexcept {
    const std::size_t begin = index * bits;
    std::uint64_t word = 0;
    for (std::size_t bit = begin; bit < begin + bits;) {
        const auto inByte = static_cast<unsigned>(bit % 8);
        const auto take = static_cast<unsigned>(std::min<std::size_t>(8 - inByte, begin + bits - bit));
        const unsigned byte = std::to_integer<unsigned>(row[bit / 8]);
        word = word << take | (byte >> (8 - inByte - take) & ((1U << take) - 1));
        bit += take;
    }
    return word;
}

/// Three bytes in host order.
std::uint32_t threeBytes(const std::byte* bytes) noexcept {
    const auto at = [&](int i) {
        return std::to_integer<std::uint32_t>(bytes[std::endian::native == std::endian::little ? i : 2 - i]);
    };
    return at(0) | at(1) << 8 | at(2) << 16;
}

/// Two bytes in host order.
std::uint16_t twoBytes(const std::byte* bytes) noexcept {
    std::uint16_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// Sample @p index of a row.
template <class T> T sampleAt(const std::byte* row, SampleKind kind, int bits, std::size_t index) noexcept {
    if (static_cast<std::size_t>(bits) == 8 * sizeof(T)) {
        T value;
        std::memcpy(&value, row + index * sizeof(T), sizeof(T));
        return value;
    }
    if constexpr (std::is_floating_point_v<T>) {
        if (bits == 16) {
            return floatFromHalf(twoBytes(row + 2 * index));
        }
        return floatFrom24Bits(threeBytes(row + 3 * index));
    } else {
        const std::uint64_t word = bits == 16   ? twoBytes(row + 2 * index)
                                   : bits == 24 ? threeBytes(row + 3 * index)
                                                : packedBits(row, static_cast<unsigned>(bits), index);
        const int unused = 64 - bits;
        // Shifting left and back extends the sign.
        return kind == SampleKind::signedInteger ? static_cast<T>(static_cast<std::int64_t>(word << unused) >> unused)
                                                 : static_cast<T>(word);
    }
}

constexpr std::array<int, 3> kWeights = {2126, 7152, 722};
constexpr int kWeightSum = 10000;

template <class T> T luminance(const std::array<T, 3>& rgb) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            sum += kWeights[i] * 1e-4 * static_cast<double>(rgb[i]);
        }
        return static_cast<T>(sum);
    } else {
        // Splits values into quotients and remainders by the sum of the weights, so that 64-bit values do not overflow.
        T whole = 0;
        std::int64_t rest = kWeightSum / 2;
        for (std::size_t i = 0; i < 3; ++i) {
            T quotient = 0;
            auto remainder = static_cast<std::int64_t>(+rgb[i]);
            if constexpr (sizeof(T) >= sizeof(std::int32_t)) {
                quotient = rgb[i] / static_cast<T>(kWeightSum);
                remainder = static_cast<std::int64_t>(rgb[i] % static_cast<T>(kWeightSum));
            }
            whole = static_cast<T>(whole + quotient * static_cast<T>(kWeights[i]));
            rest += remainder * kWeights[i];
        }
        const std::int64_t down = rest >= 0 ? rest / kWeightSum : -((kWeightSum - 1 - rest) / kWeightSum);
        return static_cast<T>(whole + static_cast<T>(down));
    }
}

/// Zero in any representation.
bool isZero(const std::byte* row, const ValuePlan& plan, std::size_t index) noexcept {
    if (plan.kind == SampleKind::real && plan.bits == 64) {
        return sampleAt<double>(row, plan.kind, plan.bits, index) == 0;
    }
    if (plan.kind == SampleKind::real) {
        return sampleAt<float>(row, plan.kind, plan.bits, index) == 0;
    }
    return sampleAt<std::uint64_t>(row, SampleKind::unsignedInteger, plan.bits, index) == 0;
}

} // namespace

float floatFromHalf(std::uint16_t bits) noexcept {
    return fromParts((bits & 0x8000U) != 0, bits >> 10 & 0x1fU, 0x1f, 15, bits & 0x3ffU, 10);
}

float floatFrom24Bits(std::uint32_t bits) noexcept {
    return fromParts((bits & 0x800000U) != 0, bits >> 16 & 0x7fU, 0x7f, 63, bits & 0xffffU, 16);
}

ValueType ValuePlan::type() const noexcept {
    if (kind == SampleKind::real) {
        return bits > 32 ? ValueType::f64 : ValueType::f32;
    }
    const bool isSigned = kind == SampleKind::signedInteger;
    if (bits > 32) {
        return isSigned ? ValueType::i64 : ValueType::u64;
    }
    if (bits > 16 || !isSigned) {
        return isSigned ? ValueType::i32 : ValueType::u32;
    }
    return bits > 8 ? ValueType::i16 : ValueType::i8;
}

ValueType ValuePlan::stored() const noexcept {
    if (kind != SampleKind::unsignedInteger || bits > 16) {
        return type();
    }
    return bits > 8 ? ValueType::u16 : ValueType::u8;
}

ValueRows::ValueRows(ValuePlan plan, ValueBuffer& values, GapMap& gaps)
    : plan_(std::move(plan)), values_(values), gaps_(gaps), needed_(plan_.samples) {
    if (plan_.alpha >= 0) {
        needed_.push_back(plan_.alpha);
    }
}

void ValueRows::put(const RowPlace& place, const PackedRows& packed) {
    dispatch(values_.grid().type, [&]<class T>(T) { putValues<T>(place, packed); });
    if (plan_.alpha >= 0) {
        findTransparent(place, packed);
    }
}

template <class T> void ValueRows::putValues(const RowPlace& place, const PackedRows& packed) {
    const bool planes = packed.rows.size() > 1;
    const auto stride = static_cast<std::size_t>(packed.stride);
    const auto indexOf = [&](std::size_t channel) {
        const std::size_t sample = planes || stride == 1 ? 0 : static_cast<std::size_t>(needed_[channel]);
        return packed.skip * stride + sample;
    };
    T* out = values_.at<T>(place.x, place.y);
    if (plan_.samples.size() == 1) {
        const std::size_t first = indexOf(0);
        if (stride == 1 && static_cast<std::size_t>(plan_.bits) == 8 * sizeof(T)) {
            std::memcpy(out, packed.rows[0] + first * sizeof(T), place.count * sizeof(T));
            return;
        }
        for (std::size_t i = 0; i < place.count; ++i) {
            out[i] = sampleAt<T>(packed.rows[0], plan_.kind, plan_.bits, first + i * stride);
        }
        return;
    }
    const std::optional<T> noData = plan_.noData ? sampleOf<T>(*plan_.noData) : std::nullopt;
    flags_.assign(place.count, 0);
    for (std::size_t i = 0; i < place.count; ++i) {
        std::array<T, 3> rgb{};
        for (std::size_t c = 0; c < 3; ++c) {
            rgb[c] = sampleAt<T>(packed.rows[planes ? c : 0], plan_.kind, plan_.bits, indexOf(c) + i * stride);
        }
        out[i] = luminance(rgb);
        const bool isGap = noData && std::ranges::all_of(rgb, [&](T value) { return isNoData(value, *noData); });
        flags_[i] = isGap ? 1 : 0;
    }
    gaps_.add(place, flags_);
}

void ValueRows::findTransparent(const RowPlace& place, const PackedRows& packed) {
    const bool planes = packed.rows.size() > 1;
    const auto stride = static_cast<std::size_t>(packed.stride);
    const std::size_t first = packed.skip * stride + (planes ? 0 : static_cast<std::size_t>(plan_.alpha));
    flags_.assign(place.count, 0);
    for (std::size_t i = 0; i < place.count; ++i) {
        flags_[i] = isZero(packed.rows[planes ? needed_.size() - 1 : 0], plan_, first + i * stride) ? 1 : 0;
    }
    gaps_.add(place, flags_);
}

} // namespace pollard
