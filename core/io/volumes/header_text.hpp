#pragma once

#include "io/image_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Lines of a text header at the start of a file, which samples may follow.
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

/// The words between white space.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

/// The whole of @p text as a number; nothing for other texts.
[[nodiscard]] std::optional<double> realOf(std::string_view text) noexcept;
[[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view text) noexcept;

/// The data file that a header names, which must lie in the folder of the header.
/// @throws Error(formatUnsupported) for absolute paths and paths with "..", Error as openSource()
[[nodiscard]] SourceFile detachedFile(const SourceFile& header, const std::string& name);

/// Begin of the last @p bytes bytes of a file; 0 if it is shorter.
[[nodiscard]] std::uint64_t beginOfLast(const SourceFile& source, std::uint64_t bytes) noexcept;

} // namespace pollard
