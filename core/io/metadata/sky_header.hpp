#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// The cards of a FITS header that state world coordinates, and the part of the image of the header that an image
/// shows. Rows of FITS count from the bottom, rows of an image from the top.
struct SkyHeader {
    std::vector<std::string> cards; ///< of 80 characters
    std::uint32_t height = 0;       ///< rows of the image of the header
    /// Columns, rows and planes of the image to the left of, above and in front of the image.
    std::array<double, 3> first{};
    std::array<double, 3> step{1, 1, 1}; ///< columns, rows and planes of the image per pixel

    /// Text of the first card with this keyword, without quotes; empty if there is none.
    [[nodiscard]] std::string text(std::string_view keyword) const;
    /// Pixel coordinates in the image of the header, from 1 at the centre of the first pixel, of a place in the image
    /// whose pixels have their centres at 0, 1, 2 ...
    [[nodiscard]] std::array<double, 3> imagePixel(double x, double y, double z = 0) const noexcept;
    /// Cards of the same coordinates for a FITS image that has the pixels of the image: the cards of the header
    /// unless the image is a part or reduced.
    /// @param rows of the image
    [[nodiscard]] std::vector<std::string> cardsFor(std::uint32_t rows) const;

    bool operator==(const SkyHeader&) const = default;
};

/// Whether cards with this keyword are part of a SkyHeader: coordinates, distortions, frame and time of observation.
[[nodiscard]] bool isSkyKeyword(std::string_view keyword) noexcept;

/// Moves the first pixel of the image to a pixel.
void moveFirst(std::optional<SkyHeader>& sky, double x, double y, double z) noexcept;
/// Adapts the header to blocks of pixels.
void shrinkPixels(std::optional<SkyHeader>& sky, double x, double y, double z) noexcept;

} // namespace pollard
