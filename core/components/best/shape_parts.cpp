#include "components/best/shape_parts.hpp"

#include "base/disjoint_sets.hpp"
#include "components/best/best_cut.hpp"
#include "image/distance_transform.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace pollard {

namespace {

constexpr std::uint32_t kNone = CutForest::kNone;
constexpr std::uint32_t kPerPixel = 4096; ///< distances are multiples of 1 / kPerPixel px
constexpr std::uint32_t kLeastRise = kPerPixel / 2;

/// The box of a region with a ring of one pixel around it, of which a part may lie outside the image.
class RegionBox {
public:
    RegionBox(std::span<const std::uint32_t> pixels, std::uint32_t width, std::uint32_t height) : place_(width) {
        std::uint32_t right = 0;
        std::uint32_t bottom = 0;
        left_ = top_ = std::numeric_limits<std::uint32_t>::max();
        for (const std::uint32_t pixel : pixels) {
            const std::uint32_t y = place_.row(pixel);
            const std::uint32_t x = place_.column(pixel, y);
            left_ = std::min(left_, x);
            right = std::max(right, x);
            top_ = std::min(top_, y);
            bottom = std::max(bottom, y);
        }
        width_ = right - left_ + 3;
        height_ = bottom - top_ + 3;
        lacks_ = {left_ == 0, right + 1 == width, top_ == 0, bottom + 1 == height};
    }

    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
    [[nodiscard]] std::size_t size() const noexcept { return std::size_t{width_} * height_; }
    /// Index in the box of a pixel of the image.
    [[nodiscard]] std::uint32_t cellOf(std::uint32_t pixel) const noexcept {
        const std::uint32_t y = place_.row(pixel);
        return (y - top_ + 1) * width_ + place_.column(pixel, y) - left_ + 1;
    }
    [[nodiscard]] bool isInImage(std::uint32_t x, std::uint32_t y) const noexcept {
        return !((x == 0 && lacks_[0]) || (x + 1 == width_ && lacks_[1]) || (y == 0 && lacks_[2]) ||
                 (y + 1 == height_ && lacks_[3]));
    }

private:
    PixelPlace place_;
    std::uint32_t left_ = 0;
    std::uint32_t top_ = 0;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::array<bool, 4> lacks_{}; ///< sides of the ring outside the image: left, right, top, bottom
};

/// Cells outside the region that are connected with the ring by sides, so the region and its holes remain.
std::vector<std::uint8_t> outsideOf(const RegionBox& box, std::span<const std::uint8_t> isRegion) {
    std::vector<std::uint8_t> isOutside(box.size());
    std::vector<std::uint32_t> waiting{0};
    isOutside[0] = 1;
    const auto reach = [&](std::uint32_t cell) {
        if (isOutside[cell] == 0 && isRegion[cell] == 0) {
            isOutside[cell] = 1;
            waiting.push_back(cell);
        }
    };
    while (!waiting.empty()) {
        const std::uint32_t cell = waiting.back();
        waiting.pop_back();
        const std::uint32_t x = cell % box.width();
        const std::uint32_t y = cell / box.width();
        if (x > 0) {
            reach(cell - 1);
        }
        if (x + 1 < box.width()) {
            reach(cell + 1);
        }
        if (y > 0) {
            reach(cell - box.width());
        }
        if (y + 1 < box.height()) {
            reach(cell + box.width());
        }
    }
    return isOutside;
}

/// Distances of all cells to the next outside cell of the image.
Buffer<double> distancesIn(const RegionBox& box, std::span<const std::uint8_t> isOutside, const JobControl& control) {
    Mask mask(box.width(), box.height(), true);
    for (std::uint32_t y = 0; y < box.height(); ++y) {
        for (std::uint32_t x = 0; x < box.width(); ++x) {
            if (isOutside[std::size_t{y} * box.width() + x] != 0 && box.isInImage(x, y)) {
                mask.set(x, y, false);
            }
        }
    }
    return distances(mask, {}, 1, control);
}

/// Distances in 1 / kPerPixel px, smoothed by a Gaussian filter of 1 px. Sums of whole numbers are exact.
std::vector<std::uint32_t> smoothDistances(const RegionBox& box, const Buffer<double>& exact) {
    constexpr std::array<std::uint64_t, 4> kGaussian{26152, 15862, 3539, 291}; // the seven weights are 2^16
    const std::size_t width = box.width();
    const std::size_t height = box.height();
    std::vector<std::uint64_t> distances(box.size());
    const auto farthest = static_cast<double>(width + height); // without an outside cell distances are infinite
    std::ranges::transform(exact, distances.begin(), [&](double distance) {
        return static_cast<std::uint64_t>(std::lround(std::min(distance, farthest) * kPerPixel));
    });
    std::vector<std::uint64_t> rows(box.size());
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint64_t* const in = distances.data() + y * width;
        for (std::size_t x = 0; x < width; ++x) {
            std::uint64_t sum = kGaussian[0] * in[x];
            for (std::size_t k = 1; k < kGaussian.size(); ++k) {
                sum += kGaussian[k] * (in[x < k ? 0 : x - k] + in[std::min(x + k, width - 1)]);
            }
            rows[y * width + x] = sum;
        }
    }
    std::vector<std::uint32_t> smooth(box.size());
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            std::uint64_t sum = kGaussian[0] * rows[y * width + x];
            for (std::size_t k = 1; k < kGaussian.size(); ++k) {
                sum += kGaussian[k] *
                       (rows[(y < k ? 0 : y - k) * width + x] + rows[std::min(y + k, height - 1) * width + x]);
            }
            smooth[y * width + x] = static_cast<std::uint32_t>(sum >> 32U);
        }
    }
    return smooth;
}

