#pragma once

#include "io/image_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Text of a file prepared for display: valid UTF-8 (other bytes are interpreted as Latin-1), on one line, without
/// control characters and outer spaces, at most @p maxBytes long, with "…" at the end if truncated.
[[nodiscard]] std::string factText(std::string_view text, std::size_t maxBytes = 200);

/// A number with at most 10 digits: "0.25", "4.5e-07".
[[nodiscard]] std::string factNumber(double value);

/// Reads the lines of a text header at the start of a file; samples may follow the header.
class HeaderText {
public:
    /// @throws Error(fileUnreadable)
    explicit HeaderText(const SourceFile& source);

    /// The next line without its end; false at the end of the file, or of its first MiB.
    bool next(std::string& line);
    /// Bytes up to the end of the last line.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

private:
    std::string bytes_;
    std::size_t position_ = 0;
};

/// Splits a text into words at white space.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

/// Converts a text to a number; nothing unless the whole text is a number.
[[nodiscard]] std::optional<double> realOf(std::string_view text) noexcept;
[[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view text) noexcept;

/// The data file that a header names, which must lie in the folder of the header.
/// @throws Error(formatUnsupported) for absolute paths and paths with "..", Error as openSource()
[[nodiscard]] SourceFile detachedFile(const SourceFile& header, const std::string& name);

/// Position of the last @p bytes bytes of a file; 0 if it is shorter.
[[nodiscard]] std::uint64_t beginOfLast(const SourceFile& source, std::uint64_t bytes) noexcept;

} // namespace pollard
