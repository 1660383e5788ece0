#pragma once

#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/prefix_image.hpp"
#include "cuda/snake/snake_evolution.hpp"
#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/snake_work.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Device memory in which each block works on one contour at a time. Holds nothing between kernels, so it is needed per
/// block and not per contour.
struct IndependentTables {
    RegionSums* edges; ///< as in SnakeTeamMemory, for all blocks; so are the next three
    RegionSums* candidates;
    SnakePick* picks;
    std::int32_t* marks;
    unsigned char* contours; ///< a BlockContour per block; null: in shared memory
    std::uint32_t capacity;  ///< nodes
    std::uint32_t steps;     ///< largest number of step lengths of a contour

    /// Number of candidates of one block.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t candidatesOf(std::size_t capacity,
                                                                                std::uint32_t steps) noexcept {
        return std::size_t{kEdgesOfNode} * steps * capacity;
    }
    /// Bytes of one block. @param inShared contours are in shared memory
    [[nodiscard]] static constexpr std::uint64_t bytesOf(std::size_t capacity, std::uint32_t steps,
                                                         bool inShared) noexcept {
        return (capacity + candidatesOf(capacity, steps)) * sizeof(RegionSums) +
               SnakeTeamMemory::picksOf(capacity, steps) * sizeof(SnakePick) + capacity * sizeof(std::int32_t) +
               (inShared ? 0 : BlockContour::bytes(capacity));
    }

    /// The memory of @p block for a contour.
    [[nodiscard]] POLLARD_DEVICE SnakeTeamMemory of(std::uint32_t block, SnakeProgress* progress,
                                                    ContourNode* nodes) const {
        const std::size_t place = std::size_t{block} * capacity;
        return {progress,      nodes,
                edges + place, candidates + candidatesOf(place, steps),
                nullptr,       picks + SnakeTeamMemory::picksOf(place, steps),
                marks + place, nullptr,
                nullptr,       capacity,
                steps};
    }
};

// Independent contours that evolve at once, each on its own part of the image (snake/snake_job.hpp).

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
        return kTableBytes + sizeof(BlockState) + SnakeScratch::bytes(threads);
    }

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        auto& own = *reinterpret_cast<BlockState*>(shared + kTableBytes / sizeof(std::uint32_t));
        const TableLog::Entry* const table = nearTable(slots->input.rules.energy.table, shared, state.threads);
        const SnakeScratch scratch(shared + (kTableBytes + sizeof(BlockState)) / sizeof(std::uint32_t), state.threads);
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
    struct BlockState {
        IndependentSlot<Image> slot;
        SnakeTeamMemory memory;
        std::uint64_t turn; ///< index into `open`
    };
    static_assert(sizeof(BlockState) % sizeof(std::uint64_t) == 0);

    /// Loads the next contour into the block. @return false if there is none left
    [[nodiscard]] POLLARD_DEVICE bool takeNext(BlockState& own) const {
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
