#pragma once

#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pollard {

// Files without a header. The reader never detects them; ReadOptions::raw selects it.

/// Layouts that match a file of @p bytes bytes exactly, most likely first: camera sizes and powers of two before other
/// squares and common aspect ratios, 8 and 16 bits before wider samples, no header before short ones, one page before
/// many. The byte order cannot be derived from the size; little-endian is proposed.
/// @returns at most @p limit distinct layouts; empty if no common layout matches
[[nodiscard]] std::vector<RawLayout> guessRawLayouts(std::uint64_t bytes, std::size_t limit = 12);

/// Bytes per sample, 1 to 8.
[[nodiscard]] int bytesOf(RawLayout::SampleType type) noexcept;

/// File size of the layout in bytes, including the header; the largest number on overflow.
[[nodiscard]] std::uint64_t rawBytes(const RawLayout& layout) noexcept;

/// Description for lists: "1024 x 768 px, 16-bit unsigned, little-endian, 3 pages after 512 bytes".
[[nodiscard]] std::string describe(const RawLayout& layout);

} // namespace pollard
