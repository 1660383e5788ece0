#include "parts/chunk_part.hpp"

#include "base/parallel.hpp"
#include "filter/filter_columns.hpp"
#include "filter/node_decision.hpp"
#include "filter/rule_passes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint32_t kNone = Part::kNone;

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

/// A stretch of a row of the whole picture: pixels [left, right) of row y of slice z.
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

/// Pixels of a run in the first or last row or column of the picture.
std::uint64_t borderPixels(const Run& run, const Extent& whole) noexcept {
    if (run.y == 0 || run.y + 1 == whole.height) {
        return run.right - run.left;
    }
    const std::uint64_t atLeft = run.left == 0 ? 1 : 0;
    const std::uint64_t atRight = run.right == whole.width && whole.width > 1 ? 1 : 0;
    return atLeft + atRight;
}

/// Changes of perimeter and Euler number by the pixels of a picture, in the order of falling heights and then of the
/// raster.
class OutlineChanges {
public:
    OutlineChanges(const PartJob& job, const ChunkBox& box, const Image& surroundings)
        : job_(job), image_(surroundings), x_(box.x > 0 ? box.x - 1 : 0), y_(box.y > 0 ? box.y - 1 : 0),
          eight_(job.connectivity == Connectivity::eight) {}

    [[nodiscard]] OutlineTotals::Value of(const Run& run) const {
        OutlineTotals::Value sum{};
        for (std::uint32_t x = run.left; x < run.right; ++x) {
            const unsigned before = neighboursBefore(x, run.y);
            sum.perimeter += perimeterChange(before);
            sum.euler += eulerChange(before, eight_);
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

    [[nodiscard]] int heightAt(std::uint32_t x, std::uint32_t y) const noexcept {
        return job_.height(image_.level(std::size_t{y - y_} * image_.width() + (x - x_)));
    }

    const PartJob& job_;
    const Image& image_;
    std::uint32_t x_;
    std::uint32_t y_;
    bool eight_;
};

/// Mean coordinates of the components in the whole picture.
/// @param place coordinate of a pixel of the chunk in the whole picture
template <class Place>
std::shared_ptr<const AttributeColumn> centroids(AttributeId id, const ComponentTree& tree, const Place& place) {
    const std::size_t n = tree.nodeCount();
    std::vector<std::uint64_t> count(n, 0);
    std::vector<UInt128> sum(n, 0);
    for (std::size_t p = 0; p < tree.pixelCount(); ++p) {
        ++count[tree.pixelNode[p]];
        sum[tree.pixelNode[p]] += place(p);
    }
    Buffer<double> values(n);
    for (std::size_t i = n; i-- > 0;) {
        values[i] = static_cast<double>(sum[i]) / static_cast<double>(count[i]);
        if (i > 0) {
            count[tree.parent[i]] += count[i];
            sum[tree.parent[i]] += sum[i];
        }
    }
    return std::make_shared<const AttributeColumn>(AttributeColumn{id, std::move(values), 0, 0});
}

} // namespace

ChunkTree::ChunkTree(const PartJob& job, ChunkImage image, Session& session, const std::string& algorithm,
                     const JobControl& control)
    : job_(job), image_(std::move(image)), box_(job.grid.boxOf(image_.chunk)) {
    session.openImage(image_.image);
    (void)session.buildTree({job.kind, job.connectivity, algorithm, {}}, control.withoutProgress());
    tree_ = session.tree();
    if (job.needs.has<PixelCount>()) {
        area_ = session.attribute(AttributeId::area, control.withoutProgress());
    }
    if (job.needs.has<LevelTotal>()) {
        sum_ = session.attribute(AttributeId::sum, control.withoutProgress());
    }
    findOpenNodes();
    measure(session, control);
    const bool isAllOpen = openCount_ == tree_->nodeCount();
    if (!isAllOpen) {
        leaves_ = ChunkLeaves(job.values, session, *tree_, control);
        decisions_.bits = meetCriteria(session, control);
    } else { // e.g. in a chunk of one slice, in which not all attributes of volumes are measured
        decisions_.bits = Buffer<std::uint8_t>(openCount_);
        std::ranges::fill(decisions_.bits.span(), std::uint8_t{0});
    }
    if (!job.values.any()) {
        decideByRule(decisions_, control);
    }
}

void ChunkTree::findOpenNodes() {
    const std::size_t n = tree_->nodeCount();
    open_ = Buffer<std::uint8_t>(n);
    std::ranges::fill(open_.span(), std::uint8_t{0});
    for (const Direction direction : job_.grid.seamsOf(image_.chunk, job_.connectivity)) {
        SeamLayer::of(box_.extent, direction).forEachPixel(box_.extent, [&](std::size_t, std::size_t pixel) {
            for (std::uint32_t node = tree_->pixelNode[pixel]; open_[node] == 0; node = tree_->parent[node]) {
                open_[node] = 1;
            }
        });
    }
    nearest_ = Buffer<std::uint32_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        nearest_[i] = open_[i] != 0 ? openCount_++ : i == 0 ? kNone : nearest_[tree_->parent[i]];
    }
}

