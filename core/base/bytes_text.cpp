#include "base/bytes_text.hpp"

#include "base/number_text.hpp"

#include <array>
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
    return fixedText(value, 1) + " " + kUnits[unit];
}

} // namespace pollard
