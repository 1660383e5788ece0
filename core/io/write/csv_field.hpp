#pragma once

#include <string>
#include <string_view>

namespace pollard {

/// A field of a CSV file by RFC 4180: quoted if it has commas, quotes or line ends.
[[nodiscard]] inline std::string csvField(std::string_view field) {
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(field);
    }
    std::string text = "\"";
    for (const char c : field) {
        text += c == '"' ? "\"\"" : std::string(1, c);
    }
    return text + "\"";
}

} // namespace pollard
