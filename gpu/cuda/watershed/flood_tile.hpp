#pragma once

#include "cuda/device/device_image.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>

// Values of pixels that follow from the values of their neighbours, settled tile by tile in shared memory
// (docs/algorithms-components.md, watershed).

namespace pollard::cuda {

/// Tiles of width x height x depth; a thread has kEach pixels of a column.
template <std::uint32_t width, std::uint32_t height, std::uint32_t depth, std::uint32_t each> struct FloodShape {
    static_assert(height % each == 0);
    static constexpr std::uint32_t kWidth = width;
    static constexpr std::uint32_t kHeight = height;
    static constexpr std::uint32_t kDepth = depth;
    static constexpr std::uint32_t kEach = each;
    static constexpr std::uint32_t kThreads = width * height * depth / each;
    // With the pixels around the tile.
    static constexpr std::uint32_t kAround = depth == 1 ? 0 : 1; ///< slices before and after
    static constexpr std::uint32_t kRow = width + 2;
    static constexpr std::uint32_t kSlice = kRow * (height + 2);
    static constexpr std::uint32_t kCells = kSlice * (depth + 2 * kAround);
};
using EngineFloodShape = FloodShape<32, 32, 1, 4>;
using EngineFloodBox = FloodShape<16, 8, 8, 4>;

/// Number of the direction to a neighbour, whose steps are -1, 0 or 1.
inline constexpr std::uint32_t kDirections = 27;
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t directionOf(int x, int y, int z) {
    return static_cast<std::uint32_t>((z + 1) * 9 + (y + 1) * 3 + x + 1);
}

/// Steps along different axes to a neighbour, at most. @tparam kNeighbours 4, 8, 6, 18 or 26
template <int kNeighbours> inline constexpr int kMostAxes = kNeighbours == 4 || kNeighbours == 6 ? 1
                                                            : kNeighbours == 26                  ? 3
                                                                                                 : 2;

/// Calls @p function(x, z) with the steps to the columns of a pixel and its neighbours.
template <int kNeighbours, class Function> POLLARD_DEVICE inline void forColumns(const Function& function) {
    constexpr int kDepth = kNeighbours == 4 || kNeighbours == 8 ? 0 : 1;
    POLLARD_UNROLL
    for (int z = -kDepth; z <= kDepth; ++z) {
        POLLARD_UNROLL
        for (int x = -1; x <= 1; ++x) {
            if (x * x + z * z <= kMostAxes<kNeighbours>) {
                function(x, z);
            }
        }
    }
}

/// Calls @p function(x, y, z) with the steps to each neighbour.
template <int kNeighbours, class Function> POLLARD_DEVICE inline void forNeighbours(const Function& function) {
    forColumns<kNeighbours>([&](int x, int z) {
        POLLARD_UNROLL
        for (int y = -1; y <= 1; ++y) {
            const int axes = x * x + y * y + z * z;
            if (axes != 0 && axes <= kMostAxes<kNeighbours>) {
                function(x, y, z);
            }
        }
    });
}

/// An image or a volume in tiles.
template <class Shape> struct FloodGrid {
    Extent extent;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t columns() const { return (extent.width - 1) / Shape::kWidth + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rows() const { return (extent.height - 1) / Shape::kHeight + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t layers() const { return (extent.slices - 1) / Shape::kDepth + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t tiles() const { return columns() * rows() * layers(); }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t tileOf(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        return (z / Shape::kDepth * rows() + y / Shape::kHeight) * columns() + x / Shape::kWidth;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::size_t pixelAt(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        return (std::size_t{z} * extent.height + y) * extent.width + x;
    }
};

/// A round settles the tiles of a list and makes the list of the next round.
struct FloodRound {
    std::uint32_t count; ///< of tiles
    std::uint32_t taken; ///< tiles that blocks have begun
};

/// Begins a series of rounds.
struct StartRounds {
    FloodRound* rounds;
    std::uint32_t count; ///< tiles of the first

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const { rounds[i] = {i == 0 ? count : 0, 0}; }
};

/// The lists of a round.
struct FloodLists {
    FloodRound* round;           ///< this one; the next follows
    const std::uint32_t* tiles;  ///< null: all tiles with seeds
    const std::uint32_t* seeded; ///< per tile: not 0 if it has seeds
    std::uint32_t* next;
    std::uint32_t* marks; ///< per tile: number of the last round that has it in its list
    std::uint32_t number; ///< of the next round
};

/// Settles tiles: lowers each value as far as the values around it allow. A tile gets into the next list if a
/// neighbouring value fell so far that a value of the tile may fall.
/// @tparam Rule TimeRule or LabelRule: what the values follow from. `kNone` is a value that never changes, also of
/// pixels beyond the image; load() loads more than the values. Rule::Own describes the pixels of a thread: set() and
/// look() take what is constant, around() returns the values beside the pixels or their place, and lowest() is the
/// value that these and the thread's own values allow a pixel. concerns() is whether the value of a cell may lower the
/// value of another cell.
template <class Rule, class TileShape> struct SettleTiles {
    using Shape = TileShape;
    static constexpr std::uint32_t kThreads = Shape::kThreads;
    struct Memory {
        std::uint32_t values[Shape::kCells];
        typename Rule::template Memory<Shape> rule;
        std::uint32_t ticket;
        std::uint32_t directions;
    };

    Rule rule;
    FloodGrid<Shape> grid;
    FloodLists lists;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t count = lists.round->count;
        while (true) {
            if (threadOfBlock() == 0) {
                memory.ticket = addTo(&lists.round->taken, 1);
                memory.directions = 0;
            }
            meetThreads();
            const std::uint32_t ticket = memory.ticket;
            if (ticket >= count) {
                return;
            }
            if (lists.tiles != nullptr) {
                settle(memory, lists.tiles[ticket]);
            } else if (lists.seeded[ticket] != 0) {
                settle(memory, ticket);
            }
            meetThreads();
        }
    }

private:
    using Own = typename Rule::template Own<Shape>;

    struct Corner {
        std::uint32_t column, row, layer; ///< of the tile
        std::uint32_t x, y, z;            ///< its first pixel
    };

    [[nodiscard]] POLLARD_DEVICE Corner cornerOf(std::uint32_t tile) const {
        const std::uint32_t column = tile % grid.columns();
        const std::uint32_t row = tile / grid.columns() % grid.rows();
        const std::uint32_t layer = tile / grid.columns() / grid.rows();
        return {column, row, layer, column * Shape::kWidth, row * Shape::kHeight, layer * Shape::kDepth};
    }

    POLLARD_DEVICE void load(Memory& memory, const Corner& corner) const {
        for (std::uint32_t cell = threadOfBlock(); cell < Shape::kCells; cell += kThreads) {
            // Before the image these are above all sizes.
            const std::uint32_t x = corner.x + cell % Shape::kRow - 1;
            const std::uint32_t y = corner.y + cell % Shape::kSlice / Shape::kRow - 1;
            const std::uint32_t z = corner.z + cell / Shape::kSlice - Shape::kAround;
            const bool isInside = x < grid.extent.width && y < grid.extent.height && z < grid.extent.slices;
            const std::size_t pixel = isInside ? grid.pixelAt(x, y, z) : 0;
            memory.values[cell] = isInside ? loadFresh(rule.values + pixel) : Rule::kNone;
            rule.load(memory.rule, cell, isInside, pixel);
        }
    }

    POLLARD_DEVICE void settle(Memory& memory, std::uint32_t tile) const {
        constexpr std::uint32_t kEach = Shape::kEach;
        const Corner corner = cornerOf(tile);
        const std::uint32_t x = threadOfBlock() % Shape::kWidth;
        const std::uint32_t y = threadOfBlock() / Shape::kWidth % (Shape::kHeight / kEach) * kEach;
        const std::uint32_t z = threadOfBlock() / (Shape::kWidth * Shape::kHeight / kEach);
        const std::uint32_t first = (z + Shape::kAround) * Shape::kSlice + (y + 1) * Shape::kRow + x + 1;
        load(memory, corner);
        meetThreads();
        std::uint32_t before[kEach];
        std::uint32_t values[kEach];
        Own own;
        POLLARD_UNROLL
        for (std::uint32_t k = 0; k != kEach; ++k) {
            const std::uint32_t cell = first + k * Shape::kRow;
            before[k] = values[k] = memory.values[cell];
            const bool isInside = corner.x + x < grid.extent.width && corner.y + y + k < grid.extent.height &&
                                  corner.z + z < grid.extent.slices;
            own.set(rule, k, isInside ? grid.pixelAt(corner.x + x, corner.y + y + k, corner.z + z) : 0);
        }
        own.look(memory.rule, first);
        bool hasChanged = true;
        while (anyThread(hasChanged)) {
            hasChanged = false;
            const auto around = Own::around(memory.values + first);
            const auto lower = [&](std::uint32_t k) {
                const std::uint32_t value = own.lowest(around, values, k);
                if (value < values[k] && values[k] != Rule::kNone) {
                    values[k] = value;
                    storeFresh(memory.values + first + k * Shape::kRow, value);
                    hasChanged = true;
                }
            };
            POLLARD_UNROLL
            for (std::uint32_t k = 0; k != kEach; ++k) {
                lower(k);
            }
            POLLARD_UNROLL
            for (std::uint32_t k = kEach - 1; k-- != 0;) {
                lower(k);
            }
        }
        std::uint32_t directions = 0;
        POLLARD_UNROLL
        for (std::uint32_t k = 0; k != kEach; ++k) {
            const std::uint32_t toY = y + k;
            if (values[k] != before[k]) {
                storeFresh(rule.values + grid.pixelAt(corner.x + x, corner.y + toY, corner.z + z), values[k]);
            }
            const bool isNew = values[k] != before[k] || lists.tiles == nullptr; // seeds are new in the first round
            if (isNew && values[k] != Rule::kNone) {
                directions |= directionsOf(memory, corner, first + k * Shape::kRow, values[k], x, toY, z);
            }
        }
        if (directions != 0) {
            static_cast<void>(withBitsSet(&memory.directions, directions));
        }
        meetThreads();
        for (std::uint32_t direction = threadOfBlock(); direction < kDirections; direction += kThreads) {
            if ((memory.directions >> direction & 1U) != 0) {
                schedule(corner, direction);
            }
        }
    }

    /// The tiles beside this one that a pixel concerns.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t directionsOf(const Memory& memory, const Corner& corner,
                                                            std::uint32_t cell, std::uint32_t value, std::uint32_t x,
                                                            std::uint32_t y, std::uint32_t z) const {
        const bool isWithin = x != 0 && x != Shape::kWidth - 1 && y != 0 && y != Shape::kHeight - 1 &&
                              (Shape::kAround == 0 || (z != 0 && z != Shape::kDepth - 1));
        std::uint32_t directions = 0;
        if (isWithin) {
            return directions;
        }
        forNeighbours<Rule::kNeighbours>([&](int dx, int dy, int dz) {
            const auto leaves = [](std::uint32_t at, int by, std::uint32_t size) {
                if constexpr (Rule::kNeighbours == 18) { // a quarter faster; the others are slower by a tenth
                    return at + static_cast<std::uint32_t>(by) >= size;
                } else {
                    return by < 0 ? at == 0 : by > 0 && at == size - 1;
                }
            };
            // Conditions instead of steps that are 0: ptxas of CUDA 13.0 compiles ((p ? 1 : 0) | (q ? 1 : 0)) == 0 || r
            // as (p && q) || r.
            const bool leavesX = leaves(x, dx, Shape::kWidth);
            const bool leavesY = leaves(y, dy, Shape::kHeight);
            const bool leavesZ = leaves(z, dz, Shape::kDepth);
            const std::uint32_t other = cell + static_cast<std::uint32_t>(dz * static_cast<int>(Shape::kSlice) +
                                                                          dy * static_cast<int>(Shape::kRow) + dx);
            if ((leavesX || leavesY || leavesZ) && memory.values[other] != Rule::kNone) {
                const std::size_t pixel = grid.pixelAt(corner.x + x + static_cast<std::uint32_t>(dx),
                                                       corner.y + y + static_cast<std::uint32_t>(dy),
                                                       corner.z + z + static_cast<std::uint32_t>(dz));
                if (rule.concerns(memory.rule, memory.values, cell, value, other, pixel)) {
                    directions |= 1U << directionOf(leavesX ? dx : 0, leavesY ? dy : 0, leavesZ ? dz : 0);
                }
            }
        });
        return directions;
    }

    /// Puts the tile in a direction into the next list.
    POLLARD_DEVICE void schedule(const Corner& corner, std::uint32_t direction) const {
        const std::uint32_t column = corner.column + direction % 3 - 1;
        const std::uint32_t row = corner.row + direction / 3 % 3 - 1;
        const std::uint32_t layer = corner.layer + direction / 9 - 1;
        const std::uint32_t tile = (layer * grid.rows() + row) * grid.columns() + column;
        if (raised(lists.marks + tile, lists.number) < lists.number) {
            lists.next[addTo(&lists.round[1].count, 1)] = tile;
        }
    }
};

} // namespace pollard::cuda
