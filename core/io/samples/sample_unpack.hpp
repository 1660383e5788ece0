#pragma once

#include <cstddef>
#include <cstdint>

namespace pollard {

/// Extracts every @p stride-th sample of a packed row, starting with sample @p first. Samples of 8 bits are bytes, of
/// 16 bits words in host order; widths of 1 to 15 are packed most significant bit first without gaps, as in TIFF with
/// FillOrder 1.
/// @param row at least ceil((first + (count - 1) * stride + 1) * bits / 8) bytes, of any alignment
/// @param out @p count values
void unpackSamples(const std::byte* row, int bits, std::size_t first, std::size_t stride, std::size_t count,
                   std::uint16_t* out) noexcept;

} // namespace pollard
