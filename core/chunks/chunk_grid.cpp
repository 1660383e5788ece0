#include "chunks/chunk_grid.hpp"

#include "base/error.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string>

namespace pollard {

namespace {

constexpr std::uint64_t pieces(std::uint32_t whole, std::uint32_t piece) noexcept {
    return (std::uint64_t{whole} + piece - 1) / piece;
}

/// First coordinate and length of a layer along one axis.
struct Stretch {
    std::uint32_t first, length;
};
constexpr Stretch layerAlong(std::uint32_t side, int step) noexcept {
    return step == 0 ? Stretch{0, side} : Stretch{step < 0 ? 0 : side - 1, 1};
}

} // namespace

bool Direction::joins(Connectivity connectivity) const noexcept {
    const int steps = std::abs(x()) + std::abs(y()) + std::abs(z());
    switch (connectivity) {
    case Connectivity::four:
    case Connectivity::six:
        return steps == 1;
    case Connectivity::eighteen:
        return steps == 1 || steps == 2;
    case Connectivity::eight:
    case Connectivity::twentySix:
        break;
    }
    return steps >= 1;
}

ChunkGrid::ChunkGrid(const Extent& whole, const Extent& chunk) : whole_(whole), chunk_(chunk) {
    if (std::min({whole.width, whole.height, whole.slices, chunk.width, chunk.height, chunk.slices}) == 0) {
        throw Error(ErrorCode::invalidArgument, "chunks of an image: a side is 0");
    }
    chunk_ = {std::min(chunk.width, whole.width), std::min(chunk.height, whole.height),
              std::min(chunk.slices, whole.slices)};
    if (chunk_.pixelCount() > Image::kMaxPixels) {
        throw Error(ErrorCode::limitExceeded,
                    "chunks of " + text(chunk_) + ": more than " + std::to_string(Image::kMaxPixels) + " pixels");
    }
    across_ = pieces(whole.width, chunk_.width);
    down_ = pieces(whole.height, chunk_.height);
    deep_ = pieces(whole.slices, chunk_.slices);
}

ChunkBox ChunkGrid::boxOf(std::uint64_t number) const noexcept {
    const auto place = [](std::uint64_t index, std::uint32_t piece) {
        return static_cast<std::uint32_t>(index * piece);
    };
    ChunkBox box{place(number % across_, chunk_.width),
                 place(number / across_ % down_, chunk_.height),
                 place(number / across_ / down_, chunk_.slices),
                 {}};
    box.extent = {std::min(chunk_.width, whole_.width - box.x), std::min(chunk_.height, whole_.height - box.y),
                  std::min(chunk_.slices, whole_.slices - box.z)};
    return box;
}

std::optional<std::uint64_t> ChunkGrid::neighbour(std::uint64_t number, Direction direction) const noexcept {
    // Unsigned sums wrap around to large numbers below 0.
    const std::uint64_t i = number % across_ + static_cast<std::uint64_t>(direction.x());
    const std::uint64_t j = number / across_ % down_ + static_cast<std::uint64_t>(direction.y());
    const std::uint64_t k = number / across_ / down_ + static_cast<std::uint64_t>(direction.z());
    if (i >= across_ || j >= down_ || k >= deep_) {
        return std::nullopt;
    }
    return (k * down_ + j) * across_ + i;
}

std::vector<Direction> ChunkGrid::seamsOf(std::uint64_t number, Connectivity connectivity) const {
    std::vector<Direction> seams;
    for (std::uint8_t index = 0; index < Direction::kCount; ++index) {
        const Direction direction{index};
        if (direction.joins(connectivity) && neighbour(number, direction)) {
            seams.push_back(direction);
        }
    }
    return seams;
}

SeamLayer SeamLayer::of(const Extent& chunk, Direction direction) noexcept {
    const Stretch x = layerAlong(chunk.width, direction.x());
    const Stretch y = layerAlong(chunk.height, direction.y());
    const Stretch z = layerAlong(chunk.slices, direction.z());
    return {x.first, y.first, z.first, {x.length, y.length, z.length}};
}

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
