#pragma once

#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace pollard {

/// Writes an 8-bit RGB picture in pieces from top to bottom, so that large ones are never completely in memory. The
/// file appears at finish(); without it the target is unchanged.
class RgbWriter {
public:
    RgbWriter() = default;
    RgbWriter(const RgbWriter&) = delete;
    RgbWriter& operator=(const RgbWriter&) = delete;
    virtual ~RgbWriter() = default;

    /// Writes the next rows, as values of shape (rows, width, 3).
    /// @throws Error(writeFailed), Error(invalidArgument) for incomplete or too many rows
    virtual void write(std::span<const std::uint8_t> rgb) = 0;

    /// @throws Error(writeFailed), Error(invalidArgument) if rows are missing
    virtual void finish() = 0;
};

enum class RgbFormat { png, tiff };

/// Starts a file of shape (height, width, 3); Deflate, BigTIFF beyond the size of classic TIFF.
/// @param pixelSize of the scene: in the tags and description of a TIFF, in a PNG as its resolution if it is nearly an
/// integer in pixels per metre
/// @throws Error(writeFailed), Error(invalidArgument) if a side is 0 or above the format's limit
[[nodiscard]] std::unique_ptr<RgbWriter> makeRgbWriter(const std::filesystem::path& path, RgbFormat format,
                                                       std::uint32_t width, std::uint32_t height,
                                                       const std::optional<PixelSize>& pixelSize = {});

} // namespace pollard
