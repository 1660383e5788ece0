#pragma once

#include "cuda/kernels/grid_threads.hpp"
#include "cuda/snake/snake_scratch.hpp"

#include <cstdint>

// The team that works on one contour: one block, or all blocks of a cooperative launch. Each block has a copy of the
// contour and reaches the same decisions; the team exchanges the rest. If there are several blocks, the last one has no
// nodes and writes to the host, so that the others do not wait for host memory.

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

    /// @param flags kFlags words of device memory, 0 at the start of the kernel
    POLLARD_DEVICE GridTeam(std::uint32_t blocks, std::uint32_t* flags) : blocks_(blocks), flags_(flags) {}

    [[nodiscard]] POLLARD_DEVICE std::uint32_t blocks() const { return blocks_; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t block() { return blockOfGrid(); }
    /// Blocks that have nodes, the first ones.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t workers() const { return blocks_ > 1 ? blocks_ - 1 : 1; }
    /// Whether this block writes to the host.
    [[nodiscard]] POLLARD_DEVICE bool tells() const { return block() + 1 == blocks_; }
    POLLARD_DEVICE static void meet() { meetGrid(); }
    /// Bitwise or over all warps of the team; a barrier for all its threads.
    /// @param bits uniform over the warp
    /// @param meanwhile called after the barrier, to overlap with the load of the result
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
                storeFresh(flags_ + asked_ % kFlags, std::uint32_t{0}); // every block has read its value of two calls
                                                                        // ago
            }
        }
        meetGrid();
        const std::uint32_t all = loadFresh(flag);
        meanwhile();
        return all;
    }
    /// Whether any warp of the team passes true; a barrier for all its threads.
    [[nodiscard]] POLLARD_DEVICE bool anyOf(bool yes, const SnakeScratch& scratch) {
        return unite(yes ? 1 : 0, scratch, [] {}) != 0;
    }

private:
    std::uint32_t blocks_;
    std::uint32_t* flags_;
    std::uint32_t asked_ = 0;
};

} // namespace pollard::cuda
