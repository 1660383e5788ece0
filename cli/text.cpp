#include "text.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pollard::cli {

std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t i = text.size(); i > 3; i -= 3) {
        text.insert(i - 3, 1, ',');
    }
    return text;
}

std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural) {
    std::string text = grouped(number) + ' ';
    return number == 1      ? text.append(singular)
           : plural.empty() ? text.append(singular).append("s")
                            : text.append(plural);
}

std::string valueText(double value, const std::string& unit) {
    constexpr double kExact = 0x1p53;
    const bool isWhole = std::abs(value) < kExact && value == std::trunc(value); // without an exponent
    return (isWhole ? std::to_string(static_cast<std::int64_t>(value)) : exactNumber(value)) +
           (unit.empty() ? "" : " " + unit);
}

std::string valueText(double value, int decimals, const std::string& unit) {
    return fixed(value, decimals) + (unit.empty() ? "" : " " + unit);
}

std::string fixed(double value, int decimals) { return std::isfinite(value) ? fixedText(value, decimals) : "-"; }

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) {
        text.append(text.empty() ? "" : separator).append(part);
    }
    return text;
}

std::vector<std::string> splitList(std::string_view text) {
    std::vector<std::string> parts;
    for (std::string_view part : split(text, ',')) {
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        part = part.substr(0, part.find_last_not_of(' ') + 1);
        if (!part.empty()) {
            parts.emplace_back(part);
        }
    }
    return parts;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
        parts.push_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    parts.push_back(text);
    return parts;
}

std::string partText(std::uint64_t part, std::uint64_t whole, std::string_view unit) {
    const std::string_view shown = whole == 1 && unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
    return grouped(part) + " of " + grouped(whole) + std::string(shown) + shareText(part, whole);
}

std::string shareText(std::uint64_t part, std::uint64_t whole) {
    return " (" + fixed(100 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %)";
}

} // namespace pollard::cli
