#include "cpu/attributes/borders.hpp"

#include "attributes/volume_formulas.hpp"
#include "base/parallel.hpp"
#include "image/image.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace pollard::cpu {

namespace {

/// Changes of BorderSums by the pixels of a stretch of a row.
class StretchChanges {
public:
    static constexpr std::size_t kMost = 1024; ///< pixels of a stretch; all arrays fit the L1 cache

    StretchChanges(const ComponentTree& tree, std::span<const std::uint16_t> values) noexcept
        : tree_(tree), values_(values), extent_(tree.extent()),
          weights_(faceWeights(tree.slices > 1 ? tree.sides : VoxelSides{})),
          sign_(tree.kind == TreeKind::max ? 1 : -1) {}

    /// Computes them for the pixels [first, first + count) of one row.
    void compute(std::size_t first, std::size_t count) noexcept {
        for (Sums* sums : {&faces_, &steps_, &outer_}) {
            std::fill_n(sums->begin(), count, 0);
        }
        const Voxel at = voxelAt(static_cast<std::uint32_t>(first), extent_);
        const std::size_t before = at.x > 0 ? 1 : 0;
        const std::size_t after = at.x + count < extent_.width ? 1 : 0;
        read(first - before, before + count + after, own_);
        const std::size_t alone = 1 - before; // the first pixel has no neighbour on its left
        addFaces(1, own_, 0, alone, count - alone, weights_[0]);
        addFaces(before, own_, before + 1, 0, count - 1 + after, weights_[0]);
        const auto addRows = [&](std::uint32_t place, std::uint32_t places, std::size_t distance,
                                 std::uint32_t weight) {
            if (place > 0) {
                read(first - distance, count, other_);
                addFaces(before, other_, 0, 0, count, weight);
            }
            if (place + 1 < places) {
                read(first + distance, count, other_);
                addFaces(before, other_, 0, 0, count, weight);
            }
        };
        addRows(at.y, extent_.height, extent_.width, weights_[1]);
        addRows(at.z, extent_.slices, extent_.slicePixels(), weights_[2]);
    }

    /// By the i-th pixel of the stretch, modulo 2^64.
    [[nodiscard]] BorderSums operator[](std::size_t i) const noexcept {
        const auto wide = [](std::int32_t sum) { return static_cast<std::uint64_t>(std::int64_t{sum}); };
        return {wide(faces_[i]), wide(steps_[i]), wide(outer_[i])};
    }

private:
    struct Row {
        std::array<std::uint16_t, kMost + 2> level{};
        std::array<std::uint16_t, kMost + 2> value{};
    };
    /// 32 bits suffice: 6 faces of the weight 1024 with 16 bits.
    using Sums = std::array<std::int32_t, kMost>;

    void read(std::size_t first, std::size_t count, Row& row) const noexcept {
        for (std::size_t i = 0; i != count; ++i) {
            row.level[i] = tree_.level[tree_.pixelNode[first + i]];
            row.value[i] = values_.empty() ? row.level[i] : values_[row.level[i]];
        }
    }

    /// Adds the faces between `own_[begin + i]` and `other[otherBegin + i]` to the sums of the pixels from @p pixel on.
    void addFaces(std::size_t begin, const Row& other, std::size_t otherBegin, std::size_t pixel, std::size_t count,
                  std::uint32_t faceWeight) noexcept {
        const std::uint16_t* const level = own_.level.data() + begin;
        const std::uint16_t* const value = own_.value.data() + begin;
        const std::uint16_t* const otherLevel = other.level.data() + otherBegin;
        const std::uint16_t* const otherValue = other.value.data() + otherBegin;
        std::int32_t* const faces = faces_.data() + pixel;
        std::int32_t* const steps = steps_.data() + pixel;
        std::int32_t* const outer = outer_.data() + pixel;
        const std::int32_t sign = sign_;
        const auto weight = static_cast<std::int32_t>(faceWeight);
        const auto weighted = [weight](std::int32_t term) { return weight == 1 ? term : weight * term; };
        for (std::size_t i = 0; i < count; ++i) {
            const FaceChange change = faceChange(sideOf(level[i], otherLevel[i], sign), value[i], otherValue[i], sign);
            faces[i] += weighted(change.faces);
            steps[i] += weighted(change.steps);
            outer[i] += weighted(change.outer);
        }
    }

    const ComponentTree& tree_;
    std::span<const std::uint16_t> values_;
    Extent extent_;
    std::array<std::uint32_t, 3> weights_;
    std::int32_t sign_;
    Row own_, other_;
    Sums faces_{}, steps_{}, outer_{};
};

} // namespace

Buffer<BorderSums> borderSumsOf(const ComponentTree& tree, const JobControl& control,
                                std::span<const std::uint16_t> values) {
    Buffer<BorderSums> sums(tree.nodeCount());
    fillAll(sums.span(), BorderSums{}, control);
    forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
        StretchChanges changes(tree, values);
        // Adjacent pixels often share their node and then take one addition.
        std::uint32_t node = tree.pixelNode[begin];
        BorderSums change{};
        const auto flush = [&] {
            if ((change.faces | change.steps | change.outer) != 0) {
                std::atomic_ref(sums[node].faces).fetch_add(change.faces, std::memory_order_relaxed);
                std::atomic_ref(sums[node].steps).fetch_add(change.steps, std::memory_order_relaxed);
                std::atomic_ref(sums[node].outer).fetch_add(change.outer, std::memory_order_relaxed);
            }
        };
        while (begin != end) {
            const std::size_t count = std::min({StretchChanges::kMost, end - begin, tree.width - begin % tree.width});
            changes.compute(begin, count);
            for (std::size_t i = 0; i != count; ++i) {
                if (tree.pixelNode[begin + i] != node) {
                    flush();
                    node = tree.pixelNode[begin + i];
                    change = {};
                }
                change += changes[i];
            }
            begin += count;
        }
        flush();
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { sums[parent] += sums[i]; });
    return sums;
}

} // namespace pollard::cpu