void ChunkTree::measure(Session& session, const JobControl& control) {
    if (openCount_ < tree_->nodeCount()) {
        std::ranges::transform(job_.measured, std::back_inserter(measured_),
                               [&](AttributeId id) { return columnOf(id, session, control); });
    }
}

std::shared_ptr<const AttributeColumn> ChunkTree::columnOf(AttributeId id, Session& session,
                                                           const JobControl& control) const {
    const std::uint32_t width = box_.extent.width;
    if (id == AttributeId::centroidX) {
        return centroids(id, *tree_, [&](std::size_t p) { return std::uint64_t{box_.x} + p % width; });
    }
    if (id == AttributeId::centroidY) {
        return centroids(id, *tree_, [&](std::size_t p) { return std::uint64_t{box_.y} + p / width; });
    }
    return session.attribute(id, control.withoutProgress());
}

Buffer<std::uint8_t> ChunkTree::meetCriteria(Session& session, const JobControl& control) const {
    FilterSpec filter;
    filter.match = job_.filter.match;
    std::ranges::copy_if(job_.filter.criteria, std::back_inserter(filter.criteria),
                         [](const Criterion& criterion) { return !dependsOnAncestors(criterion.attribute); });
    const std::size_t n = tree_->nodeCount();
    if (filter.criteria.empty() && !job_.filter.criteria.empty()) {
        Buffer<std::uint8_t> meets(n);
        std::ranges::fill(meets.span(), std::uint8_t{filter.match == Match::all});
        return meets;
    }
    const FilterColumns columns = columnsOf(filter, [&](AttributeId id) { return columnOf(id, session, control); });
    return pollard::meetCriteria(filter, columns, n, control);
}

void ChunkTree::decideByRule(Decisions& decisions, const JobControl& control) const {
    const std::size_t n = tree_->nodeCount();
    Buffer<std::uint8_t>& bits = decisions.bits;
    Buffer<std::int64_t>& excess = decisions.excess;
    const bool raises = job_.filter.rule == Rule::max;
    const bool weighs = job_.filter.rule == Rule::viterbi;
    if (!raises && !weighs) {
        forEachIndex(n, control,
                     [&](std::size_t i) { bits[i] = bits[i] != 0 ? NodeBits::kKept | NodeBits::kMeets : 0; });
        return;
    }
    if (weighs) {
        excess = Buffer<std::int64_t>(n);
        forEachIndex(n, control, [&](std::size_t i) { excess[i] = excessAlone(bits[i]); });
    }
    for (std::size_t i = n; i-- > 0;) {
        if (open_[i] != 0) {
            continue;
        }
        const std::uint8_t meets = bits[i] & 1U;
        const std::uint8_t raised = bits[i] >> 1U; // by a descendant
        const bool kept = weighs ? excess[i] <= 0 : (meets | raised) != 0;
        bits[i] = static_cast<std::uint8_t>((kept ? NodeBits::kKept : 0) | (meets != 0 ? NodeBits::kMeets : 0));
        if (i == 0) {
            continue;
        }
        const std::uint32_t parent = tree_->parent[i];
        if (weighs) {
            excess[i] = std::min<std::int64_t>(excess[i], 0);
            excess[parent] += excess[i];
        } else if (open_[parent] == 0 && kept) {
            bits[parent] |= 2U;
        }
    }
}

LeafMeasure ChunkTree::leafOf(Prominence measure, std::size_t node) const noexcept {
    LeafMeasure best = leaves_.of(measure, node);
    best.leaf = wholeIndex(static_cast<std::uint32_t>(best.leaf));
    return best;
}

