#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// A direction to a neighbour of a voxel: 0 to 26 without 13, in the order of voxel indices. The steps x, y and z are
/// -1 to 1.
struct SpaceDirection {
    static constexpr std::uint32_t kCount = 27;
    static constexpr std::uint32_t kNowhere = 13;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int x(std::uint32_t direction) noexcept {
        return static_cast<int>(direction % 3) - 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int y(std::uint32_t direction) noexcept {
        return static_cast<int>(direction / 3 % 3) - 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int z(std::uint32_t direction) noexcept {
        return static_cast<int>(direction / 9) - 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t opposite(std::uint32_t direction) noexcept {
        return kCount - 1 - direction;
    }
};

/// The 6, 18 or 26 neighbours of a voxel: those with a common face, edge or corner. Lengths are numbers of steps along
/// the axes.
template <int kNeighbours> struct Neighbourhood {
    static_assert(kNeighbours == 6 || kNeighbours == 18 || kNeighbours == 26);
    static constexpr int kReach = kNeighbours == 6 ? 1 : kNeighbours == 18 ? 2 : 3; ///< largest length

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int length(int x, int y, int z) noexcept {
        return (x < 0 ? -x : x) + (y < 0 ? -y : y) + (z < 0 ? -z : z);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int length(std::uint32_t direction) noexcept {
        return length(SpaceDirection::x(direction), SpaceDirection::y(direction), SpaceDirection::z(direction));
    }
    /// Whether voxels with this offset are neighbours.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool has(int x, int y, int z) noexcept {
        return x * x <= 1 && y * y <= 1 && z * z <= 1 && length(x, y, z) >= 1 && length(x, y, z) <= kReach;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool has(std::uint32_t direction) noexcept {
        return length(direction) >= 1 && length(direction) <= kReach;
    }

    /// A bit for each direction.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t directions() noexcept {
        std::uint32_t bits = 0;
        for (std::uint32_t direction = 0; direction < SpaceDirection::kCount; ++direction) {
            bits |= has(direction) ? 1U << direction : 0U;
        }
        return bits;
    }
    /// Of an edge within a brick from its lower end in @p direction: the directions to voxels next to both ends to
    /// which the way is shorter or, with the same length, comes later in the order. If one of these voxels is above the
    /// lower end, the edge is superfluous (docs/algorithms.md).
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t detours(std::uint32_t direction) noexcept {
        std::uint32_t bits = 0;
        for (std::uint32_t by = 0; by < SpaceDirection::kCount; ++by) {
            const bool isBeside = has(SpaceDirection::x(by) - SpaceDirection::x(direction),
                                      SpaceDirection::y(by) - SpaceDirection::y(direction),
                                      SpaceDirection::z(by) - SpaceDirection::z(direction));
            const bool isFirst = length(by) < length(direction) || (length(by) == length(direction) && by > direction);
            bits |= has(by) && isBeside && isFirst ? 1U << by : 0U;
        }
        return bits;
    }

    /// visit.operator()<direction>() for all of them.
    template <class Visit> POLLARD_DEVICE static void forEach(const Visit& visit) {
        forEachOf(visit, std::make_integer_sequence<std::uint32_t, SpaceDirection::kCount>{});
    }

private:
    template <class Visit, std::uint32_t... kDirections>
    POLLARD_DEVICE static void forEachOf(const Visit& visit, std::integer_sequence<std::uint32_t, kDirections...>) {
        (visitOne<kDirections>(visit), ...);
    }
    template <std::uint32_t kDirection, class Visit> POLLARD_DEVICE static void visitOne(const Visit& visit) {
        if constexpr (has(kDirection)) {
            visit.template operator()<kDirection>();
        }
    }
};

} // namespace pollard::cuda
