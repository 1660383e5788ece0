#include "chunks/chunk_nodes.hpp"

#include "base/parallel.hpp"
#include "chunks/part_job.hpp"
#include "filter/node_decision.hpp"
#include "tree/prominence.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace pollard {

namespace {

/// Sums of i^0 .. i^3 for i in [0, end).
struct PowerSums {
    UInt128 ones, first, second, third;

    explicit PowerSums(std::uint64_t end) noexcept
        : ones(end), first(end == 0 ? 0 : ones * (ones - 1) / 2),
          second(end == 0 ? 0 : (ones - 1) * ones * (2 * ones - 1) / 6), third(first * first) {}
    PowerSums(std::uint64_t begin, std::uint64_t end) noexcept : PowerSums(end) {
        const PowerSums before(begin);
        ones -= before.ones;
        first -= before.first;
        second -= before.second;
        third -= before.third;
    }
};

/// A stretch of a row of the whole image: pixels [left, right) of row y of slice z.
struct Run {
    std::uint32_t left, right, y, z;
};

MomentTotals::Value momentsOf(const Run& run, const PowerSums& x) noexcept {
    const UInt128 y = run.y;
    return {x.first, x.ones * y, x.second, x.first * y, x.ones * y * y};
}
ThirdMomentTotals::Value thirdMomentsOf(const Run& run, const PowerSums& x) noexcept {
    const UInt128 y = run.y;
    return {x.third, x.second * y, x.first * y * y, x.ones * y * y * y};
}

/// Pixels of a run in the first or last row or column of the image.
std::uint64_t borderPixels(const Run& run, const Extent& whole) noexcept {
    if (run.y == 0 || run.y + 1 == whole.height) {
        return run.right - run.left;
    }
    const std::uint64_t atLeft = run.left == 0 ? 1 : 0;
    const std::uint64_t atRight = run.right == whole.width && whole.width > 1 ? 1 : 0;
    return atLeft + atRight;
}

/// Changes of perimeter, Euler number and sums over the border by the pixels of an image, in the order of falling
/// heights and then of the raster.
class NeighbourChanges {
public:
    NeighbourChanges(const PartJob& job, const ChunkBox& box, const Image& surroundings)
        : job_(job), image_(surroundings), x_(box.x > 0 ? box.x - 1 : 0), y_(box.y > 0 ? box.y - 1 : 0),
          eight_(job.connectivity == Connectivity::eight) {}

    [[nodiscard]] OutlineTotals::Value outlineOf(const Run& run) const {
        OutlineTotals::Value sum{};
        for (std::uint32_t x = run.left; x < run.right; ++x) {
            const unsigned before = neighboursBefore(x, run.y);
            sum.perimeter += perimeterChange(before);
            sum.euler += eulerChange(before, eight_);
        }
        return sum;
    }
    [[nodiscard]] BorderTotals::Value borderOf(const Run& run) const {
        const Extent& whole = job_.grid.whole();
        const std::int32_t sign = job_.kind == TreeKind::max ? 1 : -1;
        BorderTotals::Value sum{};
        const auto wide = [](std::int32_t number) { return static_cast<std::uint64_t>(std::int64_t{number}); };
        for (std::uint32_t x = run.left; x < run.right; ++x) {
            const std::int32_t own = levelAt(x, run.y);
            const auto add = [&](bool isInside, std::uint32_t nx, std::uint32_t ny) {
                if (isInside) {
                    const std::int32_t other = levelAt(nx, ny);
                    const FaceChange change = faceChange(sideOf(own, other, sign), own, other, sign);
                    sum += {wide(change.faces), wide(change.steps), wide(change.outer)};
                }
            };
            add(x > 0, x - 1, run.y);
            add(x + 1 < whole.width, x + 1, run.y);
            add(run.y > 0, x, run.y - 1);
            add(run.y + 1 < whole.height, x, run.y + 1);
        }
        return sum;
    }

private:
    /// Bits as in eulerChange().
    [[nodiscard]] unsigned neighboursBefore(std::uint32_t x, std::uint32_t y) const noexcept {
        struct Step {
            int x, y;
            bool later; ///< in raster order
        };
        static constexpr std::array<Step, 8> kSteps{{{1, 0, true},
                                                     {1, 1, true},
                                                     {0, 1, true},
                                                     {-1, 1, true},
                                                     {-1, 0, false},
                                                     {-1, -1, false},
                                                     {0, -1, false},
                                                     {1, -1, false}}};
        const Extent& whole = job_.grid.whole();
        const int own = heightAt(x, y);
        unsigned bits = 0;
        for (unsigned i = 0; i < kSteps.size(); ++i) {
            const std::uint32_t nx = x + static_cast<std::uint32_t>(kSteps[i].x); // wraps around below 0
            const std::uint32_t ny = y + static_cast<std::uint32_t>(kSteps[i].y);
            if (nx >= whole.width || ny >= whole.height) {
                continue;
            }
            const int other = heightAt(nx, ny);
            bits |= static_cast<unsigned>(kSteps[i].later ? other > own : other >= own) << i;
        }
        return bits;
    }

