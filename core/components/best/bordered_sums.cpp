#include "components/best/bordered_sums.hpp"

#include "attributes/volume_formulas.hpp"
#include "base/parallel.hpp"
#include "components/best/best_cut.hpp"
#include "components/best/smoothing.hpp"
#include "tree/tree_sweeps.hpp"

#include <atomic>
#include <cmath>
#include <numbers>

namespace pollard {

namespace {

constexpr double kChainStep = 1.04; ///< of areas

void addTo(std::uint64_t& sum, std::uint64_t value) noexcept {
    std::atomic_ref(sum).fetch_add(value, std::memory_order_relaxed);
}

void addTo(BorderedSums& sums, const BorderedSums& more) noexcept {
    addTo(sums.pixels.area, more.pixels.area);
    addTo(sums.pixels.x, more.pixels.x);
    addTo(sums.pixels.y, more.pixels.y);
    addTo(sums.pixels.xx, more.pixels.xx);
    addTo(sums.pixels.xy, more.pixels.xy);
    addTo(sums.pixels.yy, more.pixels.yy);
    if (more.slices.z != 0) {
        addTo(sums.slices.z, more.slices.z);
        addTo(sums.slices.zz, more.slices.zz);
        addTo(sums.slices.xz, more.slices.xz);
        addTo(sums.slices.yz, more.slices.yz);
    }
    addTo(sums.grey, more.grey);
}

/// Adds the parts of rows and of borders to the candidates in which they begin or end.
class CandidateSums {
public:
    CandidateSums(NodeCandidates& candidates, const ComponentTree& tree, const Brightness& image,
                  const JobControl& control)
        : sums_(candidates.sums), tree_(tree), image_(image), extent_(tree.extent()), rule_(image.levels.sides()),
          lowest_(tree.nodeCount()) {
        forEachIndex(lowest_.size(), control, [&](std::size_t i) { lowest_[i] = CutForest::kNone; });
        for (std::size_t i = 0; i < candidates.nodes.size(); ++i) {
            lowest_[candidates.nodes[i]] = static_cast<std::uint32_t>(i);
        }
        sweepDown(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
            if (lowest_[node] == CutForest::kNone) {
                lowest_[node] = lowest_[parent];
            }
        });
    }

    /// @param row of all slices
    void addRow(std::uint32_t row) {
        const std::uint32_t width = extent_.width;
        const std::uint32_t start = row * width;
        const std::uint32_t y = row % extent_.height;
        const std::uint32_t z = row / extent_.height;
        for (std::uint32_t x = 0; x < width;) {
            const std::uint32_t candidate = candidateOf(start + x);
            const std::uint32_t first = x;
            std::uint64_t grey = 0;
            for (; x < width && candidateOf(start + x) == candidate; ++x) {
                grey += image_.fine[start + x];
            }
            if (candidate == CutForest::kNone) {
                continue;
            }
            const PixelSums run = sumsOfRun(first, x, y);
            addTo(sums_[candidate], {run, sliceSumsOf(run, z), grey});
            for (std::uint32_t each = first; each < x; ++each) {
                forEachSide({each, y, z}, extent_, rule_,
                            [&](const SidePixels& side) { addSide(candidate, start + each, side); });
            }
        }
    }

private:
    [[nodiscard]] std::uint32_t candidateOf(std::uint32_t pixel) const noexcept {
        return lowest_[tree_.pixelNode[pixel]];
    }

    /// @param candidate of @p pixel
    void addSide(std::uint32_t candidate, std::uint32_t pixel, const SidePixels& side) {
        const std::span<const std::uint8_t> levels = image_.levels.pixels<std::uint8_t>();
        if (levels[side.next] >= levels[pixel]) {
            return;
        }
        const std::uint32_t end = candidateOf(side.next);
        if (end == candidate) {
            return;
        }
        const std::uint64_t weight = side.weight;
        const std::uint64_t outer = weight * image_.fine[side.after];
        std::uint64_t inner = weight * image_.fine[pixel];
        if (levels[side.before] >= levels[pixel]) {
            inner = weight * image_.fine[side.before];
            addBorder(candidate, weight, inner, outer);
        } else {
            addBorder(candidate, weight, inner, outer);
            if (levels[side.before] > levels[side.next]) {
                const std::uint64_t before = weight * image_.fine[side.before];
                addBorder(candidateOf(side.before), 0, before - inner, 0);
                inner = before;
            }
        }
        addBorder(end, std::uint64_t{0} - weight, std::uint64_t{0} - inner, std::uint64_t{0} - outer);
    }

    /// Numbers modulo 2^64, which may be negative.
    void addBorder(std::uint32_t candidate, std::uint64_t sides, std::uint64_t inner, std::uint64_t outer) noexcept {
        if (candidate != CutForest::kNone) {
            addTo(sums_[candidate].sides, sides);
            addTo(sums_[candidate].inner, inner);
            addTo(sums_[candidate].outer, outer);
        }
    }

