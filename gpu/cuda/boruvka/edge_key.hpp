#pragma once

#include "base/compiler.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Directions to the eight neighbours of a pixel. Even numbers are the four of 4-connectivity; opposite directions
/// differ in the highest of three bits.
enum Direction : std::uint32_t {
    kEast,
    kSouthEast,
    kSouth,
    kSouthWest,
    kWest,
    kNorthWest,
    kNorth,
    kNorthEast,
};

[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t opposite(std::uint32_t direction) noexcept {
    return direction ^ 4U;
}

// Steps plus one, two bits per direction: arithmetic instead of a table in memory.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int stepRight(std::uint32_t direction) noexcept {
    return static_cast<int>((0x901aU >> (2 * direction)) & 3U) - 1;
}
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int stepDown(std::uint32_t direction) noexcept {
    return static_cast<int>((0x01a9U >> (2 * direction)) & 3U) - 1;
}

static_assert(stepRight(kEast) == 1 && stepRight(kNorth) == 0 && stepRight(kSouthWest) == -1);
static_assert(stepDown(kEast) == 0 && stepDown(kSouthWest) == 1 && stepDown(kNorthEast) == -1);

/// The grey levels of an image rotated by 180 degrees: pixel i is the i-th from the end. The canonical pixel of a node,
/// the last of its level, thereby becomes the first one in the natural order *level, then index*.
template <class Level> struct RotatedLevels {
    const Level* last; ///< the last pixel of the image
    Level flip;        ///< 0, or all ones for a min-tree

    [[nodiscard]] POLLARD_HOST_DEVICE Level operator[](std::size_t i) const {
        return static_cast<Level>(*(last - static_cast<std::ptrdiff_t>(i)) ^ flip);
    }
};
static_assert(std::is_trivially_copyable_v<RotatedLevels<unsigned char>>);

/// Key of a pixel in the total order: by level, then by index.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint64_t pixelKey(std::uint32_t level, std::uint32_t pixel) noexcept {
    return std::uint64_t{level} << 32U | pixel;
}

/// An edge between adjacent pixels as one number: the key of its lower end, and the direction of the other. A larger
/// edge connects at a greater height. All edges of an image differ, and none is 0. A direction is a Direction of an
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
