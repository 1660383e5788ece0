#include "base/bytes_text.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace pollard {

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
    std::array<char, 16> digits{};
    char* const end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, 1).ptr;
    return std::string(digits.data(), end) + " " + kUnits[unit];
}

} // namespace pollard
