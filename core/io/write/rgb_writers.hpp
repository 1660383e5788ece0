#pragma once

#include "io/write/rgb_writer.hpp"

#include <string>

namespace pollard {

/// Counts and checks rows for the writers of single formats.
class RgbRowCount {
public:
    RgbRowCount(std::string what, const std::filesystem::path& path, std::uint32_t width, std::uint32_t height);

    [[nodiscard]] std::size_t rowBytes() const noexcept { return std::size_t{width_} * 3; }
    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
    /// Number of rows in @p rgb, counted as written. @throws Error(invalidArgument)
    std::uint32_t take(std::span<const std::uint8_t> rgb);
    /// @throws Error(invalidArgument) if rows are missing
    void checkComplete() const;

private:
    [[noreturn]] void fail(const std::string& why) const;

    std::string what_;
    std::string path_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::uint32_t written_ = 0;
};

[[nodiscard]] std::unique_ptr<RgbWriter> makePngRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                                          std::uint32_t height,
                                                          const std::optional<PixelSize>& pixelSize);
[[nodiscard]] std::unique_ptr<RgbWriter> makeTiffRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                                           std::uint32_t height,
                                                           const std::optional<PixelSize>& pixelSize);

} // namespace pollard
