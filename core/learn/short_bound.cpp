#include "learn/short_bound.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace pollard {

namespace {

constexpr int kMostDigits = 15; ///< that every double keeps

/// The multiple of 10^exponent next to @p middle, or another one from @p low to @p high; nothing without one.
std::optional<double> multipleIn(double low, double middle, double high, int exponent) {
    const double step = std::pow(10.0, exponent);
    for (const double count : {std::round(middle / step), std::ceil(low / step), std::floor(high / step)}) {
        const double number =
            *leadingNumber(fixedText(count, 0) + "e" + std::to_string(exponent)); // not count * step, which is rounded
        if (number >= low && number <= high) {
            return number;
        }
    }
    return std::nullopt;
}

} // namespace

double shortBound(double inside, double outside, bool isWhole, bool isGeometric) noexcept {
    const bool isLogarithmic = isGeometric && inside > 0 && outside > 0;
    const auto at = [&](double part) {
        return isLogarithmic ? inside * std::pow(outside / inside, part) : std::lerp(inside, outside, part);
    };
    const auto [low, high] = std::minmax({at(0.25), at(0.75)});
    if (low <= 0 && high >= 0) {
        return 0;
    }
    const int first = static_cast<int>(std::floor(std::log10(std::max(std::abs(low), std::abs(high)))));
    for (int exponent = first; exponent > first - kMostDigits && !(isWhole && exponent < 0); --exponent) {
        if (const auto found = multipleIn(low, at(0.5), high, exponent); found && *found != outside) {
            return *found;
        }
    }
    return inside;
}

} // namespace pollard
