#pragma once

#include "base/job_control.hpp"
#include "io/write/atomic_file.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

namespace pollard {

/// A text file written sequentially in large pieces, which appears under its name at commit(). Numbers have the
/// shortest text that reads back to the same value, independent of the locale.
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
