#pragma once

#include "device/grid_threads.hpp"
#include "snake/snake_scratch.hpp"

#include <cstdint>

// Who works on one contour: a block, or all blocks of a cooperative launch. Every block of a team has the contour in a
// copy of its own and comes to the same decisions; what is told from block to block goes through the team.

namespace pollard::cuda {

class BlockTeam {
public:
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t blocks() { return 1; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t block() { return 0; }
    POLLARD_DEVICE static void meet() { meetThreads(); }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t unite(std::uint32_t bits, const SnakeScratch& scratch) {
        return bitsOfBlock(bits, scratch);
    }
};

class GridTeam {
public:
    static constexpr std::uint32_t kFlags = 3;

    /// @param flags kFlags words of device memory, 0 when the kernel starts
    POLLARD_DEVICE GridTeam(std::uint32_t blocks, std::uint32_t* flags) : blocks_(blocks), flags_(flags) {}

    [[nodiscard]] POLLARD_DEVICE std::uint32_t blocks() const { return blocks_; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t block() { return blockOfGrid(); }
    POLLARD_DEVICE static void meet() { meetGrid(); }
    /// Waits for all threads of the team, and returns all bits that any warp gives.
    /// @param bits the same in all threads of a warp
    [[nodiscard]] POLLARD_DEVICE std::uint32_t unite(std::uint32_t bits, const SnakeScratch& scratch) {
        std::uint32_t* const flag = flags_ + asked_ % kFlags;
        ++asked_;
        const std::uint32_t own = bitsOfBlock(bits, scratch);
        if (threadOfBlock() == 0) {
            if (own != 0) {
                static_cast<void>(withBitsSet(flag, own));
            }
            if (block() == 0) {
                storeFresh(flags_ + asked_ % kFlags, std::uint32_t{0}); // all have read what it said two questions ago
            }
        }
        meetGrid();
        return loadFresh(flag);
    }

private:
    std::uint32_t blocks_;
    std::uint32_t* flags_;
    std::uint32_t asked_ = 0;
};

} // namespace pollard::cuda
