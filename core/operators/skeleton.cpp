#include "operators/skeleton.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace pollard {
namespace {

/// A set of voxels of a cube of 3 x 3 x 3: bit 9 (z + 1) + 3 (y + 1) + x + 1 is the voxel (x, y, z).
using Cube = std::uint32_t;
constexpr int kCubeVoxels = 27;
constexpr Cube kCentre = Cube{1} << 13U;

constexpr int along(int voxel, int axis) noexcept {
    return axis == 0 ? voxel % 3 - 1 : axis == 1 ? voxel / 3 % 3 - 1 : voxel / 9 - 1;
}

/// For each voxel, the voxels that touch it.
constexpr auto kTouching = [] {
    std::array<Cube, kCubeVoxels> touching{};
    for (int a = 0; a < kCubeVoxels; ++a) {
        for (int b = 0; b < kCubeVoxels; ++b) {
            bool touches = a != b;
            for (int axis = 0; axis < 3; ++axis) {
                const int away = along(a, axis) - along(b, axis);
                touches = touches && away >= -1 && away <= 1;
            }
            touching[static_cast<std::size_t>(a)] |= touches ? Cube{1} << static_cast<unsigned>(b) : 0;
        }
    }
    return touching;
}();

/// The vertices, edges and faces of the voxel in the centre, and itself: the other voxels that share each, and its sign
/// in the Euler number. The cell at (x, y, z) is shared by the voxels that each have 0 or its coordinate along an axis.
struct CellOfVoxel {
    Cube sharing = 0;
    int sign = 1;
};
constexpr auto kCells = [] {
    std::array<CellOfVoxel, kCubeVoxels> cells{};
    for (int cell = 0; cell < kCubeVoxels; ++cell) {
        CellOfVoxel& each = cells[static_cast<std::size_t>(cell)];
        for (int axis = 0; axis < 3; ++axis) {
            each.sign *= along(cell, axis) == 0 ? -1 : 1;
        }
        for (int voxel = 0; voxel < kCubeVoxels; ++voxel) {
            bool shares = voxel != 13;
            for (int axis = 0; axis < 3; ++axis) {
                shares = shares && (along(voxel, axis) == 0 || along(voxel, axis) == along(cell, axis));
            }
            each.sharing |= shares ? Cube{1} << static_cast<unsigned>(voxel) : 0;
        }
    }
    return cells;
}();

/// Whether the Euler number stays without the voxel in the centre.
bool keepsEulerNumber(Cube neighbours) noexcept {
    int change = 0;
    for (const CellOfVoxel& cell : kCells) {
        change += (neighbours & cell.sharing) == 0 ? cell.sign : 0;
    }
    return change == 0;
}

/// Whether the neighbours of the centre are connected without it.
bool areConnected(Cube neighbours) noexcept {
    Cube reached = neighbours & -neighbours;
    for (Cube fresh = reached; fresh != 0;) {
        Cube touching = 0;
        for (; fresh != 0; fresh &= fresh - 1) {
            touching |= kTouching[static_cast<std::size_t>(std::countr_zero(fresh))];
        }
        fresh = touching & neighbours & ~reached;
        reached |= fresh;
    }
    return reached == neighbours;
}

bool isCandidate(Cube neighbours) noexcept {
    return std::popcount(neighbours) != 1 && keepsEulerNumber(neighbours) && areConnected(neighbours);
}

/// A mask with a margin of one pixel of background.
class Thinning {
public:
    Thinning(const Mask& mask, std::uint32_t slices, const JobControl& control)
        : control_(control), rows_(mask.height() / slices), stride_(std::size_t{mask.width()} + 2),
          slice_(stride_ * (std::size_t{rows_} + 2)), isVolume_(slices > 1),
          flags_(slice_ * (std::size_t{slices} + 2), 0) {
        for (std::uint32_t row = 0; row < mask.height(); ++row) {
            const std::size_t first = placeOf(row);
            forEachRun(mask, row, true, [&](std::uint32_t begin, std::uint32_t end) {
                for (std::size_t x = begin; x != end; ++x) {
                    flags_[first + x] = 1;
                    pixels_.push_back(first + x);
                }
            });
        }
    }

