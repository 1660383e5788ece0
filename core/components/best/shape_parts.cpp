#include "components/best/shape_parts.hpp"

#include "analysis/ellipse.hpp"
#include "base/buffer.hpp"
#include "base/disjoint_sets.hpp"
#include "base/parallel.hpp"
#include "components/best/best_cut.hpp"
#include "components/best/smoothing.hpp"
#include "image/distance_transform.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>

namespace pollard {

namespace {

constexpr std::uint32_t kNone = CutForest::kNone;
constexpr std::uint32_t kPerPixel = 4096; ///< distances are multiples of 1 / kPerPixel px
constexpr std::uint32_t kLeastRise = kPerPixel / 2;

/// The box of a region with a ring of one pixel around it, of which a part may lie outside the image. In an image the
/// ring is in the plane.
class RegionBox {
public:
    RegionBox(std::span<const std::uint32_t> pixels, const Extent& image)
        : image_(image), rows_(image.width), slices_(image.height) {
        Voxel last{};
        constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
        first_ = {kFar, kFar, kFar};
        for (const std::uint32_t pixel : pixels) {
            const Voxel at = placeOf(pixel);
            first_ = {std::min(first_.x, at.x), std::min(first_.y, at.y), std::min(first_.z, at.z)};
            last = {std::max(last.x, at.x), std::max(last.y, at.y), std::max(last.z, at.z)};
        }
        box_ = {last.x - first_.x + 3, last.y - first_.y + 3, image.isVolume() ? last.z - first_.z + 3 : 1};
        lacks_ = {first_.x == 0,
                  last.x + 1 == image.width,
                  first_.y == 0,
                  last.y + 1 == image.height,
                  first_.z == 0 && image.isVolume(),
                  last.z + 1 == image.slices && image.isVolume()};
    }

