#pragma once

#include "cuda/kernels/grid_threads.hpp"
#include "cuda/snake/snake_scratch.hpp"

#include <cstdint>

// Who works on one contour: a block, or all blocks of a cooperative launch. Every block of a team has the contour in a
// copy of its own and comes to the same decisions; what is told from block to block goes through the team. The last of
// several blocks looks after no nodes, but talks to the host, for whose memory the others need not wait then.

namespace pollard::cuda {

class BlockTeam {
public:
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t blocks() { return 1; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t block() { return 0; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t workers() { return 1; }
    [[nodiscard]] POLLARD_DEVICE static bool tells() { return true; }
    POLLARD_DEVICE static void meet() { meetThreads(); }
    template <class Meanwhile> [[nodiscard]] POLLARD_DEVICE static std::uint32_t
    unite(std::uint32_t bits, const SnakeScratch& scratch, const Meanwhile& meanwhile) {
        const std::uint32_t all = bitsOfBlock(bits, scratch);
        meanwhile();
        return all;
    }
    [[nodiscard]] POLLARD_DEVICE static bool anyOf(bool yes, const SnakeScratch& /*scratch*/) { return anyThread(yes); }
};

class GridTeam {
public:
    static constexpr std::uint32_t kFlags = 3;

    /// @param flags kFlags words of device memory, 0 when the kernel starts
    POLLARD_DEVICE GridTeam(std::uint32_t blocks, std::uint32_t* flags) : blocks_(blocks), flags_(flags) {}

    [[nodiscard]] POLLARD_DEVICE std::uint32_t blocks() const { return blocks_; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t block() { return blockOfGrid(); }
    /// Blocks that look after nodes, the first ones.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t workers() const { return blocks_ > 1 ? blocks_ - 1 : 1; }
    /// This one talks to the host.
    [[nodiscard]] POLLARD_DEVICE bool tells() const { return block() + 1 == blocks_; }
    POLLARD_DEVICE static void meet() { meetGrid(); }
    /// Waits for all threads of the team, and returns all bits that any warp gives.
    /// @param bits the same in all threads of a warp
    /// @param meanwhile is called when all have come, while this thread hears of the bits
    template <class Meanwhile> [[nodiscard]] POLLARD_DEVICE std::uint32_t
    unite(std::uint32_t bits, const SnakeScratch& scratch, const Meanwhile& meanwhile) {
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
        const std::uint32_t all = loadFresh(flag);
        meanwhile();
        return all;
    }
    /// Waits for all threads of the team, and tells whether any warp said yes.
    [[nodiscard]] POLLARD_DEVICE bool anyOf(bool yes, const SnakeScratch& scratch) {
        return unite(yes ? 1 : 0, scratch, [] {}) != 0;
    }

private:
    std::uint32_t blocks_;
    std::uint32_t* flags_;
    std::uint32_t asked_ = 0;
};

} // namespace pollard::cuda