PartValues ChunkTree::valuesOf(const PartValues& values) const {
    requireValues(values, openCount_);
    PartValues all(job_.values, tree_->nodeCount(), values.lastProminent);
    for (std::size_t i = 0; i < tree_->nodeCount(); ++i) {
        if (open_[i] != 0) {
            all.copy(i, values, nearest_[i]);
        } else {
            all.close(i, i == 0 ? PartValues::kNoParent : tree_->parent[i],
                      [&](Prominence measure) { return leafOf(measure, i); });
        }
    }
    return all;
}

ChunkTree::Decisions ChunkTree::decide(const PartValues& values, const JobControl& control) const {
    const PartValues all = valuesOf(values);
    const AncestorCriteria criteria(job_);
    Decisions decisions{Buffer<std::uint8_t>(tree_->nodeCount()), {}};
    forEachIndex(tree_->nodeCount(), control, [&](std::size_t i) {
        decisions.bits[i] = open_[i] == 0 && criteria.meet(decisions_.bits[i] != 0, all, i) ? 1 : 0;
    });
    decideByRule(decisions, control);
    return decisions;
}

Summaries ChunkTree::decisions(const PartValues& values, const JobControl& control) const {
    Summaries open(job_.ruleNeeds(), openCount_);
    joinDecisions(decide(values, control), open);
    return open;
}

void ChunkTree::addLeaves(const Part& part, ProminentLeaves& to) const {
    const Prominence measure = job_.filter.prominent->measure;
    const Buffer<LeafMeasure>& ofOpen = part.own.bestLeaf(measure);
    for (std::size_t i = 0; i < tree_->nodeCount(); ++i) {
        if (open_[i] != 0) {
            continue;
        }
        const LeafMeasure best = leafOf(measure, i);
        const std::uint32_t parent = tree_->parent[i];
        const std::uint64_t survivor = i == 0               ? LeafMeasure::kNoLeaf
                                       : open_[parent] != 0 ? ofOpen[nearest_[parent]].leaf
                                                            : leafOf(measure, parent).leaf;
        if (best.leaf != survivor) {
            to.add(best);
        }
    }
}

std::size_t ChunkTree::bytes() const noexcept {
    std::size_t sum = image_.image->bytes() + tree_->pixelNode.bytes() + tree_->parent.bytes() + tree_->level.bytes() +
                      tree_->subtreeEnd.bytes() + tree_->canonical.bytes() + nearest_.bytes() + open_.bytes() +
                      decisions_.bits.bytes() + decisions_.excess.bytes() + leaves_.bytes();
    if (image_.surroundings) {
        sum += image_.surroundings->bytes();
    }
    const auto add = [&](const std::shared_ptr<const AttributeColumn>& column) {
        sum += column ? std::visit([](const auto& values) { return values.bytes(); }, column->values) : 0;
    };
    add(area_);
    add(sum_);
    std::ranges::for_each(measured_, add);
    return sum;
}

Part ChunkTree::part(const JobControl& control) const {
    Part part{
        Buffer<std::uint16_t>(openCount_), Buffer<std::uint32_t>(openCount_), Summaries(job_.needs, openCount_), {}};
    for (std::size_t i = 0; i < tree_->nodeCount(); ++i) {
        if (open_[i] != 0) {
            part.height[nearest_[i]] = job_.height(tree_->level[i]);
            part.parent[nearest_[i]] = i == 0 ? kNone : nearest_[tree_->parent[i]];
        }
    }
    for (const Direction direction : job_.grid.seamsOf(image_.chunk, job_.connectivity)) {
        const SeamLayer layer = SeamLayer::of(box_.extent, direction);
        Seam seam{image_.chunk, direction, Buffer<std::uint32_t>(layer.extent.pixelCount())};
        layer.forEachPixel(
            box_.extent, [&](std::size_t at, std::size_t pixel) { seam.node[at] = nearest_[tree_->pixelNode[pixel]]; });
        part.seams.push_back(std::move(seam));
    }
    if (openCount_ > 0) {
        joinNodes(part);
        joinPixels(part, control);
    }
    return part;
}

/// Calls visit(node, number of the nearest open ancestor) for the closed nodes but the root.
template <class Visit> void ChunkTree::forEachClosed(Visit&& visit) const {
    for (std::size_t i = 1; i < tree_->nodeCount(); ++i) {
        if (open_[i] == 0) {
            visit(i, nearest_[i]);
        }
    }
}

