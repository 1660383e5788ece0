#pragma once

#include "cuda/snake/evolve_snake.hpp"
#include "cuda/snake/independent_tables.hpp"
#include "cuda/snake/snake_evolution.hpp"
#include "cuda/snake/sum_rows.hpp"
#include "image/pixel_region.hpp"

#include <cstddef>
#include <cstdint>

// Independent contours that evolve at once, each on its own part of the image (snake/snake_job.hpp).

namespace pollard::cuda {

/// Sums over the pixels of each part, one block per part.
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

/// Input, output and state of one of several contours, in device memory.
template <class Image> struct IndependentSlot {
    SnakeInput<Image> input;
    SnakeTrail trail;
    SnakeProgress* progress;
    ContourNode* nodes; ///< at the start and at the end of the kernel
};

/// Evolves several contours in one kernel, see SnakeEvolution. A block takes the next contour when it has finished one,
/// and has tables for one.
template <class Image> struct EvolveIndependent {
    PassThreads state;
    const IndependentSlot<Image>* slots;
    const std::uint32_t* open; ///< indices of the slots to evolve
    std::uint32_t count;       ///< of open slots
    std::uint32_t* taken;      ///< counter of open slots taken by blocks; 0 at the start
    IndependentTables tables;
    std::uint32_t blocks; ///< with tables
    bool isDense;         ///< use fewer registers, so that more blocks are resident

    /// Shared memory of a block without the contour, bytes.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t bytes(std::uint32_t threads) noexcept {
        return kTableBytes + sizeof(Own) + SnakeScratch::bytes(threads);
    }

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        auto& own = *reinterpret_cast<Own*>(shared + kTableBytes / sizeof(std::uint32_t));
        const TableLog::Entry* const table = nearTable(slots->input.rules.energy.table, shared, state.threads);
        const SnakeScratch scratch(shared + (kTableBytes + sizeof(Own)) / sizeof(std::uint32_t), state.threads);
        auto* const contour = tables.contours != nullptr
                                  ? tables.contours + blockOfGrid() * BlockContour::bytes(tables.capacity)
                                  : reinterpret_cast<unsigned char*>(shared) + bytes(state.threads);
        while (takeNext(own)) {
            SnakeEvolution<Image, BlockTeam>(own.slot.input, table, own.memory, own.slot.trail, BlockTeam(), scratch,
                                             BlockContour::in(contour, tables.capacity))
                .run();
        }
    }

private:
    /// Working set of a block, in its shared memory.
    struct Own {
        IndependentSlot<Image> slot;
        SnakeTeamMemory memory;
        std::uint64_t turn; ///< index into `open`
    };
    static_assert(sizeof(Own) % sizeof(std::uint64_t) == 0);

    /// Loads the next contour into the block. @return false if there is none left
    [[nodiscard]] POLLARD_DEVICE bool takeNext(Own& own) const {
        if (threadOfBlock() == 0) {
            own.turn = addTo(taken, 1);
        }
        meetThreads();
        const auto turn = static_cast<std::uint32_t>(own.turn);
        if (turn >= count) {
            return false;
        }
        const IndependentSlot<Image>& slot = slots[open[turn]];
        const auto* const from = reinterpret_cast<const std::uint32_t*>(&slot);
        auto* const to = reinterpret_cast<std::uint32_t*>(&own.slot);
        constexpr std::size_t kWords = sizeof(IndependentSlot<Image>) / sizeof(std::uint32_t);
        for (std::uint32_t i = threadOfBlock(); i < kWords; i += state.threads) {
            to[i] = from[i];
        }
        if (threadOfBlock() == 0) {
            own.memory = tables.of(blockOfGrid(), slot.progress, slot.nodes);
        }
        meetThreads();
        return true;
    }
};

} // namespace pollard::cuda
