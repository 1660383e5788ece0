#pragma once

#include "cuda/boruvka/node_order.hpp"
#include "cuda/boruvka/sorted_runs.hpp"

#include <cstdint>

namespace pollard::cuda {

/// State of a build after its pixels are runs and its branches are attached to each other: the tree before numbering.
/// In device memory.
template <class Machine, class Level> struct BranchRuns {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

    std::uint32_t pixelCount = 0;
    std::uint32_t runCount = 0;
    std::uint32_t branchCount = 0;
    Buffer<std::uint32_t> runOfPixel;    ///< by image pixel, not rotated
    Buffer<std::uint32_t> pixel, branch; ///< this and the next: RunTable
    Buffer<Level> level;
    Buffer<std::uint32_t> first, end, saddle, attach; ///< this and the next: BranchTable
    Buffer<std::uint8_t> isAlias;
    Buffer<NumberingFacts> facts; ///< one; aliases are counted

    [[nodiscard]] std::uint32_t lastPixel() const noexcept { return pixelCount - 1; }
    [[nodiscard]] RunTable<Level> table() { return {pixel.data(), level.data(), branch.data()}; }
    [[nodiscard]] BranchTable branches() {
        return {first.data(), end.data(), saddle.data(), isAlias.data(), attach.data()};
    }
};

} // namespace pollard::cuda