/// Calls visit(node, number of the parent) for the closed children of open nodes.
template <class Visit> void ChunkTree::forEachClosedChild(Visit&& visit) const {
    forEachClosed([&](std::size_t i, std::uint32_t to) {
        if (open_[tree_->parent[i]] != 0) {
            visit(i, to);
        }
    });
}

void ChunkTree::joinNodes(Part& part) const {
    Summaries& own = part.own;
    // The total of an open node is in the columns: less those of its open children, it is what the part hands on.
    const auto joinTotals = [&](Buffer<std::uint64_t>& column, const AttributeColumn& totals) {
        std::visit(
            [&](const auto& values) {
                for (std::size_t i = 0; i < values.size(); ++i) {
                    if (open_[i] != 0) {
                        const auto total = static_cast<std::uint64_t>(values[i]);
                        column[nearest_[i]] += total;
                        if (i > 0) {
                            column[nearest_[tree_->parent[i]]] -= total;
                        }
                    }
                }
            },
            totals.values);
    };
    if (own.has<PixelCount>()) {
        joinTotals(own.of<PixelCount>(), *area_);
    }
    if (own.has<LevelTotal>()) {
        joinTotals(own.of<LevelTotal>(), *sum_);
    }
    if (own.has<Peak>()) {
        forEachClosed(
            [&](std::size_t i, std::uint32_t to) { Peak::join(own.of<Peak>()[to], job_.height(tree_->level[i])); });
    }
    if (own.has<LeafCount>()) {
        forEachClosed([&](std::size_t i, std::uint32_t to) {
            own.of<LeafCount>()[to] += tree_->subtreeEnd[i] == i + 1 ? 1U : 0U;
        });
    }
    if (own.has<NodeCount>()) {
        forEachClosed([&](std::size_t, std::uint32_t to) { ++own.of<NodeCount>()[to]; });
    }
    if (own.has<ClosedChildren>()) {
        forEachClosedChild([&](std::size_t, std::uint32_t to) { ++own.of<ClosedChildren>()[to]; });
    }
    joinDecisions(decisions_, own);
    joinLeaves(own);
}

void ChunkTree::joinDecisions(const Decisions& decisions, Summaries& to) const {
    if (to.has<Excess>()) {
        forEachClosedChild(
            [&](std::size_t i, std::uint32_t parent) { to.of<Excess>()[parent] += decisions.excess[i]; });
    }
    if (to.has<AnyMeets>()) {
        forEachClosedChild([&](std::size_t i, std::uint32_t parent) {
            to.of<AnyMeets>()[parent] |= static_cast<std::uint8_t>(decisions.bits[i] & NodeBits::kKept);
        });
    }
}

void ChunkTree::joinLeaves(Summaries& own) const {
    if (own.has<LastPixel>()) {
        for (std::size_t i = 0; i < tree_->nodeCount(); ++i) {
            if (open_[i] != 0) {
                own.of<LastPixel>()[nearest_[i]] = wholeIndex(tree_->canonical[i]);
            }
        }
    }
    for (const Prominence measure : kAllProminences) {
        if (Buffer<LeafMeasure>& best = own.bestLeaf(measure); !best.empty()) {
            forEachClosedChild([&](std::size_t i, std::uint32_t parent) {
                const LeafMeasure leaf = leafOf(measure, i);
                best[parent] = leaf.isBefore(best[parent]) ? leaf : best[parent];
            });
        }
    }
}

