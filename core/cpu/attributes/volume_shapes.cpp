#include "cpu/attributes/volume_shapes.hpp"

#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <type_traits>

namespace pollard::cpu {

namespace {

/// Columns, rows and slices of voxel indices without division.
class VoxelPlace {
public:
    explicit VoxelPlace(const Extent& extent) noexcept : inRow_(extent.width), inSlice_(extent.height) {}

    [[nodiscard]] Voxel of(std::uint32_t voxel) const noexcept {
        const std::uint32_t row = inRow_.row(voxel);
        const std::uint32_t z = inSlice_.row(row);
        return {inRow_.column(voxel, row), inSlice_.column(row, z), z};
    }

private:
    PixelPlace inRow_;
    PixelPlace inSlice_;
};

/// Whether sums of order 2 fit 64 bits (see VolumeSums).
bool fits64Bits(const ComponentTree& tree) noexcept {
    const UInt128 side = std::max({tree.width, tree.height, tree.slices});
    return side * side * tree.pixelCount() >> 63 == 0; // below 2^96
}

template <class T> void add(VolumeSums<T>& to, const VolumeSums<T>& from) noexcept {
    to = {to.x + from.x,   to.y + from.y,   to.z + from.z,   to.xx + from.xx, to.yy + from.yy,
          to.zz + from.zz, to.xy + from.xy, to.xz + from.xz, to.yz + from.yz};
}

template <class T>
Buffer<VolumeSums<T>> sumOverComponents(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    Buffer<VolumeSums<T>> sums(tree.nodeCount());
    const VoxelPlace place(tree.extent());
    forEachIndex(sums.size(), control, [&](std::size_t i) {
        VolumeSums<T> own{};
        for (const std::uint32_t p : list.of(i)) {
            const Voxel at = place.of(p);
            const T x = at.x;
            const T y = at.y;
            const T z = at.z;
            add(own, {x, y, z, x * x, y * y, z * z, x * y, x * z, y * z});
        }
        sums[i] = own;
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { add(sums[parent], sums[i]); });
    return sums;
}

/// Finds the neighbours that precede each voxel of a row, as words of neighbourBit(). A neighbour precedes if its node
/// is larger, or if its node is the same and it comes first in raster order. A diagonal neighbour may be in another
/// component; then it is in no full square or cube (see eulerChangeInVolume()).
class PrecedingRows {
public:
    explicit PrecedingRows(const ComponentTree& tree) noexcept
        : nodes_(tree.pixelNode.data()), extent_(tree.extent()) {}

    /// For the voxels [x, x + out.size()) of a row.
    void ofStretch(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::span<std::uint32_t> out) const noexcept {
        std::fill(out.begin(), out.end(), 0);
        const std::uint32_t* own = rowAt(y, z);
        for (int dz = z == 0 ? 0 : -1; dz <= (z + 1 == extent_.slices ? 0 : 1); ++dz) {
            for (int dy = y == 0 ? 0 : -1; dy <= (y + 1 == extent_.height ? 0 : 1); ++dy) {
                const std::uint32_t* other = rowAt(static_cast<std::uint32_t>(static_cast<int>(y) + dy),
                                                   static_cast<std::uint32_t>(static_cast<int>(z) + dz));
                for (int dx = -1; dx <= 1; ++dx) {
                    const int offset = neighbourBit(dx, dy, dz);
                    if (offset != kSelf) {
                        addNeighbour(own, other, x, dx, offset, out);
                    }
                }
            }
        }
    }

private:
    static constexpr int kSelf = neighbourBit(0, 0, 0);

    [[nodiscard]] const std::uint32_t* rowAt(std::uint32_t y, std::uint32_t z) const noexcept {
        return nodes_ + (std::size_t{z} * extent_.height + y) * extent_.width;
    }

    void addNeighbour(const std::uint32_t* own, const std::uint32_t* other, std::uint32_t x, int dx, int bit,
                      std::span<std::uint32_t> out) const noexcept {
        const std::uint32_t after = bit > kSelf ? 1 : 0; // in raster order
        const std::size_t begin = x == 0 && dx < 0 ? 1 : 0;
        const std::size_t end = out.size() - (x + out.size() == extent_.width && dx > 0 ? 1 : 0);
        const std::uint32_t* at = own + x;
        const std::uint32_t* there = other + x + dx;
        for (std::size_t i = begin; i < end; ++i) {
            const bool precedes = after != 0 ? there[i] > at[i] : there[i] >= at[i];
            out[i] |= static_cast<std::uint32_t>(precedes) << bit;
        }
    }

    const std::uint32_t* nodes_;
    Extent extent_;
};

/// Change of an outline by a voxel with these neighbours before it.
VolumeOutline changeBy(std::uint32_t before, bool six) noexcept {
    const auto runs = [before](std::uint32_t mask) { return 1 - std::popcount(before & mask); };
    const auto packed = [](int low, int high) {
        return static_cast<std::uint64_t>(std::int64_t{low}) + (static_cast<std::uint64_t>(std::int64_t{high}) << 32);
    };
    constexpr auto kAlong = [](int x, int y, int z) {
        return 1U << neighbourBit(x, y, z) | 1U << neighbourBit(-x, -y, -z);
    };
    return {packed(runs(kAlong(1, 0, 0)), runs(kAlong(0, 1, 0))),
            packed(runs(kAlong(0, 0, 1)), eulerChangeInVolume(before, six))};
}

} // namespace

Buffer<VolumeBox> volumeBoxesOf(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    Buffer<VolumeBox> boxes(tree.nodeCount());
    const VoxelPlace place(tree.extent());
    forEachIndex(boxes.size(), control, [&](std::size_t i) {
        VolumeBox box{{tree.width, tree.height, 0, 0}, tree.slices, 0};
        for (const std::uint32_t p : list.of(i)) {
            const Voxel at = place.of(p);
            box = joined(box, {{at.x, at.y, at.x, at.y}, at.z, at.z});
        }
        boxes[i] = box;
    });
    sweepUp(tree, control,
            [&](std::uint32_t i, std::uint32_t parent) { boxes[parent] = joined(boxes[parent], boxes[i]); });
    return boxes;
}

NodeVolumeSums volumeSumsOf(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    if (fits64Bits(tree)) {
        return sumOverComponents<std::uint64_t>(tree, list, control);
    }
    return sumOverComponents<UInt128>(tree, list, control);
}

std::uint64_t volumeSumBytes(const ComponentTree& tree) noexcept {
    return (fits64Bits(tree) ? sizeof(VolumeSums<std::uint64_t>) : sizeof(VolumeSums<UInt128>)) * tree.nodeCount();
}

Buffer<PrincipalMoments> principalMomentsOf(const NodeVolumeSums& sums, const Buffer<std::uint32_t>& area,
                                            const VoxelSides& sides, const JobControl& control) {
    Buffer<PrincipalMoments> out(area.size());
    std::visit(
        [&](const auto& of) {
            forEachIndex(area.size(), control, [&](std::size_t i) {
                out[i] = pollard::principalMomentsOf(area[i], volumeMomentsOf(area[i], of[i]), sides);
            });
        },
        sums);
    return out;
}

Buffer<VolumeOutline> volumeOutlinesOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<VolumeOutline> outlines(tree.nodeCount());
    fillAll(outlines.span(), VolumeOutline{}, control);
    const bool six = tree.connectivity == Connectivity::six;
    const PrecedingRows rows(tree);
    const Extent extent = tree.extent();
    forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t kStretch = 2048; // fits the L1 cache
        std::array<std::uint32_t, kStretch> words;
        // Adjacent voxels often share their node and then take one addition.
        std::uint32_t node = tree.pixelNode[begin];
        VolumeOutline change{};
        const auto flush = [&] {
            std::atomic_ref(outlines[node].xy).fetch_add(change.xy, std::memory_order_relaxed);
            std::atomic_ref(outlines[node].zEuler).fetch_add(change.zEuler, std::memory_order_relaxed);
        };
        while (begin != end) {
            const Voxel at = voxelAt(static_cast<std::uint32_t>(begin), extent);
            const std::size_t count = std::min({kStretch, end - begin, std::size_t{extent.width - at.x}});
            rows.ofStretch(at.x, at.y, at.z, std::span(words).first(count));
            for (std::size_t i = 0; i != count; ++i) {
                if (tree.pixelNode[begin + i] != node) {
                    flush();
                    node = tree.pixelNode[begin + i];
                    change = {};
                }
                const VolumeOutline by = changeBy(words[i], six);
                change.xy += by.xy;
                change.zEuler += by.zEuler;
            }
            begin += count;
        }
        flush();
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        outlines[parent].xy += outlines[i].xy;
        outlines[parent].zEuler += outlines[i].zEuler;
    });
    return outlines;
}

} // namespace pollard::cpu
