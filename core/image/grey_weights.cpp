#include "image/grey_weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace pollard {

namespace {

bool isFloat(ValueType type) noexcept { return type == ValueType::f32 || type == ValueType::f64; }

/// The number of a sample of an integer type.
Int128 wholeNumber(ValueType type, std::uint64_t bits) noexcept {
    switch (type) {
    case ValueType::i8:
        return static_cast<std::int8_t>(bits);
    case ValueType::i16:
        return static_cast<std::int16_t>(bits);
    case ValueType::i32:
        return static_cast<std::int32_t>(bits);
    case ValueType::i64:
        return std::bit_cast<std::int64_t>(bits);
    default:
        return bits;
    }
}

/// Whether the samples and the values of the ranks belong together by slope and intercept.
bool hasWholeSamples(const ValueMapping& mapping) noexcept {
    const FileSamples& file = mapping.file;
    const RankedValues& ranks = *mapping.ranks;
    const auto fits = [&](std::uint64_t sample, double value) {
        constexpr double kNear = 1e-9;
        const double expected = file.intercept + file.slope * numberOfSample(file.type, sample);
        return std::abs(expected - value) <= kNear * std::max(std::abs(value), std::abs(file.slope));
    };
    return !isFloat(file.type) && ranks.samples.size() == ranks.values.size() &&
           fits(ranks.samples.front(), ranks.values.front()) && fits(ranks.samples.back(), ranks.values.back());
}

} // namespace

GreyWeights::GreyWeights(const ValueMapping& mapping) {
    const std::vector<double>& values = mapping.ranks->values;
    weights_.resize(values.size());
    if (!takeSamples(mapping) && !takeWholeValues(values)) {
        takeShares(values);
    }
}

bool GreyWeights::takeSamples(const ValueMapping& mapping) {
    if (!hasWholeSamples(mapping)) {
        return false;
    }
    const FileSamples& file = mapping.file;
    const std::vector<std::uint64_t>& samples = mapping.ranks->samples;
    const Int128 first = wholeNumber(file.type, samples.front());
    const Int128 last = wholeNumber(file.type, samples.back());
    const Int128 range = last > first ? last - first : first - last;
    if (range >> kBits != 0) {
        return false;
    }
    std::ranges::transform(samples, weights_.begin(), [&](std::uint64_t sample) {
        const Int128 number = wholeNumber(file.type, sample);
        return static_cast<std::uint64_t>(number > first ? number - first : first - number);
    });
    base_ = file.intercept;
    step_ = std::abs(file.slope);
    first_ = first;
    descends_ = file.slope < 0;
    areSamples_ = true;
    return true;
}

bool GreyWeights::takeWholeValues(const std::vector<double>& values) {
    constexpr double kMost = 9007199254740992.0; // 2^53
    if (!std::ranges::all_of(values,
                             [](double value) { return std::abs(value) <= kMost && value == std::trunc(value); })) {
        return false;
    }
    std::ranges::transform(values, weights_.begin(),
                           [&](double value) { return static_cast<std::uint64_t>(value - values.front()); });
    first_ = static_cast<std::int64_t>(values.front());
    return true;
}

void GreyWeights::takeShares(const std::vector<double>& values) {
    // long double, since the range of doubles may be beyond them
    const auto isFinite = [](double value) { return std::isfinite(value); };
    const auto low = std::ranges::find_if(values, isFinite);
    if (low == values.end()) {
        std::ranges::fill(weights_, 0);
        base_ = values.front();
        return;
    }
    const double first = *low;
    const double last = *std::find_if(values.rbegin(), values.rend(), isFinite);
    const long double range = static_cast<long double>(last) - first;
    const auto most = static_cast<long double>(std::uint64_t{1} << kBits);
    std::ranges::transform(values, weights_.begin(), [&](double value) {
        const long double above = static_cast<long double>(std::clamp(value, first, last)) - first;
        return range > 0 ? static_cast<std::uint64_t>(std::round(above / range * most)) : std::uint64_t{0};
    });
    base_ = first;
    step_ = static_cast<double>(range / most);
}

int GreyWeights::shiftFor(std::uint64_t count) const noexcept {
    constexpr int kMost = 63;
    return std::max(0, static_cast<int>(std::bit_width(last())) + static_cast<int>(std::bit_width(count)) - kMost);
}

std::optional<Int128> GreyWeights::sampleOf(std::uint64_t weight) const noexcept {
    if (!areSamples_) {
        return std::nullopt;
    }
    return descends_ ? first_ - static_cast<Int128>(weight) : first_ + static_cast<Int128>(weight);
}

Int128 GreyWeights::numbers(UInt128 sum, std::uint64_t count) const noexcept {
    const Int128 first = first_ * static_cast<Int128>(count);
    const auto weights = static_cast<Int128>(sum);
    return descends_ ? weights - first : first + weights;
}

double GreyWeights::sumOf(UInt128 sum, std::uint64_t count) const noexcept {
    return base_ * static_cast<double>(count) + step_ * toDouble(numbers(sum, count));
}

double GreyWeights::meanOf(UInt128 sum, std::uint64_t count) const noexcept {
    return base_ + step_ * (toDouble(numbers(sum, count)) / static_cast<double>(count));
}

double GreyWeights::differenceOf(UInt128 difference) const noexcept {
    return step_ * toDouble(static_cast<Int128>(difference));
}

} // namespace pollard
