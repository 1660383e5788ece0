#pragma once

#include "base/compiler.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "hierarchy/grid_edges.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// An edge of a grid as one number, which is larger for an edge that comes earlier in the order of WeightedEdge. All
/// edges of an image differ, and none is 0: the passes of `boruvka`, which take the highest edge, take the first one.
struct FirstEdge {
    static constexpr std::uint32_t kNever = 0x1'0000; ///< weight of no edge

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint64_t make(std::uint32_t weight, std::uint32_t first,
                                                                          std::uint32_t way) noexcept {
        return kPresent | (kRest ^ (std::uint64_t{weight} << kWeightShift | std::uint64_t{first} << kWayBits | way));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t weight(std::uint64_t edge) noexcept {
        return edge == 0 ? kNever : static_cast<std::uint32_t>((edge ^ kRest) >> kWeightShift & 0xffffU);
    }
    /// Its earlier pixel.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t first(std::uint64_t edge) noexcept {
        return static_cast<std::uint32_t>((edge ^ kRest) >> kWayBits);
    }
    /// The way from its first to its second pixel.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t way(std::uint64_t edge) noexcept {
        return static_cast<std::uint32_t>(edge ^ kRest) & ((1U << kWayBits) - 1);
    }

private:
    static constexpr unsigned kWayBits = 4; ///< 13 ways in a volume
    static constexpr unsigned kWeightShift = 32 + kWayBits;
    static constexpr std::uint64_t kPresent = std::uint64_t{1} << (kWeightShift + 16);
    static constexpr std::uint64_t kRest = kPresent - 1;
};

/// The ways from a pixel to its later neighbours, in the order of these.
struct GridWays {
    static constexpr std::uint32_t kMost = 13;

    std::uint32_t count = 0;
    int sides = 0; ///< that a way crosses at most
    std::int8_t x[kMost] = {};
    std::int8_t y[kMost] = {};
    std::int8_t z[kMost] = {};

    [[nodiscard]] static GridWays of(Connectivity connectivity) noexcept {
        const bool hasCorners = connectivity == Connectivity::eight || connectivity == Connectivity::twentySix;
        GridWays ways;
        ways.sides = hasCorners ? 3 : connectivity == Connectivity::eighteen ? 2 : 1;
        for (int z = 0; z <= (isPlanar(connectivity) ? 0 : 1); ++z) {
            for (int y = -1; y <= 1; ++y) {
                for (int x = -1; x <= 1; ++x) {
                    const bool isLater = z > 0 || y > 0 || (y == 0 && x > 0);
                    if (isLater && z + y * y + x * x <= ways.sides) {
                        ways.x[ways.count] = static_cast<std::int8_t>(x);
                        ways.y[ways.count] = static_cast<std::int8_t>(y);
                        ways.z[ways.count++] = static_cast<std::int8_t>(z);
                    }
                }
            }
        }
        return ways;
    }
};