    [[nodiscard]] std::uint16_t levelAt(std::uint32_t x, std::uint32_t y) const noexcept {
        return image_.level(std::size_t{y - y_} * image_.width() + (x - x_));
    }
    [[nodiscard]] int heightAt(std::uint32_t x, std::uint32_t y) const noexcept { return job_.height(levelAt(x, y)); }

    const PartJob& job_;
    const Image& image_;
    std::uint32_t x_;
    std::uint32_t y_;
    bool eight_;
};

} // namespace

OpenNodes::OpenNodes(const PartJob& job, std::uint64_t chunk, const ComponentTree& tree, const JobControl& control)
    : nearest_(tree.nodeCount()), open_(tree.nodeCount()) {
    std::ranges::fill(open_.span(), std::uint8_t{0});
    const Extent extent = job.grid.boxOf(chunk).extent;
    for (const Direction direction : job.grid.seamsOf(chunk, job.connectivity)) {
        SeamLayer::of(extent, direction).forEachPixel(extent, [&](std::size_t, std::size_t pixel) {
            for (std::uint32_t node = tree.pixelNode[pixel]; open_[node] == 0; node = tree.parent[node]) {
                open_[node] = 1;
                list_.push_back(node);
            }
        });
    }
    std::ranges::sort(list_);
    nearest_[0] = Part::kNone;
    for (std::uint32_t number = 0; number < list_.size(); ++number) {
        nearest_[list_[number]] = number;
    }
    sweepDown(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        if (open_[node] == 0) {
            nearest_[node] = nearest_[parent];
        }
    });
}

void ChunkDecisions::applyRule(const PartJob& job, const ComponentTree& tree, const OpenNodes& open,
                               const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    const bool raises = job.filter.rule == Rule::max;
    const bool weighs = job.filter.rule == Rule::viterbi;
    if (!raises && !weighs) {
        forEachIndex(n, control,
                     [&](std::size_t i) { bits[i] = bits[i] != 0 ? NodeBits::kKept | NodeBits::kMeets : 0; });
        return;
    }
    if (weighs) {
        excess = Buffer<std::int64_t>(n);
        forEachIndex(n, control, [&](std::size_t i) { excess[i] = excessAlone(bits[i]); });
    }
    const auto decide = [&](std::size_t i) {
        const std::uint8_t meets = bits[i] & 1U;
        const std::uint8_t raised = bits[i] >> 1U; // by a descendant
        const bool kept = weighs ? excess[i] <= 0 : (meets | raised) != 0;
        bits[i] = static_cast<std::uint8_t>((kept ? NodeBits::kKept : 0) | (meets != 0 ? NodeBits::kMeets : 0));
        return kept;
    };
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        if (open.isOpen(i)) {
            return;
        }
        const bool kept = decide(i);
        if (weighs) {
            excess[i] = std::min<std::int64_t>(excess[i], 0);
            excess[parent] += excess[i];
        } else if (!open.isOpen(parent) && kept) {
            bits[parent] |= 2U;
        }
    });
    if (!open.isOpen(0)) {
        decide(0);
    }
}

void ChunkDecisions::join(const ComponentTree& tree, const OpenNodes& open, Summaries& to) const {
    if (to.has<Excess>()) {
        open.forEachClosedChild(tree,
                                [&](std::size_t i, std::uint32_t parent) { to.of<Excess>()[parent] += excess[i]; });
    }
    if (to.has<AnyMeets>()) {
        open.forEachClosedChild(tree, [&](std::size_t i, std::uint32_t parent) {
            to.of<AnyMeets>()[parent] |= static_cast<std::uint8_t>(bits[i] & NodeBits::kKept);
        });
    }
}

