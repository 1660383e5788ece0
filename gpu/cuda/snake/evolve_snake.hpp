#pragma once

#include "base/table_log.hpp"
#include "cuda/snake/snake_evolution.hpp"
#include "cuda/snake/sum_rows.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Copies the table of logarithms to shared memory. Called by all threads, which need a barrier before they use it.
POLLARD_DEVICE inline const TableLog::Entry* nearTable(const TableLog::Entry* table, std::uint32_t* memory,
                                                       std::uint32_t threads) {
    auto* const near = reinterpret_cast<TableLog::Entry*>(memory);
    for (std::uint32_t i = threadOfBlock(); i < TableLog::kSize; i += threads) {
        near[i] = table[i];
    }
    return near;
}
inline constexpr std::size_t kTableBytes = TableLog::kSize * sizeof(TableLog::Entry);

/// The evolution of one contour by local-best moves in one cooperative kernel; see SnakeEvolution.
template <class Image> struct EvolveSnake {
    PassThreads state;
    SnakeInput<Image> input;
    SnakeTeamMemory memory;
    SnakeTrail trail;
    std::uint32_t blocks; ///< resident at once, so that they can meet

    /// Shared memory of a block without the contour, bytes.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t bytes(std::uint32_t threads) noexcept {
        return kTableBytes + SnakeScratch::bytes(threads);
    }

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        const TableLog::Entry* const table = nearTable(input.rules.energy.table, shared, state.threads);
        const SnakeScratch scratch(shared + kTableBytes / sizeof(std::uint32_t), state.threads);
        auto* const contours = memory.contours != nullptr
                                   ? memory.contours + std::size_t{blockOfGrid()} * BlockContour::bytes(memory.capacity)
                                   : reinterpret_cast<unsigned char*>(shared) + bytes(state.threads);
        SnakeEvolution<Image, GridTeam>(input, table, memory, trail, GridTeam(blocks, memory.flags), scratch,
                                        BlockContour::in(contours, memory.capacity))
            .run();
    }
};

} // namespace pollard::cuda
