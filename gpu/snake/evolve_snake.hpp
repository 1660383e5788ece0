#pragma once

#include "snake/snake_evolution.hpp"
#include "snake/sum_rows.hpp"

#include <cstddef>

namespace pollard::cuda {

/// The whole evolution of a contour by local-best moves in one kernel; see SnakeEvolution.
template <class Image> struct EvolveSnake {
    PassThreads state;
    SnakeInput<Image> input;
    SnakeTeamMemory memory;
    SnakeTrail trail;
    std::uint32_t blocks; ///< that can wait for each other

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        const SnakeScratch scratch(shared, state.threads);
        auto* const contours = memory.contours != nullptr
                                   ? memory.contours + std::size_t{blockOfGrid()} * BlockContour::bytes(memory.capacity)
                                   : reinterpret_cast<unsigned char*>(shared) + SnakeScratch::bytes(state.threads);
        SnakeEvolution<Image, GridTeam>(input, memory, trail, GridTeam(blocks, memory.flags), scratch,
                                        BlockContour::in(contours, memory.capacity))
            .run();
    }
};

} // namespace pollard::cuda