ChunkLeaves::ChunkLeaves(const ValueNeeds& needs, Session& session, const ComponentTree& tree,
                         const JobControl& control) {
    for (const Prominence measure : kAllProminences) {
        if (needs.has(measure)) {
            MeasureColumn& column = columns_[static_cast<std::size_t>(measure)];
            column.values = session.attribute(comparedAttribute(measure), control.withoutProgress());
            column.leaf = std::visit(
                [&](const auto& values) { return survivorsOf(tree, values, control.withoutProgress()).leaf; },
                column.values->values);
        }
    }
}

std::size_t ChunkLeaves::bytes() const noexcept {
    std::size_t sum = 0;
    for (const MeasureColumn& column : columns_) {
        if (column.values) {
            sum += std::visit([](const auto& values) { return values.bytes(); }, column.values->values);
        }
        sum += column.leaf.bytes();
    }
    return sum;
}

void joinPixels(const PartJob& job, const ChunkBox& box, const Image& image, const Image* surroundings,
                const ComponentTree& tree, const OpenNodes& open, Summaries& own, const JobControl& control) {
    const bool needsRuns = own.has<SquareTotal>() || own.has<BoundingBox>() || own.has<MomentTotals>() ||
                           own.has<ThirdMomentTotals>() || own.needs().hasNeighbours() || own.has<BorderCount>() ||
                           own.has<FirstPixel>();
    if (!needsRuns) {
        return;
    }
    std::optional<NeighbourChanges> neighbours;
    if (own.needs().hasNeighbours()) {
        neighbours.emplace(job, box, *surroundings);
    }
    constexpr std::size_t kLocks = 1024;
    std::vector<std::mutex> locks(kLocks); // of the nodes with equal remainders
    const auto joinRun = [&](std::uint32_t node, const Run& run, std::size_t pixel) {
        const PowerSums x(run.left, run.right);
        UInt128 squares = 0;
        if (own.has<SquareTotal>()) {
            for (std::size_t i = 0; i < run.right - run.left; ++i) {
                const std::uint64_t level = image.level(pixel + i);
                squares += level * level;
            }
        }
        const auto outline = own.has<OutlineTotals>() ? neighbours->outlineOf(run) : OutlineTotals::kNone;
        const auto border = own.has<BorderTotals>() ? neighbours->borderOf(run) : BorderTotals::kNone;
        const std::scoped_lock lock(locks[node % kLocks]);
        const auto join = [&]<class Kind>(Kind, const typename Kind::Value& value) {
            if (own.has<Kind>()) {
                Kind::join(own.of<Kind>()[node], value);
            }
        };
        join(SquareTotal{}, squares);
        join(BoundingBox{}, {run.left, run.y, run.z, run.right - 1, run.y, run.z});
        join(MomentTotals{}, momentsOf(run, x));
        join(ThirdMomentTotals{}, thirdMomentsOf(run, x));
        join(OutlineTotals{}, outline);
        join(BorderTotals{}, border);
        join(BorderCount{}, borderPixels(run, job.grid.whole()));
        join(FirstPixel{}, job.grid.pixel(run.left, run.y, run.z));
    };
    const Extent& extent = box.extent;
    constexpr std::size_t kRowsPerTask = 16;
    forEachIndex(
        extent.rows(), control,
        [&](std::size_t row) {
            const std::size_t start = row * extent.width;
            const auto y = box.y + static_cast<std::uint32_t>(row % extent.height);
            const auto z = box.z + static_cast<std::uint32_t>(row / extent.height);
            for (std::uint32_t x = 0; x < extent.width;) {
                const std::uint32_t node = open.nearest(tree.pixelNode[start + x]);
                const std::uint32_t left = x++;
                while (x < extent.width && open.nearest(tree.pixelNode[start + x]) == node) {
                    ++x;
                }
                joinRun(node, {box.x + left, box.x + x, y, z}, start + left);
            }
        },
        kRowsPerTask);
}

} // namespace pollard
