#include "cpu/tile_edges.hpp"

#include <algorithm>
#include <cstddef>

namespace pollard::cpu {

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
