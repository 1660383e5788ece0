#pragma once

#include "image/image.hpp"

#include <cstdint>
#include <filesystem>
#include <span>

namespace pollard {

/// Writes an 8 or 16-bit grey PNG. Atomic like writeTiff. @throws Error(writeFailed)
void writePng(const std::filesystem::path& path, const Image& image);

/// Writes an 8-bit RGB PNG from values of shape (height, width, 3). Atomic like writeTiff.
/// @throws Error(writeFailed), Error(invalidArgument) if there are not width * height * 3 values
void writePngRgb(const std::filesystem::path& path, std::span<const std::uint8_t> rgb, std::uint32_t width,
                 std::uint32_t height);

} // namespace pollard