    std::vector<BorderedSums>& sums_;
    const ComponentTree& tree_;
    const Brightness& image_;
    Extent extent_;
    SideRule rule_;
    Buffer<std::uint32_t> lowest_; ///< per node: the smallest candidate that contains it
};

} // namespace

void BorderedSums::addPixels(const BorderedSums& other) noexcept {
    pixels += other.pixels;
    slices.z += other.slices.z;
    slices.zz += other.slices.zz;
    slices.xz += other.slices.xz;
    slices.yz += other.slices.yz;
    grey += other.grey;
}

BorderedSums& BorderedSums::operator+=(const BorderedSums& other) noexcept {
    addPixels(other);
    sides += other.sides;
    inner += other.inner;
    outer += other.outer;
    return *this;
}

double BorderedSums::borderContrast() const noexcept {
    const double difference = static_cast<double>(inner) - static_cast<double>(outer);
    return sides == 0 ? 0 : difference / static_cast<double>(sides) / Brightness::kFull;
}

double BorderedSums::mean() const noexcept {
    return static_cast<double>(grey) / static_cast<double>(pixels.area) / Brightness::kFull;
}

double BorderedSums::contrast() const noexcept {
    return sides == 0 ? 0 : mean() - static_cast<double>(outer) / static_cast<double>(sides) / Brightness::kFull;
}

double BorderedSums::misfit() const noexcept {
    const Ellipse ellipse = ellipseOf(pixels);
    return 1 - static_cast<double>(pixels.area) / (std::numbers::pi / 4 * ellipse.major * ellipse.minor);
}

double BorderedSums::misfitInVolume() const noexcept {
    const VolumeSums<std::uint64_t> sums{pixels.x,  pixels.y,  slices.z,  pixels.xx, pixels.yy,
                                         slices.zz, pixels.xy, slices.xz, slices.yz};
    const PrincipalMoments moments = principalMomentsOf(pixels.area, volumeMomentsOf(pixels.area, sums));
    const double axes =
        ellipsoidAxisOf(moments.first) * ellipsoidAxisOf(moments.second) * ellipsoidAxisOf(moments.third);
    const double share = cubeRootOf(static_cast<double>(pixels.area) / (std::numbers::pi / 6 * axes));
    return 1 - share * share;
}

SideRule::SideRule(const VoxelSides& sides) noexcept {
    constexpr double kLongest = 1.5; // of a voxel whose second centre is nearer to 1.5 of the smallest sides
    const VoxelSides shares = inSmallestSide(sides);
    isNear = {shares.x > kLongest, shares.y > kLongest, shares.z > kLongest};
    weight = faceWeights(shares);
}

NodeCandidates selectCandidates(const ComponentTree& tree, const Buffer<std::uint32_t>& own, std::uint64_t least,
                                std::uint64_t most, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint32_t> area(n);
    Buffer<std::uint8_t> children(n); // with `least` pixels; 2 stands for more
    Buffer<std::uint32_t> below(n);   // area of the largest candidate within
    forEachIndex(n, control, [&](std::size_t i) {
        area[i] = own[i];
        children[i] = 0;
        below[i] = 0;
    });
    std::vector<std::uint8_t> isCandidate(n);
    const auto decide = [&](std::uint32_t node) {
        const bool fits = area[node] >= least && area[node] <= most;
        if (fits && (children[node] != 1 || area[node] >= kChainStep * below[node])) {
            isCandidate[node] = 1;
            below[node] = area[node];
        }
    };
    sweepUp(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        decide(node);
        area[parent] += area[node];
        if (area[node] >= least) {
            children[parent] = static_cast<std::uint8_t>(std::min(children[parent] + 1, 2));
            below[parent] = std::max(below[parent], below[node]);
        }
    });
    decide(0);
    NodeCandidates found;
    for (std::size_t i = 0; i < n; ++i) {
        if (isCandidate[i] != 0) {
            found.nodes.push_back(static_cast<std::uint32_t>(i));
        }
    }
    std::vector<std::uint32_t> open; // candidates that contain the node
    for (std::size_t i = 0; i < found.nodes.size(); ++i) {
        while (!open.empty() && !tree.contains(found.nodes[open.back()], found.nodes[i])) {
            open.pop_back();
        }
        found.parent.push_back(open.empty() ? CutForest::kNone : open.back());
        open.push_back(static_cast<std::uint32_t>(i));
    }
    return found;
}

void measureCandidates(NodeCandidates& candidates, const ComponentTree& tree, const Brightness& image,
                       const JobControl& control) {
    candidates.sums.assign(candidates.nodes.size(), {});
    CandidateSums sums(candidates, tree, image, control);
    constexpr std::size_t kRows = 16;
    forEachIndex(
        tree.extent().rows(), control, [&](std::size_t row) { sums.addRow(static_cast<std::uint32_t>(row)); }, kRows);
    for (std::size_t i = candidates.sums.size(); i-- > 0;) {
        if (candidates.parent[i] != CutForest::kNone) {
            candidates.sums[candidates.parent[i]] += candidates.sums[i];
        }
    }
}

} // namespace pollard
