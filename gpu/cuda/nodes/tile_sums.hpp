#pragma once

#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/nodes/pixel_steps.hpp"
#include "cuda/nodes/tile_terms.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Sums terms of pixels over their nodes, one block per tile: in shared memory over a node's pixels in the tile, then
/// once per node and tile in global memory. A tile of a volume lies in one slice. A hash table maps a node to its entry
/// in the tile, the entry of the pixel whose thread inserted the node.
template <class Terms> struct TileSums {
    static constexpr std::uint32_t kThreads = 256;
    static constexpr std::uint32_t kPixels = kTileSide * kTileSide;

    struct Memory {
        std::uint32_t nodes[2 * kPixels]; ///< hash table; kNoNode: free
        std::uint32_t words[Terms::kWords][kPixels];
        std::uint16_t entries[2 * kPixels]; ///< of the nodes in the table
    };

    NodePlan plan;
    Terms terms;

    /// Number of blocks.
    [[nodiscard]] std::uint32_t tileCount() const noexcept { return tilesOfSlice() * (plan.height / sliceHeight()); }

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const Place place = ownPlace();
        for (std::uint32_t i = threadOfBlock(); i < 2 * kPixels; i += kThreads) {
            memory.nodes[i] = kNoNode;
        }
        meetThreads();
        Column column;
        findEntries(memory, place, column);
        meetThreads();
        addColumn(memory, place, column);
        meetThreads();
        commitOwn(memory, place, column);
    }

