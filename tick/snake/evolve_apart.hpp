#pragma once

#include "image/pixel_region.hpp"
#include "snake/evolve_snake.hpp"
#include "snake/snake_evolution.hpp"
#include "snake/sum_rows.hpp"

#include <cstddef>
#include <cstdint>

// Contours that evolve at once, each on a part of the image of its own (snake/apart_snakes.hpp).

namespace pollard::cuda {

/// The sums of the pixels of every part, a block a part.
template <class Image> struct SumParts {
    PassThreads state;
    Image image;
    const PixelRegion* parts;
    RegionSums* sums;

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        const SnakeScratch scratch(shared, state.threads);
        const PixelRegion part = parts[blockOfGrid()];
        const auto left = static_cast<std::int32_t>(part.x);
        const auto top = static_cast<std::int32_t>(part.y);
        const std::int32_t right = left + static_cast<std::int32_t>(part.width);
        const std::int32_t bottom = top + static_cast<std::int32_t>(part.height);
        const std::uint32_t thread = threadOfBlock();
        const RegionSums own = image.leftOf({right, top}, {right, bottom}, thread, state.threads) -
                               image.leftOf({left, top}, {left, bottom}, thread, state.threads);
        const RegionSums all = sumOfBlock(own, scratch);
        if (thread == 0) {
            sums[blockOfGrid()] = all;
        }
    }
};

/// All that the evolution of one of several contours needs, in device memory.
template <class Image> struct ApartSlot {
    SnakeInput<Image> input;
    SnakeTeamMemory memory;
    SnakeTrail trail;
};

/// The evolution of several contours in one kernel, a block a contour; see SnakeEvolution.
template <class Image> struct EvolveApart {
    PassThreads state;
    const ApartSlot<Image>* slots;
    const std::uint32_t* open; ///< numbers of the slots to go on with, one a block

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t bytes(std::uint32_t threads) noexcept {
        return kTableBytes + sizeof(ApartSlot<Image>) + SnakeScratch::bytes(threads);
    }

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        static_assert(sizeof(ApartSlot<Image>) % sizeof(std::uint64_t) == 0);
        const auto* const from = reinterpret_cast<const std::uint32_t*>(slots + open[blockOfGrid()]);
        std::uint32_t* const to = shared + kTableBytes / sizeof(std::uint32_t);
        constexpr std::size_t kWords = sizeof(ApartSlot<Image>) / sizeof(std::uint32_t);
        for (std::uint32_t i = threadOfBlock(); i < kWords; i += state.threads) {
            to[i] = from[i];
        }
        meetThreads();
        const auto& slot = *reinterpret_cast<const ApartSlot<Image>*>(to);
        const TableLog::Entry* const table = nearTable(slot.input.rules.energy.table, shared, state.threads);
        const SnakeScratch scratch(to + kWords, state.threads);
        auto* const contour = slot.memory.contours != nullptr
                                  ? slot.memory.contours
                                  : reinterpret_cast<unsigned char*>(shared) + bytes(state.threads);
        SnakeEvolution<Image, BlockTeam>(slot.input, table, slot.memory, slot.trail, BlockTeam(), scratch,
                                         BlockContour::in(contour, slot.memory.capacity))
            .run();
    }
};

} // namespace pollard::cuda
