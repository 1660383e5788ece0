#pragma once

#include "base/buffer.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace pollard {

/// Values that are shown black and in full colour.
struct ChannelWindow {
    double low = 0;
    double high = 1;

    bool operator==(const ChannelWindow&) const = default;
};

/// Facts about a channel (band, sample) of an image.
struct Channel {
    std::string name;                                  ///< "DAPI", "red", "B8"; unique in an image
    std::optional<std::array<std::uint8_t, 3>> colour; ///< red, green, blue; unset: unknown
    double wavelength = 0;                             ///< of the emission or the centre of the band, in nm; 0: unknown
    std::optional<ChannelWindow> window;               ///< in stored values; unset: unknown
    int page = 0;                                      ///< 0-based page of the file
    int sample = 0;                                    ///< 0-based sample of the page

    bool operator==(const Channel&) const = default;
};

/// A channel with its pixels.
struct ChannelPlane {
    Channel channel;
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid;   ///< pixels with data; null if all have
    std::optional<ValueMapping> mapping; ///< unset if levels equal stored values

    [[nodiscard]] double valueOf(std::size_t pixel) const noexcept {
        const double level = image->level(pixel);
        return mapping ? mapping->valueOf(level) : level;
    }
};

/// Values of a channel's pixels, row by row; null if its levels state them exactly.
using ExactValues = std::shared_ptr<const std::variant<Buffer<float>, Buffer<double>>>;

} // namespace pollard
