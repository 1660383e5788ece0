#pragma once

#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace pollard {

/// Writes an 8-bit RGB picture from the top to the bottom in pieces, so that a large one never is in memory as a whole.
/// The file appears under its name with finish(); without it the target stays as it was.
class RgbWriter {
public:
    RgbWriter() = default;
    RgbWriter(const RgbWriter&) = delete;
    RgbWriter& operator=(const RgbWriter&) = delete;
    virtual ~RgbWriter() = default;

    /// The next rows, as values of shape (rows, width, 3).
    /// @throws Error(writeFailed), Error(invalidArgument) if these are no whole rows or too many
    virtual void write(std::span<const std::uint8_t> rgb) = 0;

    /// @throws Error(writeFailed), Error(invalidArgument) if rows are missing
    virtual void finish() = 0;
};

enum class RgbFormat { png, tiff };

/// Starts a file of shape (height, width, 3); Deflate, BigTIFF where classic TIFF ends.
/// @param pixelSize of the scene: in the tags and the description of a TIFF, as resolution of a PNG where whole pixels
/// per
///        metre can tell it
/// @throws Error(writeFailed), Error(invalidArgument) if a side is 0 or more than the format allows
[[nodiscard]] std::unique_ptr<RgbWriter> makeRgbWriter(const std::filesystem::path& path, RgbFormat format,
                                                       std::uint32_t width, std::uint32_t height,
                                                       const std::optional<PixelSize>& pixelSize = {});

} // namespace pollard
