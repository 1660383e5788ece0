#include "cpu/tile_edges.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace pollard::cpu {

namespace {

constexpr std::uint32_t kRow = kBrick.width();
constexpr std::array<std::uint32_t, 3> kSteps{1, kBrick.rowStart(1, 0), kBrick.rowStart(0, 1)};

/// Half a row. The compiler turns the operators into vector instructions; a comparison sets all bits of a lane or none.
constexpr std::uint32_t kLanes = kRow / 2;
using Lanes [[gnu::vector_size(16)]] = std::int16_t;

template <class T> Lanes load(const T* from) noexcept {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
template <class T> void store(const Lanes& lanes, T* to) noexcept { std::memcpy(to, &lanes, sizeof lanes); }

constexpr std::int16_t kLowest = -0x8000;
/// Levels, shifted so that signed comparisons order them.
Lanes loadLevels(const std::uint16_t* from) noexcept { return load(from) ^ kLowest; }
Lanes lower(const Lanes& a, const Lanes& b) noexcept { return a < b ? a : b; }
Lanes higher(const Lanes& a, const Lanes& b) noexcept { return a < b ? b : a; }

/// Directions along the axes a and b, as they stand in the word for them.
template <int kA, int kB> constexpr std::int16_t bitOf(int a, int b) noexcept {
    const auto along = [&](int axis) { return kA == axis ? a : kB == axis ? b : 0; };
    const std::uint32_t bit = brick::bit(along(0), along(1), along(2));
    return static_cast<std::int16_t>(bit >> brick::kFirstAlongFace != 0 ? bit >> brick::kFirstAlongFace : bit);
}
template <int kAxis> constexpr std::int16_t bitOf(int along) noexcept { return bitOf<kAxis, kAxis>(along, along); }
constexpr std::int16_t cubeBit(int dx, int dy, int dz) noexcept {
    return static_cast<std::int16_t>(brick::bit(dx, dy, dz));
}

/// The lanes of a row whose voxels have a next voxel in the row.
struct RowMask {
    explicit RowMask(const Tile& tile) noexcept {
        for (std::uint32_t x = 0; x < kRow; ++x) {
            lanes[x] = x + 1 < tile.width ? std::int16_t{-1} : std::int16_t{0};
        }
    }
    std::array<std::int16_t, kRow> lanes;
};

/// Calls `visit(voxel, x)` with the first voxel of every half of a row.
template <class Visit> void eachHalf(std::uint32_t row, Visit&& visit) {
    for (std::uint32_t x = 0; x < kRow; x += kLanes) {
        visit(row + x, x);
    }
}

/// For each unit square whose first voxel is at @p level, the diagonal that stays, as a direction from the end that
/// keeps it.
template <int kA, int kB> Lanes diagonalsOfSquares(const std::uint16_t* level) noexcept {
    const Lanes a = loadLevels(level);
    const Lanes b = loadLevels(level + kSteps[kA]);
    const Lanes c = loadLevels(level + kSteps[kB]);
    const Lanes d = loadLevels(level + kSteps[kA] + kSteps[kB]);
    const Lanes rising = higher(b, c) < lower(a, d);
    const Lanes falling = higher(a, d) < lower(b, c);
    const Lanes ad = a < d;
    const Lanes bc = b < c;
    return (rising & ((ad & bitOf<kA, kB>(1, 1)) | (~ad & bitOf<kA, kB>(-1, -1)))) |
           (falling & ((bc & bitOf<kA, kB>(-1, 1)) | (~bc & bitOf<kA, kB>(1, -1))));
}

/// The same for each unit cube.
Lanes diagonalsOfCubes(const std::uint16_t* level) noexcept {
    constexpr std::uint32_t kX = kSteps[0];
    constexpr std::uint32_t kY = kSteps[1];
    constexpr std::uint32_t kOpposite = kX + kY + kSteps[2];
    const auto between = [level](std::uint32_t from) {
        return std::pair(loadLevels(level + from), loadLevels(level + kOpposite - from));
    };
    const auto [a0, a1] = between(0);
    const auto [b0, b1] = between(kX);
    const auto [c0, c1] = between(kY);
    const auto [d0, d1] = between(kX + kY);
    const auto stays = [](const Lanes& from, const Lanes& to, const Lanes& others, std::int16_t forth,
                          std::int16_t back) {
        const Lanes isUpper = from < to;
        return (others < lower(from, to)) & ((isUpper & forth) | (~isUpper & back));
    };
    const Lanes a = higher(a0, a1);
    const Lanes b = higher(b0, b1);
    const Lanes c = higher(c0, c1);
    const Lanes d = higher(d0, d1);
    const Lanes ab = higher(a, b);
    const Lanes cd = higher(c, d);
    return stays(a0, a1, higher(b, cd), cubeBit(1, 1, 1), cubeBit(-1, -1, -1)) |
           stays(b0, b1, higher(a, cd), cubeBit(-1, 1, 1), cubeBit(1, -1, -1)) |
           stays(c0, c1, higher(d, ab), cubeBit(1, -1, 1), cubeBit(-1, 1, -1)) |
           stays(d0, d1, higher(c, ab), cubeBit(-1, -1, 1), cubeBit(1, 1, -1));
}

} // namespace

/// Levels of the straight edges. Edges along x that leave the brick get the lowest level, so that no other edge of
/// their squares is dropped.
template <Connectivity kConnectivity> void BrickEdges<kConnectivity>::findLows(const Tile& tile) noexcept {
    const RowMask inside(tile);
    for (std::uint32_t z = 0; z < tile.slices; ++z) {
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            const auto leaving =
                static_cast<std::int16_t>((y + 1 < tile.height ? 0 : 2) + (z + 1 < tile.slices ? 0 : 4));
            eachHalf(kBrick.rowStart(y, z), [&](std::uint32_t p, std::uint32_t x) {
                const std::uint16_t* const level = level_.data() + p;
                const Lanes here = loadLevels(level);
                const Lanes hasNext = load(&inside.lanes[x]);
                const Lanes alongX = lower(here, loadLevels(level + kSteps[0]));
                store((alongX & hasNext) | (kLowest & ~hasNext), &low_[0][p]);
                store(lower(here, loadLevels(level + kSteps[1])), &low_[1][p]);
                store(lower(here, loadLevels(level + kSteps[2])), &low_[2][p]);
                store((~hasNext & 1) | leaving, &gone_[p]);
            });
        }
    }
    goneBeside_.fill(0);
}

