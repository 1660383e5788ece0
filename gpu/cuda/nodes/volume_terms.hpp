#pragma once

#include "attributes/formulas.hpp"
#include "attributes/volume_formulas.hpp"
#include "attributes/volume_table.hpp"
#include "base/compiler.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/nodes/pixel_steps.hpp"
#include "cuda/nodes/tile_terms.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

// Terms of voxels, and of pixels and voxels alike, see tile_terms.hpp. The slice is constant in a tile.

namespace pollard::cuda {

/// Members of VolumeSums, in order.
struct VolumeMomentTerms : AddedWords {
    static constexpr bool kInVolumes = true;
    static constexpr int kRows = 9;
    static constexpr int kWords = TileMoments::kWords;

    TermRows rows;
    std::uint32_t height;

    [[nodiscard]] POLLARD_DEVICE static TermWords<kWords> at(std::uint32_t, std::uint32_t, std::uint32_t,
                                                             std::uint32_t dx, std::uint32_t dy) {
        return TileMoments::wordsAt(dx, dy);
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint64_t left, std::uint64_t top,
                               std::uint64_t z) const {
        const TileMoments m = TileMoments::of(words);
        const std::uint64_t x = m.n * left + m.x;
        const std::uint64_t y = m.n * top + m.y;
        rows.add(node, TermValues<kRows>{{x, y, z * m.n, left * (x + m.x) + m.xx, top * (y + m.y) + m.yy, z * z * m.n,
                                          left * y + top * m.x + m.xy, z * x, z * y}});
    }
    [[nodiscard]] POLLARD_HOST_DEVICE TermValues<kRows> ofPixel(std::uint64_t x, std::uint32_t row) const noexcept {
        const std::uint64_t z = row / height;
        const std::uint64_t y = row - z * height;
        return {{x, y, z, x * x, y * y, z * z, x * y, x * z, y * z}};
    }
};

/// The neighbours of a voxel, as a word of neighbourBit().
class VoxelNeighbours {
public:
    /// @param nodes (slices, height, width) node indices
    POLLARD_HOST_DEVICE VoxelNeighbours(const std::uint32_t* nodes, const Extent& extent, std::uint32_t x,
                                        std::uint32_t y, std::uint32_t z) noexcept
        : row_(extent.width), slice_(static_cast<std::ptrdiff_t>(extent.height) * row_),
          at_(nodes + (z * slice_ + y * row_ + x)) {
        inside_ &= x == 0 ? ~kFirstColumn : ~0U;
        inside_ &= x + 1 == extent.width ? ~(kFirstColumn << 2U) : ~0U;
        inside_ &= y == 0 ? ~kFirstRow : ~0U;
        inside_ &= y + 1 == extent.height ? ~(kFirstRow << 6U) : ~0U;
        inside_ &= z == 0 ? ~kFirstSlice : ~0U;
        inside_ &= z + 1 == extent.slices ? ~(kFirstSlice << 18U) : ~0U;
    }

    /// Those that precede the voxel: a neighbour of a larger node, and one of the same node if it comes first in raster
    /// order. One of a diagonal may be in another component; then it is in no full square or cube (see
    /// eulerChangeInVolume()).
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t before() const noexcept {
        return before(std::make_integer_sequence<int, 27>{});
    }

private:
    static constexpr std::uint32_t kFirstColumn = 0x124'9249;
    static constexpr std::uint32_t kFirstRow = 0x1c'0e07;
    static constexpr std::uint32_t kFirstSlice = 0x1ff;
    static constexpr int kSelf = neighbourBit(0, 0, 0);

    template <int... kBits>
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t before(std::integer_sequence<int, kBits...>) const noexcept {
        const std::uint32_t node = *at_;
        return (bitIfBefore<kBits>(node) | ...);
    }
    template <int kBit> [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t bitIfBefore(std::uint32_t node) const noexcept {
        if (kBit == kSelf || (inside_ >> kBit & 1U) == 0) {
            return 0;
        }
        const std::uint32_t there = at_[(kBit / 9 - 1) * slice_ + (kBit / 3 % 3 - 1) * row_ + (kBit % 3 - 1)];
        return (kBit > kSelf ? there > node : there >= node) ? 1U << kBit : 0U;
    }

    std::ptrdiff_t row_, slice_;
    const std::uint32_t* at_;
    std::uint32_t inside_ = (1U << 27U) - 1; ///< neighbours in the volume
};

/// Members of VolumeOutline, one row each, by the changes of the voxels.
struct VolumeOutlineTerms : AddedWords {
    static constexpr bool kInVolumes = true;
    static constexpr int kRows = 2;
    static constexpr int kWords = 2;

    TermRows rows;
    const std::uint32_t* pixelNode;
    std::uint32_t width, height, slices;
    bool sixNeighbours;

    [[nodiscard]] POLLARD_DEVICE TermWords<kWords> at(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t,
                                                      std::uint32_t) const {
        const std::uint32_t before = VoxelNeighbours(pixelNode, {width, height, slices}, x, y, z).before();
        const int euler = eulerChangeInVolume(before, sixNeighbours);
        return {{joined(runsAlong(before, 1, 0, 0), runsAlong(before, 0, 1, 0)),
                 joined(runsAlong(before, 0, 0, 1), euler)}};
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint64_t, std::uint64_t,
                               std::uint64_t) const {
        rows.add(node, TermValues<kRows>{{widened(words[0]), widened(words[1])}});
    }

private:
    static constexpr unsigned kHalf = 16; // both halves are signed, at most 27 per voxel in absolute value
    static_assert(27 * kTileSide * kTileSide < 1U << (kHalf - 1));