/// The edges of an image or volume, as GridEdges.
template <class Level> struct EdgeGrid {
    const Level* levels;
    DeviceMask valid; ///< pixels with data; without words: all pixels
    std::uint32_t width, height, slices;
    EdgeWeight weighting;
    GridWays ways;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixelCount() const { return width * height * slices; }
    [[nodiscard]] POLLARD_HOST_DEVICE Voxel at(std::uint32_t pixel) const {
        const std::uint32_t row = pixel / width;
        return {pixel - row * width, row % height, row / height};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t secondOf(std::uint32_t first, std::uint32_t way) const {
        return first + distance(way);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool hasData(std::uint32_t pixel) const {
        return valid.words == nullptr || valid.isSet(pixel % width, pixel / width);
    }

    /// Calls @p visit(neighbour, weight) for each edge of a pixel, in the order of the neighbours.
    template <class Visit> POLLARD_DEVICE void forEachEdge(std::uint32_t pixel, const Visit& visit) const {
        const Voxel from = at(pixel);
        for (std::uint32_t way = ways.count; way-- > 0;) {
            visitEdge(pixel, from, way, false, visit);
        }
        for (std::uint32_t way = 0; way < ways.count; ++way) {
            visitEdge(pixel, from, way, true, visit);
        }
    }
    /// Calls @p visit(neighbour, weight, way) for each edge to a later pixel.
    template <class Visit> POLLARD_DEVICE void forEachLater(std::uint32_t pixel, const Visit& visit) const {
        const Voxel from = at(pixel);
        for (std::uint32_t way = 0; way < ways.count; ++way) {
            visitEdge(pixel, from, way, true,
                      [&](std::uint32_t other, std::uint32_t weight) { visit(other, weight, way); });
        }
    }

    /// Weight of the edge between two pixels that are joined by one.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t weightBetween(std::uint32_t a, std::uint32_t b) const {
        return hasData(a) ? weightOf(levels[a], levels[b]) : 0U;
    }
    /// Whether the edge to a later pixel is the last one of a circle of three or four edges. Such an edge is in no
    /// minimum spanning tree.
    [[nodiscard]] POLLARD_DEVICE bool endsCircle(std::uint32_t pixel, std::uint32_t way, std::uint32_t weight) const {
        const Voxel from = at(pixel);
        const int x = ways.x[way];
        const int y = ways.y[way];
        const int z = ways.z[way];
        const int length = (x != 0 ? 1 : 0) + (y != 0 ? 1 : 0) + (z != 0 ? 1 : 0);
        const std::uint32_t other = pixel + distance(way);
        const auto isEarlier = [&](std::uint32_t a, std::uint32_t b) {
            if (hasData(a) != hasData(b)) {
                return false;
            }
            const std::uint32_t first = a < b ? a : b;
            const std::uint32_t found = weightBetween(a, b);
            return found < weight ||
                   (found == weight && (first < pixel || (first == pixel && (a < b ? b : a) < other)));
        };
        for (int axis = 0; axis < (slices > 1 ? 3 : 2); ++axis) {
            for (int sign = -1; sign <= 1; sign += 2) {
                const int besideX = axis == 0 ? sign : 0;
                const int besideY = axis == 1 ? sign : 0;
                const int besideZ = axis == 2 ? sign : 0;
                const int along = x * besideX + y * besideY + z * besideZ;
                if ((length == 1 && along != 0) || !isIn(from, besideX, besideY, besideZ)) {
                    continue;
                }
                // The pixel beside the first one is a neighbour of the second one, too, or lies opposite to the pixel
                // beside the second one.
                const bool isTriangle = along > 0 || (along == 0 && length < ways.sides);
                if (!isTriangle && !isIn(from, x + besideX, y + besideY, z + besideZ)) {
                    continue;
                }
                const std::uint32_t step = pixelsOf(besideX, besideY, besideZ);
                const std::uint32_t third = pixel + step;
                const std::uint32_t fourth = isTriangle ? other : other + step;
                if (isEarlier(pixel, third) && isEarlier(third, fourth) && (isTriangle || isEarlier(fourth, other))) {
                    return true;
                }
            }
        }
        return false;
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE bool isIn(const Voxel& from, int x, int y, int z) const {
        return from.x + static_cast<std::uint32_t>(x) < width && from.y + static_cast<std::uint32_t>(y) < height &&
               from.z + static_cast<std::uint32_t>(z) < slices;
    }
    /// A way in pixels, modulo 2^32.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixelsOf(int x, int y, int z) const {
        return (static_cast<std::uint32_t>(z) * height + static_cast<std::uint32_t>(y)) * width +
               static_cast<std::uint32_t>(x);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t distance(std::uint32_t way) const {
        return pixelsOf(ways.x[way], ways.y[way], ways.z[way]);
    }
    template <class Visit> POLLARD_DEVICE void visitEdge(std::uint32_t pixel, const Voxel& from, std::uint32_t way,
                                                         bool isLater, const Visit& visit) const {
        const int sign = isLater ? 1 : -1;
        if (!isIn(from, sign * ways.x[way], sign * ways.y[way], sign * ways.z[way])) {
            return;
        }
        const std::uint32_t other = isLater ? pixel + distance(way) : pixel - distance(way);
        if (hasData(pixel) == hasData(other)) {
            visit(other, weightBetween(pixel, other));
        }
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t weightOf(std::uint32_t a, std::uint32_t b) const {
        const std::uint32_t high = a < b ? b : a;
        return weighting == EdgeWeight::maximum ? high : high - (a < b ? a : b);
    }
};
static_assert(std::is_trivially_copyable_v<EdgeGrid<std::uint16_t>>);

} // namespace pollard::cuda