    void thin() {
        const auto row = static_cast<std::ptrdiff_t>(stride_);
        const auto slice = static_cast<std::ptrdiff_t>(slice_);
        const std::array<std::ptrdiff_t, 6> directions{-row, row, 1, -1, slice, -slice};
        for (bool changes = true; changes;) {
            changes = false;
            for (std::size_t i = 0; i != (isVolume_ ? 6U : 4U); ++i) {
                changes = thinFrom(directions[i]) || changes;
            }
        }
    }

    [[nodiscard]] Mask result(const Mask& mask) const {
        Mask thin(mask.width(), mask.height(), false);
        for (std::uint32_t row = 0; row < mask.height(); ++row) {
            const std::size_t first = placeOf(row);
            forEachRun(mask, row, true, [&](std::uint32_t begin, std::uint32_t end) {
                for (std::uint32_t x = begin; x != end; ++x) {
                    thin.set(x, row, flags_[first + x] != 0);
                }
            });
        }
        return thin;
    }

private:
    [[nodiscard]] std::size_t placeOf(std::uint32_t row) const {
        return (std::size_t{row / rows_} + 1) * slice_ + (std::size_t{row % rows_} + 1) * stride_ + 1;
    }

    [[nodiscard]] Cube neighboursOf(std::size_t pixel) const {
        Cube cube = 0;
        unsigned bit = isVolume_ ? 0 : 9;
        for (std::size_t z = isVolume_ ? 0 : 1; z != (isVolume_ ? 3U : 2U); ++z) {
            for (std::size_t y = 0; y != 3; ++y) {
                const std::uint8_t* const row = flags_.data() + pixel + z * slice_ + y * stride_ - slice_ - stride_ - 1;
                cube |= (Cube{row[0]} | Cube{row[1]} << 1U | Cube{row[2]} << 2U) << bit;
                bit += 3;
            }
        }
        return cube & ~kCentre;
    }

    /// Removes pixels whose neighbour in a direction is background. @return whether there are any
    bool thinFrom(std::ptrdiff_t direction) {
        candidates_.resize(pixels_.size());
        forEachIndex(
            pixels_.size(), control_,
            [&](std::size_t i) {
                const std::size_t beside = pixels_[i] + static_cast<std::size_t>(direction);
                candidates_[i] = flags_[beside] == 0 && isCandidate(neighboursOf(pixels_[i])) ? 1 : 0;
            },
            4096);
        bool changes = false;
        for (std::size_t i = 0; i != pixels_.size(); ++i) {
            if (candidates_[i] != 0 && areConnected(neighboursOf(pixels_[i]))) {
                flags_[pixels_[i]] = 0;
                changes = true;
            }
        }
        if (changes) {
            std::erase_if(pixels_, [&](std::size_t pixel) { return flags_[pixel] == 0; });
        }
        return changes;
    }

    const JobControl& control_;
    std::uint32_t rows_;
    std::size_t stride_;
    std::size_t slice_;
    bool isVolume_;
    std::vector<std::uint8_t> flags_;
    std::vector<std::size_t> pixels_; ///< of the mask, in raster order
    std::vector<std::uint8_t> candidates_;
};

} // namespace

Mask skeletonOf(const Mask& mask, std::uint32_t slices, const JobControl& control) {
    if (slices == 0 || mask.height() % slices != 0) {
        throw Error(ErrorCode::invalidArgument, "skeleton: the mask has " + std::to_string(mask.height()) +
                                                    " rows, which " + std::to_string(slices) +
                                                    " slices cannot share equally");
    }
    try {
        Thinning thinning(mask, slices, control);
        thinning.thin();
        return thinning.result(mask);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "skeleton: not enough memory for a mask of " +
                                                std::to_string(mask.width()) + " x " + std::to_string(mask.height()) +
                                                " px");
    }
}

} // namespace pollard