    /// Change of the number of runs along an axis.
    [[nodiscard]] POLLARD_DEVICE static int runsAlong(std::uint32_t before, int x, int y, int z) {
        return 1 - static_cast<int>(before >> neighbourBit(x, y, z) & 1U) -
               static_cast<int>(before >> neighbourBit(-x, -y, -z) & 1U);
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t joined(int low, int high) {
        return (static_cast<std::uint32_t>(high) << kHalf) + static_cast<std::uint32_t>(low);
    }
    /// The same with halves of 32 bits.
    [[nodiscard]] POLLARD_DEVICE static std::uint64_t widened(std::uint32_t word) {
        const auto low = static_cast<std::int16_t>(word);
        const auto high = static_cast<std::int16_t>((word - static_cast<std::uint32_t>(low)) >> kHalf);
        return static_cast<std::uint64_t>(std::int64_t{low}) + (static_cast<std::uint64_t>(std::int64_t{high}) << 32U);
    }
};

/// Members of BorderSums, one row each, by the changes of the pixels, or of the voxels.
template <bool kOfVoxels> struct BorderTerms : AddedWords {
    static constexpr bool kInVolumes = kOfVoxels;
    static constexpr int kRows = 3;
    static constexpr int kWords = 5;

    TermRows rows;
    NodePlan plan;
    std::uint32_t height, slices; ///< height of a slice
    std::uint32_t weights[3];     ///< see faceWeights()

    [[nodiscard]] POLLARD_DEVICE TermWords<kWords> at(std::uint32_t x, std::uint32_t y, std::uint32_t dx,
                                                      std::uint32_t dy) const {
        return at(x, y, 0, dx, dy);
    }
    [[nodiscard]] POLLARD_DEVICE TermWords<kWords> at(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t,
                                                      std::uint32_t) const {
        const std::size_t slice = std::size_t{plan.width} * height;
        const std::size_t pixel = z * slice + std::size_t{y} * plan.width + x;
        FaceChange sum{};
        addFaces(sum, pixel, 1, x, plan.width, weights[0]);
        addFaces(sum, pixel, plan.width, y, height, weights[1]);
        if constexpr (kOfVoxels) {
            addFaces(sum, pixel, slice, z, slices, weights[2]);
        }
        return {
            {static_cast<std::uint32_t>(sum.faces), low(sum.steps), high(sum.steps), low(sum.outer), high(sum.outer)}};
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint64_t, std::uint64_t,
                               std::uint64_t = 0) const {
        rows.add(node, TermValues<kRows>{{widened(words[0]), words[1] + (widened(words[2]) << kHalf),
                                          words[3] + (widened(words[4]) << kHalf)}});
    }

private:
    static constexpr unsigned kHalf = 16; ///< upper halves are signed: a term has at most 29 bits and the sign
    static_assert(6 * 1024 * kTileSide * kTileSide < 1U << 31 && kTileSide * kTileSide <= 1U << kHalf);

    POLLARD_DEVICE void addFaces(FaceChange& sum, std::size_t pixel, std::size_t distance, std::uint32_t place,
                                 std::uint32_t places, std::uint32_t faceWeight) const {
        const std::int32_t sign = plan.kind == TreeKind::max ? 1 : -1;
        const std::int32_t own = levelAt(pixel);
        const auto weight = static_cast<std::int32_t>(faceWeight);
        for (int way = 0; way < 2; ++way) {
            if (way == 0 ? place > 0 : place + 1 < places) {
                const std::int32_t other = levelAt(way == 0 ? pixel - distance : pixel + distance);
                const FaceChange change = faceChange(sideOf(own, other, sign), own, other, sign);
                sum.faces += weight * change.faces;
                sum.steps += weight * change.steps;
                sum.outer += weight * change.outer;
            }
        }
    }
    [[nodiscard]] POLLARD_DEVICE std::int32_t levelAt(std::size_t pixel) const {
        return plan.level[plan.pixelNode[pixel]];
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t low(std::int32_t term) {
        return static_cast<std::uint16_t>(term);
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t high(std::int32_t term) {
        return static_cast<std::uint32_t>(term >> kHalf);
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint64_t widened(std::uint32_t sum) {
        return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(sum)});
    }
};

/// Extends the boxes that StartVolumeBoxes has started.
struct VolumeBoxTerms : TileSides {
    static constexpr bool kInVolumes = true;

    VolumeBox* boxes;
    std::uint32_t height;

    [[nodiscard]] POLLARD_DEVICE static TermWords<kWords> at(std::uint32_t, std::uint32_t, std::uint32_t,
                                                             std::uint32_t dx, std::uint32_t dy) {
        return wordsAt(dx, dy);
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint32_t left, std::uint32_t top,
                               std::uint32_t z) const {
        // Sides only move outwards, so a stale value is safe. The back is the slice of the canonical voxel, the last.
        VolumeBox* box = boxes + node;
        lower(&box->slice.left, left + static_cast<std::uint32_t>(lowestBit(words[0])));
        lower(&box->slice.top, top + static_cast<std::uint32_t>(lowestBit(words[1])));
        raiseTo(&box->slice.right, left + highestBit(words[0]));
        raiseTo(&box->slice.bottom, top + highestBit(words[1]));
        lower(&box->front, z);
    }
};

} // namespace pollard::cuda