template <Connectivity kConnectivity> template <int kA, int kB>
void BrickEdges<kConnectivity>::dropLastOfSquares(const Tile& tile) noexcept {
    constexpr std::uint32_t kStepA = kSteps[kA];
    constexpr std::uint32_t kStepB = kSteps[kB];
    constexpr std::int16_t kAlongA = 1 << kA;
    constexpr std::int16_t kAlongB = 1 << kB;
    // A vector that overlaps one just stored is slow to load, hence another array for squares along x.
    auto& goneBeside = kA == 0 ? goneBeside_ : gone_;
    const auto drop = [](const Lanes& edges, std::uint16_t* gone) { store(load(gone) | edges, gone); };
    for (std::uint32_t z = 0; z + (kB == 2 ? 1 : 0) < tile.slices; ++z) {
        for (std::uint32_t y = 0; y + (kB == 1 || kA == 1 ? 1 : 0) < tile.height; ++y) {
            eachHalf(kBrick.rowStart(y, z), [&](std::uint32_t p, std::uint32_t) {
                const Lanes a = load(&low_[kA][p]);
                const Lanes nextA = load(&low_[kA][p + kStepB]);
                const Lanes b = load(&low_[kB][p]);
                const Lanes nextB = load(&low_[kB][p + kStepA]);
                const Lanes last = lower(lower(a, nextA), lower(b, nextB));
                const Lanes isFirst = a == last;
                const Lanes isSecond = (nextA == last) & ~isFirst;
                const Lanes isThird = (b == last) & ~(isFirst | isSecond);
                const Lanes isFourth = ~(isFirst | isSecond | isThird);
                drop((isFirst & kAlongA) | (isThird & kAlongB), &gone_[p]);
                drop(isSecond & kAlongA, &gone_[p + kStepB]);
                drop(isFourth & kAlongB, &goneBeside[p + kStepA]);
            });
        }
    }
}

