#include "cpu/brick_edges.hpp"

#include <cstddef>

namespace pollard::cpu {

namespace {

constexpr std::uint32_t kRow = kBrick.width();
constexpr std::array<std::uint32_t, 3> kSteps{1, kBrick.rowStart(1, 0), kBrick.rowStart(0, 1)};
using Lanes = std::array<std::uint16_t, kRow>;

// All or no bits of a lane, so that the loops below are vectorised over a row.
constexpr std::uint16_t lane(bool yes) noexcept { return yes ? std::uint16_t{0xffff} : std::uint16_t{0}; }

/// Calls `visit(first voxel, lanes)` with the voxels of every row that have a next one along the axes; the lanes of the
/// others are 0.
template <class Visit> void eachRowOf(const Tile& tile, std::array<bool, 3> next, Visit&& visit) {
    Lanes lanes;
    const std::uint32_t count = tile.width - (next[0] ? 1 : 0);
    for (std::uint32_t x = 0; x < kRow; ++x) {
        lanes[x] = lane(x < count);
    }
    for (std::uint32_t z = 0; z + (next[2] ? 1 : 0) < tile.slices; ++z) {
        for (std::uint32_t y = 0; y + (next[1] ? 1 : 0) < tile.height; ++y) {
            visit(kBrick.rowStart(y, z), lanes);
        }
    }
}

template <int kA, int kB = kA> constexpr std::array<bool, 3> axes() noexcept {
    return {kA == 0 || kB == 0, kA == 1 || kB == 1, kA == 2 || kB == 2};
}

template <int kA, int kB> constexpr std::uint32_t bitOf(int a, int b) noexcept {
    const auto along = [&](int axis) { return kA == axis ? a : kB == axis ? b : 0; };
    return brick::bit(along(0), along(1), along(2));
}

} // namespace

template <Connectivity kConnectivity> template <int kA, int kB>
void BrickEdges<kConnectivity>::dropLastOfSquares(const Tile& tile) noexcept {
    constexpr std::uint32_t kStepA = kSteps[kA];
    constexpr std::uint32_t kStepB = kSteps[kB];
    eachRowOf(tile, axes<kA, kB>(), [&](std::uint32_t first, const Lanes& lanes) {
        const std::uint16_t* const lowA = low_[kA].data() + first;
        const std::uint16_t* const lowB = low_[kB].data() + first;
        std::array<Lanes, 4> last; // of the edges of a square: along a, its parallel, along b, its parallel
        for (std::uint32_t x = 0; x < kRow; ++x) {
            const std::uint16_t m = std::min(std::min(lowA[x], lowA[x + kStepB]), std::min(lowB[x], lowB[x + kStepA]));
            const std::uint16_t isFirst = lane(lowA[x] == m);
            const auto isSecond = static_cast<std::uint16_t>(lane(lowA[x + kStepB] == m) & ~isFirst);
            const auto isThird = static_cast<std::uint16_t>(lane(lowB[x] == m) & ~(isFirst | isSecond));
            last[0][x] = isFirst & lanes[x];
            last[1][x] = isSecond & lanes[x];
            last[2][x] = isThird & lanes[x];
            last[3][x] = static_cast<std::uint16_t>(~(isFirst | isSecond | isThird)) & lanes[x];
        }
        const auto drop = [](std::uint16_t* gone, const Lanes& these) {
            for (std::uint32_t x = 0; x < kRow; ++x) {
                gone[x] |= these[x];
            }
        };
        drop(gone_[kA].data() + first, last[0]);
        drop(gone_[kA].data() + first + kStepB, last[1]);
        drop(gone_[kB].data() + first, last[2]);
        drop(gone_[kB].data() + first + kStepA, last[3]);
    });
}

template <Connectivity kConnectivity> template <int kAxis>
void BrickEdges<kConnectivity>::keepStraight(const Tile& tile) noexcept {
    constexpr std::uint32_t kStep = kSteps[kAxis];
    constexpr std::uint32_t kForth = bitOf<kAxis, kAxis>(1, 1);
    constexpr std::uint32_t kBack = bitOf<kAxis, kAxis>(-1, -1);
    eachRowOf(tile, axes<kAxis>(), [&](std::uint32_t first, const Lanes& lanes) {
        const std::uint16_t* const level = level_.data() + first;
        const std::uint16_t* const gone = gone_[kAxis].data() + first;
        std::uint32_t* const kept = kept_.data() + first;
        std::array<std::uint32_t, kRow> back;
        for (std::uint32_t x = 0; x < kRow; ++x) {
            const auto stays = static_cast<std::uint16_t>(lanes[x] & ~gone[x]);
            const std::uint16_t isUpper = lane(level[x] < level[x + kStep]);
            back[x] = static_cast<std::uint16_t>(stays & ~isUpper) & kBack;
            kept[x] |= static_cast<std::uint16_t>(stays & isUpper) & kForth;
        }
        for (std::uint32_t x = 0; x < kRow; ++x) {
            kept[x + kStep] |= back[x];
        }
    });
}

template <Connectivity kConnectivity> template <int kA, int kB>
void BrickEdges<kConnectivity>::keepFaceDiagonals(const Tile& tile) noexcept {
    constexpr std::uint32_t kStepA = kSteps[kA];
    constexpr std::uint32_t kStepB = kSteps[kB];
    eachRowOf(tile, axes<kA, kB>(), [&](std::uint32_t first, const Lanes& lanes) {
        const std::uint16_t* const level = level_.data() + first;
        Lanes rising;
        Lanes falling;
        std::uint16_t any = 0;
        for (std::uint32_t x = 0; x < kRow; ++x) {
            const std::uint16_t a = level[x];
            const std::uint16_t b = level[x + kStepA];
            const std::uint16_t c = level[x + kStepB];
            const std::uint16_t d = level[x + kStepA + kStepB];
            rising[x] = lane(std::max(b, c) < std::min(a, d)) & lanes[x];
            falling[x] = lane(std::max(a, d) < std::min(b, c)) & lanes[x];
            any = static_cast<std::uint16_t>(any | rising[x] | falling[x]);
        }
        for (std::uint32_t x = 0; any != 0 && x < kRow; ++x) {
            const std::uint32_t p = first + x;
            if (rising[x] != 0) {
                keep(p, p + kStepA + kStepB, bitOf<kA, kB>(1, 1), bitOf<kA, kB>(-1, -1));
            } else if (falling[x] != 0) {
                keep(p + kStepA, p + kStepB, bitOf<kA, kB>(-1, 1), bitOf<kA, kB>(1, -1));
            }
        }
    });
}

template <Connectivity kConnectivity> void BrickEdges<kConnectivity>::keepCubeDiagonals(const Tile& tile) noexcept {
    constexpr std::uint32_t kX = kSteps[0];
    constexpr std::uint32_t kY = kSteps[1];
    constexpr std::uint32_t kZ = kSteps[2];
    // The lower end in raster order of each diagonal, and its direction along x and y; along z it rises.
    struct Diagonal {
        std::uint32_t from;
        int dx;
        int dy;
    };
    constexpr std::array<Diagonal, 4> kDiagonals{{{0, 1, 1}, {kX, -1, 1}, {kY, 1, -1}, {kX + kY, -1, -1}}};
    const auto lengthOf = [](const Diagonal& diagonal) {
        return static_cast<std::uint32_t>(static_cast<int>(kZ) + diagonal.dy * static_cast<int>(kY) +
                                          diagonal.dx * static_cast<int>(kX));
    };
    eachRowOf(tile, {true, true, true}, [&](std::uint32_t first, const Lanes& lanes) {
        std::array<Lanes, 4> low;
        std::array<Lanes, 4> high;
        for (std::size_t k = 0; k < kDiagonals.size(); ++k) {
            const std::uint16_t* const from = level_.data() + first + kDiagonals[k].from;
            const std::uint16_t* const to = from + lengthOf(kDiagonals[k]);
            for (std::uint32_t x = 0; x < kRow; ++x) {
                low[k][x] = std::min(from[x], to[x]);
                high[k][x] = std::max(from[x], to[x]);
            }
        }
        for (std::size_t k = 0; k < kDiagonals.size(); ++k) {
            Lanes stays;
            std::uint16_t any = 0;
            for (std::uint32_t x = 0; x < kRow; ++x) {
                const std::uint16_t others =
                    std::max(high[(k + 1) % 4][x], std::max(high[(k + 2) % 4][x], high[(k + 3) % 4][x]));
                stays[x] = lane(others < low[k][x]) & lanes[x];
                any |= stays[x];
            }
            for (std::uint32_t x = 0; any != 0 && x < kRow; ++x) {
                if (stays[x] != 0) {
                    const auto [from, dx, dy] = kDiagonals[k];
                    const std::uint32_t p = first + x + from;
                    keep(p, p + lengthOf(kDiagonals[k]), brick::bit(dx, dy, 1), brick::bit(-dx, -dy, -1));
                }
            }
        }
    });
}

template <Connectivity kConnectivity> void BrickEdges<kConnectivity>::choose(const Tile& tile) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint16_t* const level = level_.data();
        const std::uint16_t* const next = level + kSteps[axis];
        std::uint16_t* const low = low_[axis].data();
        for (std::uint32_t p = 0; p < kTilePixels; ++p) {
            low[p] = std::min(level[p], next[p]);
        }
        gone_[axis].fill(0);
    }
    kept_.fill(0);
    dropLastOfSquares<0, 1>(tile);
    dropLastOfSquares<0, 2>(tile);
    dropLastOfSquares<1, 2>(tile);
    keepStraight<0>(tile);
    keepStraight<1>(tile);
    keepStraight<2>(tile);
    if constexpr (kConnectivity != Connectivity::six) {
        keepFaceDiagonals<0, 1>(tile);
        keepFaceDiagonals<0, 2>(tile);
        keepFaceDiagonals<1, 2>(tile);
    }
    if constexpr (kConnectivity == Connectivity::twentySix) {
        keepCubeDiagonals(tile);
    }
}

template class BrickEdges<Connectivity::six>;
template class BrickEdges<Connectivity::eighteen>;
template class BrickEdges<Connectivity::twentySix>;

} // namespace pollard::cpu