/// Floods a region from the maxima of a function and joins basins that meet.
class Flooding {
public:
    /// Two parts that become one: a basin, or kJoin + index of a join.
    static constexpr std::uint32_t kJoin = 1U << 31U;
    struct Join {
        std::uint32_t first = 0;
        std::uint32_t second = 0;
    };

    Flooding(const RegionBox& box, std::span<const std::uint8_t> isRegion, std::span<const std::uint32_t> heights,
             std::uint32_t leastSize, const JobControl& control)
        : width_(box.width()), heights_(heights), leastSize_(leastSize), basinOf_(box.size(), kNone),
          joined_(mostBasins(box)), takenBy_(mostBasins(box)) {
        std::vector<std::uint64_t> order;
        for (std::size_t i = 0; i < box.size(); ++i) {
            if (isRegion[i] != 0) {
                order.push_back(std::uint64_t{~heights[i]} << 32U | i);
            }
        }
        std::ranges::sort(order);
        constexpr std::size_t kBetweenChecks = 1U << 16U;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i % kBetweenChecks == 0) {
                control.throwIfStopped();
            }
            flood(static_cast<std::uint32_t>(order[i]));
        }
    }

    [[nodiscard]] const std::vector<Join>& joins() const noexcept { return joins_; }
    [[nodiscard]] std::size_t basins() const noexcept { return basins_.size(); }
    /// The basin of a cell of the region, or the basin that took it.
    [[nodiscard]] std::uint32_t basinOf(std::uint32_t cell) { return takenBy_.find(basinOf_[cell]); }
    /// The basin that took a basin; itself if none did.
    [[nodiscard]] std::uint32_t takerOf(std::uint32_t basin) { return takenBy_.find(basin); }

