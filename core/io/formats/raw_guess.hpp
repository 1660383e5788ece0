#pragma once

#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pollard {

/// Layouts that fill a file of @p bytes bytes exactly, the most likely first: sides of cameras and powers of two before
/// other squares and usual aspect ratios, 8 and 16 bits before wider samples, no header before short ones, one page
/// before many. Byte order cannot be told from the size: little-endian is proposed.
/// @returns at most @p limit layouts, none twice; empty if no usual layout fits
[[nodiscard]] std::vector<RawLayout> guessRawLayouts(std::uint64_t bytes, std::size_t limit = 12);

/// Bytes of a sample, 1 to 8.
[[nodiscard]] int bytesOf(RawLayout::SampleType type) noexcept;

/// Bytes that the layout needs, header included; the largest number if that does not fit 64 bits.
[[nodiscard]] std::uint64_t rawBytes(const RawLayout& layout) noexcept;

/// "1024 x 768 px, 16-bit unsigned, little-endian, 3 pages after 512 bytes", for lists.
[[nodiscard]] std::string describe(const RawLayout& layout);

} // namespace pollard
