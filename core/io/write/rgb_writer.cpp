#include "io/write/rgb_writer.hpp"

#include "base/error.hpp"
#include "io/write/name_ending.hpp"

#include <utility>

namespace pollard {

RgbWriter::RgbWriter(std::string what, const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                     std::size_t pixelBytes)
    : what_(std::move(what)), path_(path.string()), width_(width), height_(height), pixelBytes_(pixelBytes) {
    constexpr std::uint32_t kMostPng = 0x7fff'ffff; // sides are signed 31-bit in the format
    if (width == 0 || height == 0 || width > kMostPng || height > kMostPng) {
        refuse("a picture of " + std::to_string(width) + " x " + std::to_string(height) + " px cannot be written");
    }
}

void RgbWriter::write(std::span<const std::uint8_t> rgb) {
    const std::size_t rows = rgb.size() / rowBytes();
    if (rows * rowBytes() != rgb.size() || rows > height_ - written_) {
        refuse(std::to_string(rgb.size()) + " values are no whole rows of " + std::to_string(width_) +
               " px, or too many");
    }
    written_ += static_cast<std::uint32_t>(rows);
    writeRows(rgb);
}

void RgbWriter::finish() {
    if (written_ != height_) {
        refuse(std::to_string(written_) + " of " + std::to_string(height_) + " rows were given");
    }
    end();
}

void RgbWriter::refuse(const std::string& why) const {
    throw Error(ErrorCode::invalidArgument, what_ + ": " + path_ + ": " + why);
}

RgbFormat rgbFormatOf(const std::filesystem::path& path) {
    const std::string ending = knownEnding(path);
    return ending == ".tif" || ending == ".tiff"   ? RgbFormat::tiff
           : ending == ".jpg" || ending == ".jpeg" ? RgbFormat::jpeg
                                                   : RgbFormat::png;
}

std::unique_ptr<RgbWriter> makeRgbWriter(const std::filesystem::path& path, RgbFormat format, std::uint32_t width,
                                         std::uint32_t height, const std::optional<PixelSize>& pixelSize) {
    return format == RgbFormat::png    ? makePngRgbWriter(path, width, height, pixelSize)
           : format == RgbFormat::jpeg ? makeJpegRgbWriter(path, width, height)
                                       : makeTiffRgbWriter(path, width, height, pixelSize);
}

} // namespace pollard