private:
    /// Basins begin in cells that are no neighbours: one in a square of four.
    [[nodiscard]] static std::size_t mostBasins(const RegionBox& box) noexcept {
        return std::size_t{(box.width() + 1) / 2} * ((box.height() + 1) / 2);
    }

    struct Basin {
        std::uint32_t peak = 0;
        std::uint32_t size = 0; ///< with all that joined
        std::uint32_t part = 0; ///< basin or join
    };

    [[nodiscard]] std::array<std::uint32_t, 8> around(std::uint32_t cell) const noexcept {
        return {cell - 1,          cell + 1,          cell - width_,     cell + width_,
                cell - width_ - 1, cell - width_ + 1, cell + width_ - 1, cell + width_ + 1};
    }

    void flood(std::uint32_t cell) {
        std::uint32_t highest = kNone;
        for (const std::uint32_t next : around(cell)) {
            if (basinOf_[next] != kNone && (highest == kNone || heights_[next] > heights_[highest])) {
                highest = next;
            }
        }
        if (highest == kNone) {
            const auto basin = static_cast<std::uint32_t>(basins_.size());
            basinOf_[cell] = basin;
            basins_.push_back({heights_[cell], 1, basin});
            return;
        }
        basinOf_[cell] = basinOf_[highest];
        ++basins_[joined_.find(basinOf_[cell])].size;
        for (const std::uint32_t next : around(cell)) {
            if (basinOf_[next] != kNone) {
                meet(cell, next);
            }
        }
    }

    /// Joins the basins of two neighbours; @p cell has the height of the saddle.
    void meet(std::uint32_t cell, std::uint32_t next) {
        std::uint32_t high = joined_.find(basinOf_[cell]);
        std::uint32_t low = joined_.find(basinOf_[next]);
        if (high == low) {
            return;
        }
        if (basins_[high].peak < basins_[low].peak) {
            std::swap(high, low);
        }
        Basin& lower = basins_[low];
        if (lower.peak - heights_[cell] < kLeastRise || lower.size < leastSize_) { // then it is no join
            const std::uint32_t taken = takenBy_.find(lower.part);
            const std::uint32_t a = takenBy_.find(basinOf_[cell]);
            const std::uint32_t b = takenBy_.find(basinOf_[next]);
            takenBy_.join(taken, taken == a ? b : a);
        } else {
            joins_.push_back({basins_[high].part, lower.part});
            basins_[high].part = kJoin + static_cast<std::uint32_t>(joins_.size() - 1);
        }
        joined_.join(low, high);
        basins_[high].size += lower.size;
    }

    std::uint32_t width_;
    std::span<const std::uint32_t> heights_;
    std::uint32_t leastSize_;
    std::vector<std::uint32_t> basinOf_; ///< per cell
    std::vector<Basin> basins_;
    DisjointSets joined_;  ///< basins that met
    DisjointSets takenBy_; ///< basins without a part of their own, with the basin that took them
    std::vector<Join> joins_;
};

/// The hierarchy of the joins of a flooding, with numbered smallest parts.
class PartTree {
public:
    explicit PartTree(Flooding& flooding) : flooding_(flooding), leafOf_(flooding.basins(), kNone) {
        const std::vector<Flooding::Join>& joins = flooding.joins();
        // From the region down: a part is listed after the part around it, and the leaves are numbered in this order.
        struct Open {
            std::uint32_t part;
            std::uint32_t parent;
            bool isDone;
        };
        std::vector<std::uint32_t> indexOf(joins.size());
        std::vector<Open> open{{Flooding::kJoin + static_cast<std::uint32_t>(joins.size() - 1), kNone, false}};
        while (!open.empty()) {
            const Open now = open.back();
            open.pop_back();
            const bool isJoin = now.part >= Flooding::kJoin;
            const std::uint32_t join = now.part - Flooding::kJoin;
            if (now.isDone) {
                parts_[indexOf[join]].lastLeaf = leaves_;
                continue;
            }
            const auto index = static_cast<std::uint32_t>(parts_.size());
            parts_.push_back({now.parent, leaves_, leaves_, {}});
            if (isJoin) {
                indexOf[join] = index;
                open.push_back({now.part, kNone, true});
                open.push_back({joins[join].second, index, false});
                open.push_back({joins[join].first, index, false});
            } else {
                leafOf_[flooding_.takerOf(now.part)] = leaves_;
                partOf_.push_back(index);
                parts_.back().lastLeaf = ++leaves_;
            }
        }
    }

    [[nodiscard]] std::uint16_t leafOf(std::uint32_t cell) {
        return static_cast<std::uint16_t>(leafOf_[flooding_.basinOf(cell)]);
    }
    /// The part that is only this leaf.
    [[nodiscard]] std::uint32_t partOf(std::uint16_t leaf) const { return partOf_[leaf]; }
    /// The first part is the region.
    [[nodiscard]] std::vector<ShapeParts::Part>& parts() noexcept { return parts_; }

private:
    Flooding& flooding_;
    std::vector<std::uint32_t> leafOf_; ///< per basin
    std::vector<std::uint32_t> partOf_; ///< per leaf
    std::vector<ShapeParts::Part> parts_;
    std::uint16_t leaves_ = 0;
};