private:
    static constexpr std::uint32_t kNoNode = 0xffff'ffffU;
    static constexpr std::uint32_t kRows = kPixels / kThreads; ///< per thread, adjacent in one column

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t columns() const noexcept {
        return (plan.width - 1) / kTileSide + 1;
    }

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t sliceHeight() const noexcept {
        if constexpr (Terms::kInVolumes) {
            return terms.height;
        } else {
            return plan.height;
        }
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t tilesOfSlice() const noexcept {
        return columns() * ((sliceHeight() - 1) / kTileSide + 1);
    }

    struct Place {
        std::uint32_t left, top; ///< of the tile
        std::uint32_t dx, dy;    ///< of the thread's first pixel within it
        std::uint32_t slice;     ///< 0 in images
    };
    [[nodiscard]] POLLARD_DEVICE Place ownPlace() const {
        std::uint32_t tile = blockOfGrid();
        std::uint32_t slice = 0;
        if constexpr (Terms::kInVolumes) {
            slice = tile / tilesOfSlice();
            tile -= slice * tilesOfSlice();
        }
        return {tile % columns() * kTileSide, tile / columns() * kTileSide, threadOfBlock() % kTileSide,
                threadOfBlock() / kTileSide * kRows, slice};
    }
    /// A thread's pixels.
    struct Column {
        std::uint32_t nodes[kRows];      ///< kNoNode outside the image
        std::uint32_t slots[kRows] = {}; ///< in the hash table
        std::uint32_t owned = 0;         ///< bit per pixel: the pixel's entry is its node's
    };

    POLLARD_DEVICE void findEntries(Memory& memory, const Place& place, Column& column) const {
        const std::uint32_t x = place.left + place.dx;
        for (std::uint32_t row = 0; row < kRows; ++row) {
            const std::uint32_t y = place.top + place.dy + row;
            column.nodes[row] = x < plan.width && y < sliceHeight() ? nodeAt(x, y, place.slice) : kNoNode;
        }
        for (std::uint32_t row = 0; row < kRows; ++row) {
            const std::uint32_t node = column.nodes[row];
            if (row > 0 && node == column.nodes[row - 1]) {
                column.slots[row] = column.slots[row - 1];
            } else if (node != kNoNode) {
                const std::uint32_t pixel = (place.dy + row) * kTileSide + place.dx;
                column.owned |= (claims(memory, node, pixel, column.slots[row]) ? 1U : 0U) << row;
            }
        }
    }

    [[nodiscard]] POLLARD_DEVICE std::uint32_t nodeAt(std::uint32_t x, std::uint32_t y, std::uint32_t slice) const {
        if constexpr (Terms::kInVolumes) {
            return plan.pixelNode[(std::size_t{slice} * sliceHeight() + y) * plan.width + x];
        } else {
            return plan.pixelNode[std::size_t{y} * plan.width + x];
        }
    }

    /// Finds the slot of a node. @return whether it was free and the node now uses the pixel's entry
    [[nodiscard]] POLLARD_DEVICE static bool claims(Memory& memory, std::uint32_t node, std::uint32_t pixel,
                                                    std::uint32_t& slot) {
        slot = (node * 0x9e37'79b1U) >> (32 - kSlotBits);
        for (;; slot = (slot + 1) % (2 * kPixels)) {
            std::uint32_t there = loadFresh(&memory.nodes[slot]);
            if (there == kNoNode) {
                there = replaced(&memory.nodes[slot], kNoNode, node);
                if (there == kNoNode) {
                    memory.entries[slot] = static_cast<std::uint16_t>(pixel);
                    for (int k = 0; k < Terms::kWords; ++k) {
                        memory.words[k][pixel] = 0;
                    }
                    return true;
                }
            }
            if (there == node) {
                return false;
            }
        }
    }

    POLLARD_DEVICE void addColumn(Memory& memory, const Place& place, const Column& column) const {
        TermWords<Terms::kWords> held{};
        for (std::uint32_t row = 0; row < kRows; ++row) {
            if (column.nodes[row] == kNoNode) {
                continue;
            }
            const std::uint32_t dy = place.dy + row;
            TermWords<Terms::kWords> words;
            if constexpr (Terms::kInVolumes) {
                words = terms.at(place.left + place.dx, place.top + dy, place.slice, place.dx, dy);
            } else {
                words = terms.at(place.left + place.dx, place.top + dy, place.dx, dy);
            }
            const bool goesOn = row > 0 && column.nodes[row] == column.nodes[row - 1];
            for (int k = 0; k < Terms::kWords; ++k) {
                held.of[k] = goesOn ? Terms::join(held.of[k], words.of[k]) : words.of[k];
            }
            if (row + 1 < kRows && column.nodes[row + 1] != column.nodes[row]) {
                add(memory, column.slots[row], held);
            }
        }
        addLast(memory, column.nodes[kRows - 1], column.slots[kRows - 1], held);
    }

    /// Adds the threads' remaining sums; a warp with only one node, as on flat ground, adds once.
    POLLARD_DEVICE static void addLast(Memory& memory, std::uint32_t node, std::uint32_t slot,
                                       TermWords<Terms::kWords>& held) {
        if (ballot(node == fromLane(node, 0)) == 0xffff'ffffU && node != kNoNode) {
            for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
                for (int k = 0; k < Terms::kWords; ++k) {
                    held.of[k] = Terms::join(held.of[k], fromLane(held.of[k], threadOfBlock() % 32 ^ distance));
                }
            }
            if (threadOfBlock() % 32 == 0) {
                add(memory, slot, held);
            }
        } else if (node != kNoNode) {
            add(memory, slot, held);
        }
    }

    POLLARD_DEVICE static void add(Memory& memory, std::uint32_t slot, const TermWords<Terms::kWords>& held) {
        const std::uint32_t entry = memory.entries[slot];
        for (int k = 0; k < Terms::kWords; ++k) {
            Terms::joinInto(&memory.words[k][entry], held.of[k]);
        }
    }

    POLLARD_DEVICE void commitOwn(const Memory& memory, const Place& place, const Column& column) const {
        for (std::uint32_t row = 0; row < kRows; ++row) {
            if ((column.owned >> row & 1U) == 0) {
                continue;
            }
            const std::uint32_t pixel = (place.dy + row) * kTileSide + place.dx;
            std::uint32_t words[Terms::kWords];
            for (int k = 0; k < Terms::kWords; ++k) {
                words[k] = memory.words[k][pixel];
            }
            if constexpr (Terms::kInVolumes) {
                terms.commit(column.nodes[row], words, place.left, place.top, place.slice);
            } else {
                terms.commit(column.nodes[row], words, place.left, place.top);
            }
        }
    }

    static constexpr std::uint32_t kSlotBits = 11;
    static_assert(1U << kSlotBits == 2 * kPixels);
};

} // namespace pollard::cuda
