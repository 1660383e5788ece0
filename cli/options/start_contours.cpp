#include "options/start_contours.hpp"

#include "command.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

namespace pollard::cli {

namespace {

/// Parses four comma-separated integers; nothing for other texts.
std::optional<std::array<std::int32_t, 4>> fourNumbers(std::string_view text) {
    std::array<std::int32_t, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t end = i + 1 < numbers.size() ? text.find(',') : text.size();
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        const auto [last, problem] = std::from_chars(text.data(), text.data() + end, numbers[i]);
        if (problem != std::errc{} || last != text.data() + end) {
            return std::nullopt;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return numbers;
}

} // namespace

FiledRings parseStart(const std::string& text, GeoJsonIn unmarked) {
    const auto numbers = fourNumbers(text);
    if (!numbers) {
        return readFiledRings(text, unmarked);
    }
    const auto [x, y, width, height] = *numbers;
    const auto fits = [](std::int32_t start, std::int32_t length) {
        return start >= 0 && length > 0 && start <= std::numeric_limits<std::int32_t>::max() - length;
    };
    if (!fits(x, width) || !fits(y, height)) {
        throw UsageError("--init: '" + text + "': must be x,y,width,height in px, or a GeoJSON file");
    }
    const MapPoint first{static_cast<double>(x), static_cast<double>(y)};
    const MapPoint last{first.x + width, first.y + height};
    return {{{first, {last.x, first.y}, last, {first.x, last.y}}}, GeoJsonIn::pixels};
}

} // namespace pollard::cli