void ChunkTree::joinPixels(Part& part, const JobControl& control) const {
    Summaries& own = part.own;
    const bool needsRuns = own.has<SquareTotal>() || own.has<BoundingBox>() || own.has<MomentTotals>() ||
                           own.has<ThirdMomentTotals>() || own.has<OutlineTotals>() || own.has<BorderCount>() ||
                           own.has<FirstPixel>();
    if (!needsRuns) {
        return;
    }
    std::optional<OutlineChanges> outline;
    if (own.has<OutlineTotals>()) {
        outline.emplace(job_, box_, *image_.surroundings);
    }
    constexpr std::size_t kLocks = 1024;
    std::vector<std::mutex> locks(kLocks); // of the nodes with equal remainders
    const auto joinRun = [&](std::uint32_t node, const Run& run, std::size_t pixel) {
        const PowerSums x(run.left, run.right);
        UInt128 squares = 0;
        if (own.has<SquareTotal>()) {
            for (std::size_t i = 0; i < run.right - run.left; ++i) {
                const std::uint64_t level = image_.image->level(pixel + i);
                squares += level * level;
            }
        }
        const OutlineTotals::Value changes = outline ? outline->of(run) : OutlineTotals::Value{};
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
        join(OutlineTotals{}, changes);
        join(BorderCount{}, borderPixels(run, job_.grid.whole()));
        join(FirstPixel{}, job_.grid.pixel(run.left, run.y, run.z));
    };
    const Extent& extent = box_.extent;
    constexpr std::size_t kRowsPerTask = 16;
    forEachIndex(
        extent.rows(), control,
        [&](std::size_t row) {
            const std::size_t start = row * extent.width;
            const auto y = box_.y + static_cast<std::uint32_t>(row % extent.height);
            const auto z = box_.z + static_cast<std::uint32_t>(row / extent.height);
            for (std::uint32_t x = 0; x < extent.width;) {
                const std::uint32_t node = nearest_[tree_->pixelNode[start + x]];
                const std::uint32_t left = x++;
                while (x < extent.width && nearest_[tree_->pixelNode[start + x]] == node) {
                    ++x;
                }
                joinRun(node, {box_.x + left, box_.x + x, y, z}, start + left);
            }
        },
        kRowsPerTask);
}

PartResults ChunkTree::resultsOf(const PartResults& results, const PartValues& values, std::uint64_t& kept,
                                 const JobControl& control) const {
    requireResults(results, openCount_);
    const Decisions decided = job_.values.any() ? decide(values, control) : Decisions{};
    const Buffer<std::uint8_t>& bits = job_.values.any() ? decided.bits : decisions_.bits;
    const std::size_t n = tree_->nodeCount();
    const bool labels = job_.filter.output == Output::labels;
    PartResults all(n, labels);
    if (labels) {
        findFirstPixels(all.component);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (open_[i] != 0) {
            all.set(i, results.at(nearest_[i]));
            continue;
        }
        const std::uint16_t height = job_.height(tree_->level[i]);
        const std::uint64_t first = labels ? all.component[i] : NodeResult::kNone;
        if (i == 0) {
            all.set(i, resultOf(job_.filter.rule, bits[i], height, first, height, nullptr));
            ++kept;
            continue;
        }
        const std::uint32_t parent = tree_->parent[i];
        const NodeResult above = all.at(parent);
        const NodeResult result =
            resultOf(job_.filter.rule, bits[i], height, first, job_.height(tree_->level[parent]), &above);
        kept += (result.flags & NodeResult::kStays) != 0 ? 1 : 0;
        all.set(i, result);
    }
    return all;
}

std::vector<std::uint64_t> ChunkTree::firstPixels(const PartResults& results, const PartValues& values,
                                                  const JobControl& control) const {
    std::uint64_t kept = 0;
    const PartResults all = resultsOf(results, values, kept, control);
    std::vector<std::uint64_t> first;
    for (std::uint32_t p = 0; p < tree_->pixelCount(); ++p) {
        const std::uint64_t component = all.component[tree_->pixelNode[p]];
        if (component != NodeResult::kNone && component == wholeIndex(p)) {
            first.push_back(component);
        }
    }
    return first;
}

std::uint64_t ChunkTree::wholeIndex(std::uint32_t pixel) const noexcept {
    const Voxel at = voxelAt(pixel, box_.extent);
    return job_.grid.pixel(std::uint64_t{box_.x} + at.x, std::uint64_t{box_.y} + at.y, std::uint64_t{box_.z} + at.z);
}

void ChunkTree::findFirstPixels(Buffer<std::uint64_t>& first) const {
    std::ranges::fill(first.span(), FirstPixel::kNone);
    for (std::size_t p = tree_->pixelCount(); p-- > 0;) {
        first[tree_->pixelNode[p]] = p;
    }
    for (std::size_t i = first.size(); i-- > 1;) {
        FirstPixel::join(first[tree_->parent[i]], first[i]);
    }
    for (std::uint64_t& pixel : first) {
        pixel = wholeIndex(static_cast<std::uint32_t>(pixel));
    }
}

} // namespace pollard