/// Measures the parts of a region.
class PartSums {
public:
    static constexpr std::uint16_t kOutside = 0xffff;

    PartSums(PartTree& tree, const RegionBox& box, std::span<const std::uint16_t> leafAt,
             const Buffer<std::uint16_t>& fine)
        : tree_(tree), parts_(tree.parts()), box_(box), leafAt_(leafAt), fine_(fine) {}

    void add(std::uint32_t pixel, std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height) {
        const std::uint16_t leaf = leafAt_[box_.cellOf(pixel)];
        const std::uint32_t smallest = tree_.partOf(leaf);
        parts_[smallest].sums += {sumsOfRun(x, x + 1, y), fine_[pixel]};
        forEachSide(x, y, width, height, [&](const SidePixels& side) {
            const std::uint16_t beyond = leafAt_[box_.cellOf(side.next)];
            if (beyond == leaf) {
                return;
            }
            const std::uint16_t before = leafAt_[box_.cellOf(side.before)];
            for (std::uint32_t i = smallest; i != 0 && !contains(parts_[i], beyond); i = parts_[i].parent) {
                BorderedSums& border = parts_[i].sums;
                ++border.sides;
                border.inner += fine_[contains(parts_[i], before) ? side.before : pixel];
                border.outer += fine_[side.after];
            }
        });
    }

    /// Adds the sums over pixels to the parts around; removes the region.
    void finish() {
        for (std::size_t i = parts_.size(); i-- > 1;) {
            ShapeParts::Part& parent = parts_[parts_[i].parent];
            parent.sums.pixels += parts_[i].sums.pixels;
            parent.sums.grey += parts_[i].sums.grey;
        }
        parts_.erase(parts_.begin());
        for (ShapeParts::Part& part : parts_) {
            part.parent = part.parent == 0 ? kNone : part.parent - 1;
        }
    }

private:
    [[nodiscard]] static bool contains(const ShapeParts::Part& part, std::uint16_t leaf) noexcept {
        return leaf >= part.firstLeaf && leaf < part.lastLeaf;
    }

    PartTree& tree_;
    std::vector<ShapeParts::Part>& parts_;
    const RegionBox& box_;
    std::span<const std::uint16_t> leafAt_; ///< per cell
    const Buffer<std::uint16_t>& fine_;
};

} // namespace

ShapeParts splitByShape(std::span<const std::uint32_t> pixels, const Buffer<std::uint16_t>& fine, std::uint32_t width,
                        std::uint32_t height, std::uint32_t leastArea, const JobControl& control) {
    const RegionBox box(pixels, width, height);
    std::vector<std::uint8_t> isRegion(box.size());
    for (const std::uint32_t pixel : pixels) {
        isRegion[box.cellOf(pixel)] = 1;
    }
    control.throwIfStopped();
    const std::vector<std::uint32_t> heights =
        smoothDistances(box, distancesIn(box, outsideOf(box, isRegion), control));
    control.throwIfStopped();
    Flooding flooding(box, isRegion, heights, leastArea / 3, control);
    ShapeParts found;
    if (flooding.joins().empty() || flooding.joins().size() > ShapeParts::kMostJoins) {
        return found;
    }
    PartTree tree(flooding);
    std::vector<std::uint16_t> leafAt(box.size(), PartSums::kOutside);
    found.leaves.reserve(pixels.size());
    for (const std::uint32_t pixel : pixels) {
        const std::uint32_t cell = box.cellOf(pixel);
        found.leaves.push_back(leafAt[cell] = tree.leafOf(cell));
    }
    PartSums sums(tree, box, leafAt, fine);
    const PixelPlace place(width);
    for (const std::uint32_t pixel : pixels) {
        const std::uint32_t y = place.row(pixel);
        sums.add(pixel, place.column(pixel, y), y, width, height);
    }
    sums.finish();
    found.parts = std::move(tree.parts());
    return found;
}

} // namespace pollard