/// Sets oriented_. An edge is kept at the later of its ends.
template <Connectivity kConnectivity> void BrickEdges<kConnectivity>::orientEdges(const Tile& tile) noexcept {
    const RowMask inside(tile);
    for (auto& word : oriented_) {
        word.fill(0);
    }
    for (std::uint32_t z = 0; z < tile.slices; ++z) {
        const bool hasNextSlice = z + 1 < tile.slices;
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            const bool hasNextRow = y + 1 < tile.height;
            eachHalf(kBrick.rowStart(y, z), [&](std::uint32_t p, std::uint32_t x) {
                const std::uint16_t* const level = level_.data() + p;
                const Lanes here = loadLevels(level);
                const Lanes gone = load(&gone_[p]) | load(&goneBeside_[p]);
                const auto straight = [&]<int kAxis>() {
                    constexpr std::int16_t kAlong = 1 << kAxis;
                    const Lanes stays = (gone & kAlong) == 0;
                    const Lanes isUpper = here < loadLevels(level + kSteps[kAxis]);
                    return stays & ((isUpper & bitOf<kAxis>(1)) | (~isUpper & bitOf<kAxis>(-1)));
                };
                Lanes edges = straight.template operator()<0>() | straight.template operator()<1>() |
                              straight.template operator()<2>();
                [[maybe_unused]] const Lanes hasNext = load(&inside.lanes[x]);
                if constexpr (kConnectivity == Connectivity::twentySix) {
                    if (hasNextRow && hasNextSlice) {
                        edges |= diagonalsOfCubes(level) & hasNext;
                    }
                }
                store(edges, &oriented_[0][kFrame + p]);
                if constexpr (kConnectivity != Connectivity::six) {
                    Lanes diagonals{};
                    if (hasNextRow) {
                        diagonals |= diagonalsOfSquares<0, 1>(level) & hasNext;
                    }
                    if (hasNextSlice) {
                        diagonals |= diagonalsOfSquares<0, 2>(level) & hasNext;
                    }
                    if (hasNextRow && hasNextSlice) {
                        diagonals |= diagonalsOfSquares<1, 2>(level);
                    }
                    store(diagonals, &oriented_[1][kFrame + p]);
                }
            });
        }
    }
}

/// Collects the edges that each voxel keeps, in all directions of a word.
template <Connectivity kConnectivity> template <std::size_t kWord> void BrickEdges<kConnectivity>::gather() noexcept {
    constexpr std::size_t kFirst = kWord * brick::kFirstAlongFace;
    constexpr std::size_t kCount = kWord == 1                                 ? 12
                                   : kConnectivity == Connectivity::twentySix ? 14
                                                                              : brick::kFirstThroughCube;
    for (std::uint32_t p = 0; p < kTilePixels; p += kLanes) {
        const std::uint16_t* const oriented = oriented_[kWord].data() + kFrame + p;
        [&]<std::size_t... kDirection>(std::index_sequence<kDirection...>) {
            const Lanes edges =
                ((load(oriented + brick::kAll.corners[kFirst + kDirection]) & std::int16_t{1 << kDirection}) | ...);
            store(edges, &kept_[kWord][p]);
        }
        (std::make_index_sequence<kCount>{});
    }
}

template <Connectivity kConnectivity> void BrickEdges<kConnectivity>::choose(const Tile& tile) noexcept {
    findLows(tile);
    dropLastOfSquares<0, 1>(tile);
    dropLastOfSquares<0, 2>(tile);
    dropLastOfSquares<1, 2>(tile);
    orientEdges(tile);
    gather<0>();
    if constexpr (kConnectivity != Connectivity::six) {
        gather<1>();
    }
}

template class BrickEdges<Connectivity::six>;
template class BrickEdges<Connectivity::eighteen>;
template class BrickEdges<Connectivity::twentySix>;

