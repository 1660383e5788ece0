#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Writes an image of 8-bit RGB or grey in pieces from top to bottom, so that a large image is never completely in
/// memory. The file gets its name at finish(); without finish() the target is unchanged.
class RgbWriter {
public:
    RgbWriter(const RgbWriter&) = delete;
    RgbWriter& operator=(const RgbWriter&) = delete;
    virtual ~RgbWriter() = default;

    /// Writes the next rows: values of shape (rows, width, 3), or (rows, width) of a grey image, in native byte order.
    /// @throws Error(writeFailed), Error(invalidArgument) for incomplete or too many rows
    void write(std::span<const std::uint8_t> rgb);

    /// @throws Error(writeFailed), Error(invalidArgument) if rows are missing
    void finish();

protected:
    /// @param what operation for messages @param pixelBytes of a pixel @throws Error(invalidArgument) if a side is 0 or
    /// above the format's limit
    RgbWriter(std::string what, const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
              std::size_t pixelBytes = 3);

    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
    [[nodiscard]] std::size_t rowBytes() const noexcept { return width_ * pixelBytes_; }

private:
    virtual void writeRows(std::span<const std::uint8_t> rgb) = 0;
    virtual void end() = 0;
    [[noreturn]] void refuse(const std::string& why) const;

    std::string what_;
    std::string path_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::size_t pixelBytes_;
    std::uint32_t written_ = 0;
};

enum class RgbFormat { png, tiff, jpeg };
/// The format of a file by the ending of its name; PNG for other names.
[[nodiscard]] RgbFormat rgbFormatOf(const std::filesystem::path& path);

/// Starts a file of shape (height, width, 3); Deflate, BigTIFF beyond the size of classic TIFF; JPEG of quality 95.
/// @param pixelSize of the scene: in the tags and description of a TIFF, in a PNG as its resolution if it is nearly an
/// integer in pixels per metre; a JPEG does not state it
/// @throws Error(writeFailed), Error(invalidArgument) if a side is 0 or above the format's limit
[[nodiscard]] std::unique_ptr<RgbWriter> makeRgbWriter(const std::filesystem::path& path, RgbFormat format,
                                                       std::uint32_t width, std::uint32_t height,
                                                       const std::optional<PixelSize>& pixelSize = {});
/// @param samples 3, or 1 for a grey image @param bits 8 or 16 of a sample
[[nodiscard]] std::unique_ptr<RgbWriter> makePngRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                                          std::uint32_t height,
                                                          const std::optional<PixelSize>& pixelSize, int samples = 3,
                                                          int bits = 8);
/// @param samples 3, or 1 for a grey image
[[nodiscard]] std::unique_ptr<RgbWriter> makeJpegRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                                           std::uint32_t height, int samples = 3);
[[nodiscard]] std::unique_ptr<RgbWriter> makeTiffRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                                           std::uint32_t height,
                                                           const std::optional<PixelSize>& pixelSize);

/// Endings of the files that writeImage() writes, in small letters: .png, .jpg, .jpeg.
[[nodiscard]] std::vector<std::string_view> imageEndings();
[[nodiscard]] bool isImageFile(const std::filesystem::path& path);

/// Whether writeImage() can write unsigned values of @p bits bits.
/// @param change whether values may change, as in JPEG
[[nodiscard]] bool holdsValues(const std::filesystem::path& path, int bits, bool change);

/// Writes a grey image as PNG of 8 or 16 bits or, without labels and masks, as JPEG of 8 bits. Values are written as
/// they are. Atomic: on any failure the target is unchanged.
/// @param planes one, of one slice
/// @throws Error(invalidArgument) for values of other types, volumes, several channels, and sides above the limits of
/// the format; Error(writeFailed); exceptions of the plane and its rows; Cancelled
void writeImage(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