    [[nodiscard]] const Extent& image() const noexcept { return image_; }
    /// Of the box with its ring.
    [[nodiscard]] const Extent& extent() const noexcept { return box_; }
    [[nodiscard]] std::size_t size() const noexcept { return box_.pixelCount(); }
    /// Place in the image.
    [[nodiscard]] Voxel placeOf(std::uint32_t pixel) const noexcept {
        const std::uint32_t row = rows_.row(pixel);
        const std::uint32_t z = slices_.row(row);
        return {rows_.column(pixel, row), slices_.column(row, z), z};
    }
    /// Index in the box of a pixel of the image.
    [[nodiscard]] std::uint32_t cellOf(std::uint32_t pixel) const noexcept {
        const Voxel at = placeOf(pixel);
        const std::uint32_t layer = image_.isVolume() ? at.z - first_.z + 1 : 0;
        return (layer * box_.height + at.y - first_.y + 1) * box_.width + at.x - first_.x + 1;
    }
    /// Place in the image of a cell that lies there.
    [[nodiscard]] Voxel placeIn(std::uint32_t cell) const noexcept {
        const Voxel at = voxelAt(cell, box_);
        return {at.x + first_.x - 1, at.y + first_.y - 1, image_.isVolume() ? at.z + first_.z - 1 : 0};
    }
    /// The cells of a row that lie in the image, of the cells [first, last); equal numbers for none.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> inImage(std::uint32_t row, std::uint32_t first,
                                                                  std::uint32_t last) const noexcept {
        const std::uint32_t y = row % box_.height;
        const std::uint32_t z = row / box_.height;
        if ((lacks_[2] && y == 0) || (lacks_[3] && y + 1 == box_.height) || (lacks_[4] && z == 0) ||
            (lacks_[5] && z + 1 == box_.slices)) {
            return {first, first};
        }
        const std::uint32_t end = lacks_[1] ? std::min(last, box_.width - 1) : last;
        return {std::min(lacks_[0] ? std::max(first, 1U) : first, end), end};
    }

private:
    Extent image_;
    PixelPlace rows_;   ///< of pixels
    PixelPlace slices_; ///< of rows
    Voxel first_;
    Extent box_;
    std::array<bool, 6> lacks_{}; ///< sides of the ring outside the image, of the axes x, y, z
};

/// The cells of the region, its holes, and cells outside the image. Others are connected with the ring by sides.
Mask filledRegion(const RegionBox& box, std::span<const std::uint8_t> isRegion) {
    const Extent& extent = box.extent();
    Mask filled(extent.width, static_cast<std::uint32_t>(extent.rows()), true);
    std::vector<std::uint8_t> isTaken(isRegion.begin(), isRegion.end()); // in the region, or outside
    std::vector<std::uint32_t> waiting{0};
    while (!waiting.empty()) {
        const std::uint32_t cell = waiting.back();
        waiting.pop_back();
        if (isTaken[cell] != 0) {
            continue;
        }
        const std::uint32_t row = cell / extent.width;
        const std::uint32_t start = row * extent.width;
        std::uint32_t first = cell - start;
        std::uint32_t last = first + 1;
        while (first > 0 && isTaken[start + first - 1] == 0) {
            --first;
        }
        while (last < extent.width && isTaken[start + last] == 0) {
            ++last;
        }
        std::fill(isTaken.begin() + start + first, isTaken.begin() + start + last, std::uint8_t{1});
        const auto [left, right] = box.inImage(row, first, last);
        filled.setRun(left, right, row, false);
        const auto reach = [&](std::uint32_t other) { // the runs beside this one
            for (std::uint32_t x = first; x < last; ++x) {
                const std::uint32_t beside = other * extent.width + x;
                if (isTaken[beside] == 0 && (x == first || isTaken[beside - 1] != 0)) {
                    waiting.push_back(beside);
                }
            }
        };
        const std::uint32_t y = row % extent.height;
        const std::uint32_t z = row / extent.height;
        if (y > 0) {
            reach(row - 1);
        }
        if (y + 1 < extent.height) {
            reach(row + 1);
        }
        if (z > 0) {
            reach(row - extent.height);
        }
        if (z + 1 < extent.slices) {
            reach(row + extent.height);
        }
    }
    return filled;
}

/// Distances to the outside of the filled region in 1 / kPerPixel of the smallest side, smoothed by a Gaussian filter
/// of 1. Sums of whole numbers are exact.
Buffer<std::uint32_t> smoothDistances(const RegionBox& box, const Mask& filled, const VoxelSides& sides,
                                      const JobControl& control) {
    constexpr int kDroppedBits = 32;
    constexpr double kMostDistance = 1e6; // so that its multiple has 32 bits
    const Extent& extent = box.extent();
    const VoxelSides shares = inSmallestSide(sides);
    // Without an outside cell distances are infinite.
    const double farthest = std::min(kMostDistance, extent.width * shares.x + extent.height * shares.y +
                                                        (extent.isVolume() ? extent.slices * shares.z : 0));
    constexpr double kHalf = .5; // rounds: distances are 0 or at least 1
    const auto heightOf = [&](double distance) {
        return static_cast<std::uint32_t>(std::min(distance, farthest) * kPerPixel + kHalf);
    };
    Buffer<std::uint32_t> smooth(box.size());
    const auto smoothFrom = [&](const auto& fill) {
        smoothRows(extent, SmoothingWeights(1, sides), kDroppedBits, fill, smooth.span(), control);
    };
    if (shares == VoxelSides{}) {
        const Buffer<std::uint32_t> squares = squaredDistances(filled, extent.slices, control);
        smoothFrom([&](std::size_t row, std::span<std::uint32_t> line) {
            const auto from = squares.span().subspan(row * extent.width, extent.width);
            std::ranges::transform(from, line.begin(), [&](std::uint32_t square) {
                return heightOf(square == kNoDistance ? farthest : std::sqrt(static_cast<double>(square)));
            });
        });
    } else {
        const Buffer<double> lengths = distances(filled, shares, extent.slices, control);
        smoothFrom([&](std::size_t row, std::span<std::uint32_t> line) {
            std::ranges::transform(lengths.span().subspan(row * extent.width, extent.width), line.begin(), heightOf);
        });
    }
    return smooth;
}

/// The cells of a region from the highest to the lowest; of equal heights in the order of their indices. Counting sort.
std::vector<std::uint32_t> cellsByHeight(std::span<const std::uint8_t> isRegion,
                                         std::span<const std::uint32_t> heights) {
    struct Key {
        std::uint32_t height;
        std::uint32_t cell;
    };
    std::vector<Key> keys;
    std::uint32_t highest = 0;
    for (std::uint32_t i = 0; i < isRegion.size(); ++i) {
        if (isRegion[i] != 0) {
            keys.push_back({heights[i], i});
            highest = std::max(highest, heights[i]);
        }
    }
    constexpr std::uint32_t kBits = 11;
    constexpr std::uint32_t kDigits = 1U << kBits;
    std::vector<Key> sorted(keys.size());
    for (std::uint32_t shift = 0; shift < 32 && highest >> shift != 0; shift += kBits) {
        const auto digitOf = [&](const Key& key) { return kDigits - 1 - (key.height >> shift) % kDigits; };
        std::array<std::uint32_t, kDigits> next{};
        for (const Key& key : keys) {
            ++next[digitOf(key)];
        }
        (void)toOffsets(next);
        for (const Key& key : keys) {
            sorted[next[digitOf(key)]++] = key;
        }
        keys.swap(sorted);
    }
    std::vector<std::uint32_t> cells(keys.size());
    std::ranges::transform(keys, cells.begin(), &Key::cell);
    return cells;
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

    /// Stops at more than ShapeParts::kMostJoins joins.
    Flooding(const RegionBox& box, std::span<const std::uint8_t> isRegion, std::span<const std::uint32_t> heights,
             std::uint32_t leastSize, const JobControl& control)
        : around_(neighbourSteps(box.extent())), rowsAround_(rowSteps(box.extent())), heights_(heights),
          leastSize_(leastSize), basinOf_(box.size(), kNone), joined_(mostBasins(box.extent())),
          takenBy_(mostBasins(box.extent())) {
        const std::vector<std::uint32_t> order = cellsByHeight(isRegion, heights);
        constexpr std::size_t kBetweenChecks = 1U << 16U;
        constexpr std::size_t kAhead = 12;
        for (std::size_t i = 0; i < order.size() && joins_.size() <= ShapeParts::kMostJoins; ++i) {
            if (i % kBetweenChecks == 0) {
                control.throwIfStopped();
            }
            prefetch(order[std::min(i + kAhead, order.size() - 1)]);
            flood(order[i]);
        }
    }

    [[nodiscard]] const std::vector<Join>& joins() const noexcept { return joins_; }
    [[nodiscard]] std::size_t basins() const noexcept { return basins_.size(); }
    /// The basin of a cell of the region, or the basin that took it.
    [[nodiscard]] std::uint32_t basinOf(std::uint32_t cell) { return takenBy_.find(basinOf_[cell]); }
    /// The basin that took a basin; itself if none did.
    [[nodiscard]] std::uint32_t takerOf(std::uint32_t basin) { return takenBy_.find(basin); }

private:
    /// Basins begin in cells that are no neighbours: one in a square of four, in a volume one in a cube of eight.
    [[nodiscard]] static std::size_t mostBasins(const Extent& box) noexcept {
        return std::size_t{(box.width + 1) / 2} * ((box.height + 1) / 2) * ((box.slices + 1) / 2);
    }

    /// From a cell to its neighbours: at sides, then at edges, then at corners.
    [[nodiscard]] static std::vector<std::uint32_t> neighbourSteps(const Extent& box) {
        const auto slice = static_cast<std::uint32_t>(box.slicePixels());
        const int depth = box.isVolume() ? 1 : 0;
        std::vector<std::uint32_t> steps{0U - 1, 1, 0U - box.width, box.width};
        if (box.isVolume()) {
            steps.insert(steps.end(), {0U - slice, slice});
        }
        for (const int axes : {2, 3}) {
            for (int z = -depth; z <= depth; ++z) {
                for (int y = -1; y <= 1; ++y) {
                    for (int x = -1; x <= 1; ++x) {
                        if (std::abs(x) + std::abs(y) + std::abs(z) == axes) {
                            steps.push_back(static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(y) * box.width +
                                            static_cast<std::uint32_t>(z) * slice);
                        }
                    }
                }
            }
        }
        return steps;
    }

    /// From a cell to the cells of the rows of its neighbours.
    [[nodiscard]] static std::vector<std::uint32_t> rowSteps(const Extent& box) {
        std::vector<std::uint32_t> steps;
        const auto slice = static_cast<std::uint32_t>(box.slicePixels());
        for (const std::uint32_t z : {0U - slice, 0U, slice}) {
            if (z == 0 || box.isVolume()) {
                steps.insert(steps.end(), {z - box.width, z, z + box.width});
            }
        }
        return steps;
    }

    struct Basin {
        std::uint32_t peak = 0;
        std::uint32_t size = 0; ///< with all that joined
        std::uint32_t part = 0; ///< basin or join
    };

    /// Loads the memory around a cell that is flooded soon.
    void prefetch(std::uint32_t cell) const noexcept {
        for (const std::uint32_t step : rowsAround_) {
            __builtin_prefetch(&basinOf_[cell + step]);
            __builtin_prefetch(&heights_[cell + step]);
        }
    }

    void flood(std::uint32_t cell) {
        std::uint32_t highest = kNone;
        bool meetsOthers = false;
        for (const std::uint32_t step : around_) {
            const std::uint32_t next = cell + step;
            if (basinOf_[next] == kNone) {
                continue;
            }
            meetsOthers = meetsOthers || (highest != kNone && basinOf_[next] != basinOf_[highest]);
            if (highest == kNone || heights_[next] > heights_[highest]) {
                highest = next;
            }
        }
        if (highest == kNone) {
            const auto basin = static_cast<std::uint32_t>(basins_.size());
            basinOf_[cell] = basin;
            basins_.push_back({heights_[cell], 1, basin});
            return;
        }
        const std::uint32_t own = basinOf_[highest];
        basinOf_[cell] = own;
        ++basins_[joined_.find(own)].size;
        if (!meetsOthers) {
            return;
        }
        for (const std::uint32_t step : around_) {
            const std::uint32_t basin = basinOf_[cell + step];
            if (basin != kNone && basin != own) {
                meet(cell, cell + step);
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

    std::vector<std::uint32_t> around_;     ///< from a cell to its neighbours
    std::vector<std::uint32_t> rowsAround_; ///< to the rows of the neighbours
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

    PartSums(PartTree& tree, const RegionBox& box, std::span<const std::uint16_t> leafAt, const Brightness& image)
        : tree_(tree), parts_(tree.parts()), box_(box), leafAt_(leafAt), fine_(image.fine), rule_(image.levels.sides()),
          slice_(box.extent().isVolume() ? box.extent().slicePixels() : 0) {}

    /// @param row of the box
    void addRow(std::uint32_t row) {
        const std::uint32_t width = box_.extent().width;
        const std::span<const std::uint16_t> leaves = leafAt_.subspan(std::size_t{row} * width, width);
        for (std::uint32_t x = 0; x < width;) {
            const std::uint16_t leaf = leaves[x];
            const std::uint32_t first = x;
            while (x < width && leaves[x] == leaf) {
                ++x;
            }
            if (leaf != kOutside) {
                addRun(row * width + first, x - first, leaf);
            }
        }
    }

    /// Adds the sums over pixels to the parts around; removes the region.
    void finish() {
        for (std::size_t i = parts_.size(); i-- > 1;) {
            ShapeParts::Part& parent = parts_[parts_[i].parent];
            parent.sums.addPixels(parts_[i].sums);
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

    void addRun(std::uint32_t cell, std::uint32_t count, std::uint16_t leaf) {
        const Voxel at = box_.placeIn(cell);
        const auto start =
            static_cast<std::uint32_t>((at.z * std::size_t{box_.image().height} + at.y) * box_.image().width + at.x);
        const std::uint32_t smallest = tree_.partOf(leaf);
        std::uint64_t grey = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            grey += fine_[start + i];
            if (!isWithin(cell + i, leaf)) {
                addSides({at.x + i, at.y, at.z}, start + i, leaf);
            }
        }
        const PixelSums run = sumsOfRun(at.x, at.x + count, at.y);
        parts_[smallest].sums += {run, sliceSumsOf(run, at.z), grey};
    }

    void addSides(const Voxel& at, std::uint32_t pixel, std::uint16_t leaf) {
        forEachSide(at, box_.image(), rule_, [&](const SidePixels& side) {
            const std::uint16_t beyond = leafAt_[box_.cellOf(side.next)];
            if (beyond == leaf) {
                return;
            }
            const std::uint16_t before = leafAt_[box_.cellOf(side.before)];
            for (std::uint32_t i = tree_.partOf(leaf); i != 0 && !contains(parts_[i], beyond); i = parts_[i].parent) {
                BorderedSums& border = parts_[i].sums;
                const std::uint64_t weight = side.weight;
                border.sides += weight;
                border.inner += weight * fine_[contains(parts_[i], before) ? side.before : pixel];
                border.outer += weight * fine_[side.after];
            }
        });
    }

    /// Whether the neighbours at sides are in the same leaf.
    [[nodiscard]] bool isWithin(std::size_t cell, std::uint16_t leaf) const noexcept {
        const std::size_t width = box_.extent().width;
        return leafAt_[cell - 1] == leaf && leafAt_[cell + 1] == leaf && leafAt_[cell - width] == leaf &&
               leafAt_[cell + width] == leaf && leafAt_[cell - slice_] == leaf && leafAt_[cell + slice_] == leaf;
    }

    PartTree& tree_;
    std::vector<ShapeParts::Part>& parts_;
    const RegionBox& box_;
    std::span<const std::uint16_t> leafAt_; ///< per cell
    const Buffer<std::uint16_t>& fine_;
    SideRule rule_;
    std::size_t slice_; ///< cells from a slice to the next; 0 in an image
};

} // namespace

ShapeParts splitByShape(std::span<const std::uint32_t> pixels, const Brightness& image, std::uint32_t leastArea,
                        const JobControl& control) {
    const RegionBox box(pixels, image.levels.extent());
    std::vector<std::uint8_t> isRegion(box.size());
    std::vector<std::uint32_t> cells(pixels.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        cells[i] = box.cellOf(pixels[i]);
        isRegion[cells[i]] = 1;
    }
    control.throwIfStopped();
    const Buffer<std::uint32_t> heights =
        smoothDistances(box, filledRegion(box, isRegion), image.levels.sides(), control);
    control.throwIfStopped();
    Flooding flooding(box, isRegion, heights.span(), leastArea / 3, control);
    ShapeParts found;
    if (flooding.joins().empty() || flooding.joins().size() > ShapeParts::kMostJoins) {
        return found;
    }
    PartTree tree(flooding);
    std::vector<std::uint16_t> leafAt(box.size(), PartSums::kOutside);
    found.leaves.reserve(pixels.size());
    for (const std::uint32_t cell : cells) {
        found.leaves.push_back(leafAt[cell] = tree.leafOf(cell));
    }
    PartSums sums(tree, box, leafAt, image);
    for (std::uint32_t row = 0; row < box.extent().rows(); ++row) {
        sums.addRow(row);
    }
    sums.finish();
    found.parts = std::move(tree.parts());
    return found;
}

} // namespace pollard
