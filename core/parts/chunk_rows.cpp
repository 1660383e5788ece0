#include "parts/chunk_rows.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace pollard {

void ChunkRows::addRow(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        chunks_.push_back(first + i);
    }
    ends_.push_back(chunks_.size());
}

ChunkRows chunksBetween(const ChunkGrid& grid, std::uint64_t first, std::uint64_t end) {
    if (first >= end || end > grid.count()) {
        throw Error(ErrorCode::invalidArgument, "chunks " + std::to_string(first) + " to " + std::to_string(end) +
                                                    ": there are chunks 0 to " + std::to_string(grid.count() - 1));
    }
    ChunkRows rows;
    while (first < end) {
        const std::uint64_t next = std::min(end, (first / grid.across() + 1) * grid.across());
        rows.addRow(first, next - first);
        first = next;
    }
    return rows;
}

ChunkRows chunksOfBlock(const ChunkGrid& grid, std::uint64_t block, std::uint64_t count) {
    // Halves of a whole power of two of blocks are cut at the longer side until one block is left.
    std::array<std::uint64_t, 3> low{};
    std::array<std::uint64_t, 3> high{grid.across(), grid.down(), grid.deep()};
    while (count > 1) {
        std::size_t axis = 0;
        for (std::size_t each = 1; each < low.size(); ++each) {
            axis = high[each] - low[each] > high[axis] - low[axis] ? each : axis;
        }
        const std::uint64_t before = std::bit_floor(count - 1);
        const std::uint64_t cut = low[axis] + ((high[axis] - low[axis]) * before + count / 2) / count;
        const bool isBefore = block < before;
        (isBefore ? high : low)[axis] = cut;
        block -= isBefore ? 0 : before;
        count = isBefore ? before : count - before;
    }
    ChunkRows rows;
    for (std::uint64_t z = low[2]; z < high[2]; ++z) {
        for (std::uint64_t y = low[1]; y < high[1] && low[0] < high[0]; ++y) {
            rows.addRow((z * grid.down() + y) * grid.across() + low[0], high[0] - low[0]);
        }
    }
    return rows;
}

} // namespace pollard
