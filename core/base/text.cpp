#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <system_error>

namespace pollard {

std::string_view trimmed(std::string_view text, std::string_view space) noexcept {
    const std::size_t first = text.find_first_not_of(space);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::string inQuotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        quoted.append(c == '"' ? 2 : 1, c);
    }
    return quoted + '"';
}

namespace {

std::string textOf(double value, std::chars_format format, int precision) {
    std::array<char, 400> text{}; // the largest double has 309 digits before the point
    const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
    return {text.data(), problem == std::errc{} ? end : text.data()};
}

/// Whether a number outside the range of doubles is too small rather than too large.
bool isTiny(std::string_view number) noexcept {
    const std::size_t exponent = number.find_first_of("eE");
    if (exponent != std::string_view::npos && exponent + 1 < number.size()) {
        return number[exponent + 1] == '-';
    }
    return number.starts_with('0') || number.starts_with('.');
}

} // namespace

std::optional<double> leadingNumber(std::string_view text) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative || text.starts_with('+') ? 1 : 0);
    if (text.starts_with('-')) {
        return std::nullopt;
    }
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (problem == std::errc::result_out_of_range) {
        const std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.data()));
        value = isTiny(number) ? 0 : std::numeric_limits<double>::infinity();
    }
    return negative ? -value : value;
}

bool isRoundedWhole(std::string_view text) noexcept {
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    std::uint64_t whole = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, whole);
    const bool isWhole = error == std::errc{} && (end == last || (*end != '.' && *end != 'e' && *end != 'E'));
    constexpr double kMost = 0x1p64;
    const auto rounded = static_cast<double>(whole);
    return isWhole && (rounded >= kMost || static_cast<std::uint64_t>(rounded) != whole);
}

std::string exactNumber(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string generalText(double value, int digits) { return textOf(value, std::chars_format::general, digits); }

double decimalOf(double value) noexcept {
    constexpr int kDigits = 15;
    std::array<char, 32> text{};
    const auto [end, problem] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, kDigits - 1);
    double decimal = value;
    const auto [stop, unread] = std::from_chars(text.data(), end, decimal);
    return problem == std::errc{} && unread == std::errc{} && stop == end ? decimal : value;
}

std::string fixedText(double value, int decimals) { return textOf(value, std::chars_format::fixed, decimals); }

std::string bytesText(std::uint64_t bytes) {
    static constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        return std::to_string(bytes) + " B";
    }
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1024) {
        value /= 1024;
        ++unit;
    }
    return fixedText(value, 1) + " " + kUnits[unit];
}

} // namespace pollard
