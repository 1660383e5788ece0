#pragma once

#include "base/job_control.hpp"
#include "base/text.hpp"
#include "io/write/atomic_file.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

/// A field of a CSV file by RFC 4180: quoted if it has commas, quotes or line ends.
[[nodiscard]] inline std::string csvField(std::string_view field) {
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(field);
    }
    return inQuotes(field);
}

/// Splits a line written with csvField() into fields and removes the quotes.
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

/// A text as XML and HTML have it between tags; control characters become spaces.
[[nodiscard]] inline std::string xmlText(std::string_view text) {
    std::string escaped;
    for (const char character : text) {
        switch (character) {
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '&':
            escaped += "&amp;";
            break;
        default: // XML allows no other control characters, even escaped
            escaped += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
        }
    }
    return escaped;
}

/// A text file written sequentially in large pieces; it gets its name at commit(). Numbers have the shortest text that
/// reads back to the same value, independent of the locale.
class TextFile {
public:
    /// @param what operation for messages, e.g. "write table"
    TextFile(const std::filesystem::path& target, std::string what) : file_(target, std::move(what)) {}

    TextFile& operator<<(std::string_view text) {
        buffer_ += text;
        return *this;
    }
    TextFile& operator<<(char character) {
        buffer_ += character;
        return *this;
    }
    template <class Number>
    requires std::is_arithmetic_v<Number> TextFile& operator<<(Number number) {
        std::array<char, 32> digits{};
        const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
        buffer_.append(digits.data(), end);
        return *this;
    }

    /// Ends a line; writes the buffer when it is full, and then checks for a stop.
    /// @throws Error(writeFailed), Cancelled
    void endLine(const JobControl& control) {
        buffer_ += '\n';
        if (buffer_.size() >= kPieceBytes) {
            control.throwIfStopped();
            flush();
        }
    }
    /// @throws Error(writeFailed)
    void commit() {
        flush();
        file_.commit();
    }

private:
    static constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

    void flush() {
        file_.writeAll(buffer_.data(), buffer_.size());
        buffer_.clear();
    }

    AtomicFile file_;
    std::string buffer_;
};

} // namespace pollard