namespace {

// All or no bits of a lane, so that the loops below are vectorised over eight pixels.
constexpr std::uint16_t lane(bool yes) noexcept { return yes ? std::uint16_t{0xffff} : std::uint16_t{0}; }

} // namespace

template <bool kEight> void TileEdges<kEight>::choose(const Tile& tile) noexcept {
    constexpr std::ptrdiff_t kSide = kShape.width();
    std::array<std::uint16_t, kSide> minimum{};        // of x and x + 1 in the row
    std::array<std::uint16_t, kSide + 1> acrossRow{};  // shifted by one: whether edge (x - 1, x) of the row stays
    std::array<std::uint16_t, kSide + 1> edgesOf{};    // edges of the row's pixels so far
    std::array<std::uint16_t, kSide + 1> edgesAbove{}; // edges of the previous row's pixels
    for (std::uint32_t y = 0; y < tile.height; ++y) {
        const std::uint16_t* here = levelsFrom(y * kShape.width());
        // If the lower edge of a square is not higher than the upper one, it is dropped.
        const std::uint16_t isFirst = lane(y == 0);
        for (std::ptrdiff_t x = 0; x < kSide; ++x) {
            const std::uint16_t m = std::min(here[x], here[x + 1]);
            acrossRow[x + 1] = static_cast<std::uint16_t>(isFirst | lane(m > minimum[x]));
            minimum[x] = m;
        }
        std::fill(acrossRow.begin() + tile.width, acrossRow.end(), std::uint16_t{0});
        for (std::ptrdiff_t x = 0; x < kSide; ++x) {
            edgesOf[x] = static_cast<std::uint16_t>((acrossRow[x + 1] & lane(here[x] < here[x + 1]) & kRight) |
                                                    (acrossRow[x] & lane(here[x - 1] >= here[x]) & kLeft));
        }
        if (y != 0) {
            // In other squares, the edge down from the lower of the two upper pixels is dropped, at a tie the right
            // one.
            const std::uint16_t* above = here - kSide;
            for (std::ptrdiff_t x = 0; x < kSide; ++x) {
                const auto gone = static_cast<std::uint16_t>((acrossRow[x + 1] & lane(above[x] < above[x + 1])) |
                                                             (acrossRow[x] & lane(above[x] <= above[x - 1])));
                const std::uint16_t isUpper = lane(above[x] < here[x]);
                edgesAbove[x] = static_cast<std::uint16_t>(edgesAbove[x] | (isUpper & ~gone & kDown));
                edgesOf[x] = static_cast<std::uint16_t>(edgesOf[x] | (~isUpper & ~gone & kUp));
            }
            if constexpr (kEight) {
                for (std::uint32_t x = 0; x + 1 < tile.width; ++x) {
                    const std::uint16_t falling = std::min(above[x], here[x + 1]);
                    if (above[x + 1] < falling && here[x] < falling) {
                        const bool isUpper = above[x] < here[x + 1];
                        edgesAbove[x] = static_cast<std::uint16_t>(edgesAbove[x] | (isUpper ? kDownRight : 0));
                        edgesOf[x + 1] = static_cast<std::uint16_t>(edgesOf[x + 1] | (isUpper ? 0 : kUpLeft));
                    }
                    const std::uint16_t rising = std::min(above[x + 1], here[x]);
                    if (above[x] < rising && here[x + 1] < rising) {
                        const bool isUpper = above[x + 1] < here[x];
                        edgesAbove[x + 1] = static_cast<std::uint16_t>(edgesAbove[x + 1] | (isUpper ? kDownLeft : 0));
                        edgesOf[x] = static_cast<std::uint16_t>(edgesOf[x] | (isUpper ? 0 : kUpRight));
                    }
                }
            }
            std::copy_n(edgesAbove.begin(), kSide, kept_.begin() + (y - 1) * kShape.width());
        }
        edgesAbove = edgesOf;
    }
    std::copy_n(edgesAbove.begin(), kSide, kept_.begin() + (tile.height - 1) * kShape.width());
}

template class TileEdges<false>;
template class TileEdges<true>;

} // namespace pollard::cpu
