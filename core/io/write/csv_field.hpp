#pragma once

#include "base/text.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A field of a CSV file by RFC 4180: quoted if it has commas, quotes or line ends.
[[nodiscard]] inline std::string csvField(std::string_view field) {
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(field);
    }
    return inQuotes(field);
}

/// The fields of a line that csvField() wrote, without its quotes.
[[nodiscard]] inline std::vector<std::string> csvFields(std::string_view line) {
    std::vector<std::string> fields(1);
    bool isQuoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char letter = line[i];
        if (letter == '"') {
            if (isQuoted && i + 1 < line.size() && line[i + 1] == '"') {
                fields.back() += line[++i];
            } else {
                isQuoted = !isQuoted;
            }
        } else if (letter == ',' && !isQuoted) {
            fields.emplace_back();
        } else if (letter != '\r') {
            fields.back() += letter;
        }
    }
    return fields;
}

} // namespace pollard
