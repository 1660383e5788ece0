#pragma once

#include "image/image.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>

namespace pollard::testing {

/// Mersenne Twister with 32-bit results (std::mt19937's result type is wider on some systems).
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

private:
    std::mt19937 engine_;
};

/// Image whose level at (x, y) is `level(x, y)`.
inline std::shared_ptr<Image> makeImage(PixelType type, std::uint32_t width, std::uint32_t height,
                                        const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& level) {
    auto image = std::make_shared<Image>(type, width, height);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::size_t i = std::size_t{y} * width + x;
            if (type == PixelType::u8) {
                image->pixels<std::uint8_t>()[i] = static_cast<std::uint8_t>(level(x, y));
            } else {
                image->pixels<std::uint16_t>()[i] = static_cast<std::uint16_t>(level(x, y));
            }
        }
    }
    return image;
}

/// One of: constant, noise of few or many levels, ramp, checkerboard, plateaus (blocks of equal level), spots on a
/// slope. Type and pixel type are drawn from @p random.
inline std::shared_ptr<Image> randomImage(Random& random, std::uint32_t width, std::uint32_t height) {
    const auto draw = [&random](std::uint32_t count) { return random() % count; };
    const PixelType type = draw(2) == 0 ? PixelType::u8 : PixelType::u16;
    constexpr std::uint32_t kRanges[] = {1, 2, 3, 8, 200, 65535};
    const std::uint32_t range = std::min<std::uint32_t>(kRanges[draw(6)], maxLevelOf(type));
    const std::uint32_t block = 2 + draw(3);
    const std::uint32_t salt = draw(1U << 16);
    switch (draw(6)) {
    case 0:
        return makeImage(type, width, height, [&](auto, auto) { return range; });
    case 1:
        return makeImage(type, width, height,
                         [&](auto x, auto y) { return (y * width + x) * range / (width * height); });
    case 2:
        return makeImage(type, width, height, [&](auto x, auto y) { return (x + y) % 2 * range; });
    case 3:
        return makeImage(type, width, height, [&](auto x, auto y) {
            return ((x / block * 2654435761U + y / block * 40503U + salt) >> 7) % (range + 1);
        });
    case 4:
        return makeImage(type, width, height,
                         [&](auto x, auto y) { return std::min(range, (x + y) % (range + 1) + draw(2)); });
    default:
        return makeImage(type, width, height, [&](auto, auto) { return draw(range + 1); });
    }
}

} // namespace pollard::testing
