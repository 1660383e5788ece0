#pragma once

#include "cuda/boruvka/bricks/space_direction.hpp"

#include <cstdint>

namespace pollard::cuda {

/// The nine places around a voxel's place in one of the two layers of a face, one bit each; 4 is its own.
template <int kNeighbours> struct FacePlaces {
    using Neighbours = Neighbourhood<kNeighbours>;
    static constexpr int kCount = 9;
    static constexpr std::uint32_t kCentre = 1U << 4U;
    static constexpr std::uint32_t kLowU = 0x49, kHighU = 0x124, kLowV = 0x7, kHighV = 0x1c0;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int u(int place) noexcept { return place % 3 - 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int v(int place) noexcept { return place / 3 - 1; }

    /// Whether the centre of a layer has an edge to this place of the other layer.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool has(int to) noexcept {
        return Neighbours::has(u(to), v(to), 1);
    }

    /// Places next to both ends of an edge, in the layer of the lower end and in the other one.
    struct Beside {
        std::uint32_t box, otherBox; ///< those in the bounding box of the ends
        std::uint32_t near;          ///< all in the layer of the lower end
        std::uint32_t otherFirst;    ///< those of the other layer that come first: by length, then the later place
    };
    /// Of the edge from the centre of a layer, its lower end, to place @p to of the other layer.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr Beside beside(int to) noexcept {
        Beside all{};
        for (int by = 0; by < kCount; ++by) {
            const std::uint32_t bit = 1U << by;
            const bool isInBox = (u(by) == 0 || u(by) == u(to)) && (v(by) == 0 || v(by) == v(to));
            const bool isNear = by != 4 && Neighbours::has(u(by), v(by), 0) && //
                                Neighbours::has(u(by) - u(to), v(by) - v(to), 1);
            const bool isFar = by != to && Neighbours::has(u(by), v(by), 1) && //
                               Neighbours::has(u(by) - u(to), v(by) - v(to), 0);
            const int length = Neighbours::length(u(by), v(by), 1);
            const int lengthTo = Neighbours::length(u(to), v(to), 1);
            all.near |= isNear ? bit : 0U;
            all.box |= isNear && isInBox ? bit : 0U;
            all.otherBox |= isFar && isInBox ? bit : 0U;
            all.otherFirst |= isFar && (length < lengthTo || (length == lengthTo && by > to)) ? bit : 0U;
        }
        return all;
    }
    /// Places to which straight edges next to the centre's may lead.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t lateral() noexcept {
        std::uint32_t bits = 0;
        for (int place = 0; place < kCount; ++place) {
            bits |= Neighbours::has(u(place), v(place), 0) ? 1U << place : 0U;
        }
        return bits;
    }
};

} // namespace pollard::cuda
