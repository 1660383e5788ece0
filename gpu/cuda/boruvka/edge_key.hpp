#pragma once

#include "cuda/boruvka/direction.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Key of a pixel in the total order: by level, then by index.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint64_t pixelKey(std::uint32_t level, std::uint32_t pixel) noexcept {
    return std::uint64_t{level} << 32U | pixel;
}

/// An edge between adjacent pixels as one number: the key of its lower end, and the direction of the other. A larger
/// edge connects at a greater height. All edges of an image differ, and none is 0. A direction is a Direction of a
/// image or a SpaceDirection of a volume.
struct EdgeKey {
    static constexpr std::uint64_t kNone = 0;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint64_t make(std::uint32_t level, std::uint32_t pixel,
                                                                          std::uint32_t direction) noexcept {
        return kPresent | pixelKey(level, pixel) << kDirectionBits | direction;
    }
    /// The edge from pixel @p p of an image to its neighbour @p q in @p direction.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint64_t between(std::uint32_t levelOfP, std::uint32_t p,
                                                                             std::uint32_t levelOfQ, std::uint32_t q,
                                                                             std::uint32_t direction) noexcept {
        return pixelKey(levelOfP, p) < pixelKey(levelOfQ, q) ? make(levelOfP, p, direction)
                                                             : make(levelOfQ, q, opposite(direction));
    }
    /// The lower end: the saddle.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t saddle(std::uint64_t edge) noexcept {
        return static_cast<std::uint32_t>(edge >> kDirectionBits);
    }
    /// The direction of the higher end.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t direction(std::uint64_t edge) noexcept {
        return static_cast<std::uint32_t>(edge) & ((1U << kDirectionBits) - 1);
    }
    /// Whether the edge connects at the height of the pixel with key @p pixel.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool reaches(std::uint64_t edge, std::uint64_t pixel) noexcept {
        return (edge & ~kPresent) >> kDirectionBits >= pixel;
    }

private:
    static constexpr unsigned kDirectionBits = 5; ///< eight directions in an image, 26 in a volume
    static constexpr std::uint64_t kPresent = std::uint64_t{1} << (16U + 32U + kDirectionBits);
};

} // namespace pollard::cuda
