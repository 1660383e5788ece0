#include "chunks/chunk_trees.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "engine/engine_registry.hpp"
#include "filter/filter_columns.hpp"
#include "filter/node_decision.hpp"
#include "image/mask.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint32_t kNone = Part::kNone;
/// Mean coordinates of the components in the whole image.
/// @param place coordinate of a pixel of the chunk in the whole image
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

std::shared_ptr<const ComponentTree> buildTree(const PartJob& job, const std::shared_ptr<const Image>& image,
                                               Session& session, const std::string& algorithm,
                                               const JobControl& control) {
    session.open(image);
    (void)session.buildTree({job.kind, job.connectivity, algorithm, {}}, control.withoutProgress());
    return session.tree();
}

/// A copy with the pixels outside a mask at one level.
std::shared_ptr<const Image> withOutside(const Image& image, const Mask& inside, std::uint16_t level) {
    auto out = std::make_shared<Image>(image.type(), image.extent());
    std::memcpy(out->data(), image.data(), image.bytes());
    dispatch(image.type(), [&]<class T>(T) {
        for (std::uint32_t y = 0; y < inside.height(); ++y) {
            T* row = out->pixels<T>().data() + std::size_t{y} * image.width();
            forEachRun(inside, y, false, [&](std::uint32_t first, std::uint32_t last) {
                std::fill(row + first, row + last, static_cast<T>(level));
            });
        }
    });
    return out;
}

/// The box with the pixels around it, within the image.
ChunkBox surroundingsOf(const ChunkBox& box, const Extent& whole) {
    const std::uint32_t x = box.x - std::min(box.x, 1U);
    const std::uint32_t y = box.y - std::min(box.y, 1U);
    return {x,
            y,
            box.z,
            {std::min(whole.width, box.x + box.extent.width + 1) - x,
             std::min(whole.height, box.y + box.extent.height + 1) - y, box.extent.slices}};
}

std::size_t bytesOf(const LoadedChunk& chunk) noexcept {
    const bool hasMask = chunk.loaded.valid != nullptr;
    return chunk.tree->bytes() + (hasMask ? chunk.loaded.image->bytes() + chunk.loaded.valid->bytes() : 0);
}

} // namespace

ChunkTree::ChunkTree(const PartJob& job, ChunkImage image, Session& session, const std::string& algorithm,
                     const JobControl& control)
    : job_(job), image_(std::move(image)), box_(job.grid.boxOf(image_.chunk)),
      tree_(buildTree(job, image_.image, session, algorithm, control)), open_(job, image_.chunk, *tree_, control) {
    if (job.needs.has<PixelCount>()) {
        area_ = session.attribute(AttributeId::area, control.withoutProgress());
    }
    if (job.needs.has<LevelTotal>()) {
        sum_ = session.attribute(AttributeId::sum, control.withoutProgress());
    }
    if (openCount() < tree_->nodeCount()) {
        std::ranges::transform(job.measured, std::back_inserter(measured_),
                               [&](AttributeId id) { return columnOf(id, session, control); });
        leaves_ = ChunkLeaves(job.values, session, *tree_, control);
        decisions_.bits = meetCriteria(session, control);
    } else { // e.g. in a chunk of one slice, in which not all attributes of volumes are measured
        decisions_.bits = Buffer<std::uint8_t>(openCount());
        std::ranges::fill(decisions_.bits.span(), std::uint8_t{0});
    }
    if (!job.values.any()) {
        decisions_.applyRule(job, *tree_, open_, control);
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
    std::shared_ptr<const AttributeColumn> column = session.attribute(id, control.withoutProgress());
    if (id != AttributeId::sum || !job_.sums) {
        return column;
    }
    const auto area = session.attribute(AttributeId::area, control.withoutProgress());
    Buffer<double> values(tree_->nodeCount());
    std::visit(
        [&](const auto& pixels, const auto& levels) {
            forEachIndex(values.size(), control, [&](std::size_t i) {
                values[i] = job_.sums->of(static_cast<std::uint64_t>(pixels[i]), static_cast<std::uint64_t>(levels[i]));
            });
        },
        area->values, column->values);
    return std::make_shared<const AttributeColumn>(AttributeColumn{id, std::move(values), 0, 0});
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

LeafMeasure ChunkTree::leafOf(Prominence measure, std::size_t node) const noexcept {
    LeafMeasure best = leaves_.of(measure, node);
    best.leaf = wholeIndex(static_cast<std::uint32_t>(best.leaf));
    return best;
}

PartValues ChunkTree::valuesOf(const PartValues& values, const JobControl& control) const {
    requireValues(values, openCount());
    PartValues all(job_.values, tree_->nodeCount(), values.lastProminent);
    const auto set = [&](std::size_t i, std::size_t parent) {
        if (open_.isOpen(i)) {
            all.copy(i, values, open_.nearest(i));
        } else {
            all.close(i, parent, [&](Prominence measure) { return leafOf(measure, i); });
        }
    };
    set(0, PartValues::kNoParent);
    sweepDown(*tree_, control, set);
    return all;
}

ChunkDecisions ChunkTree::decide(const PartValues& values, const JobControl& control) const {
    const PartValues all = valuesOf(values, control);
    const AncestorCriteria criteria(job_);
    ChunkDecisions decisions{Buffer<std::uint8_t>(tree_->nodeCount()), {}};
    forEachIndex(tree_->nodeCount(), control, [&](std::size_t i) {
        decisions.bits[i] = !open_.isOpen(i) && criteria.meet(decisions_.bits[i] != 0, all, i) ? 1 : 0;
    });
    decisions.applyRule(job_, *tree_, open_, control);
    return decisions;
}

Summaries ChunkTree::decisions(const PartValues& values, const JobControl& control) const {
    Summaries open(job_.ruleNeeds(), openCount());
    decide(values, control).join(*tree_, open_, open);
    return open;
}

void ChunkTree::addLeaves(const Part& part, ProminentLeaves& to) const {
    const Prominence measure = job_.filter.prominent->measure;
    const Buffer<LeafMeasure>& ofOpen = part.own.bestLeaf(measure);
    for (std::size_t i = 0; i < tree_->nodeCount(); ++i) {
        if (open_.isOpen(i)) {
            continue;
        }
        const LeafMeasure best = leafOf(measure, i);
        const std::uint32_t parent = tree_->parent[i];
        const std::uint64_t survivor = i == 0                 ? LeafMeasure::kNoLeaf
                                       : open_.isOpen(parent) ? ofOpen[open_.nearest(parent)].leaf
                                                              : leafOf(measure, parent).leaf;
        if (best.leaf != survivor) {
            to.add(best);
        }
    }
}

std::size_t ChunkTree::bytes() const noexcept {
    std::size_t sum = image_.image->bytes() + tree_->pixelNode.bytes() + tree_->parent.bytes() + tree_->level.bytes() +
                      tree_->subtreeEnd.bytes() + tree_->canonical.bytes() + open_.bytes() + decisions_.bytes() +
                      leaves_.bytes();
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
        Buffer<std::uint16_t>(openCount()), Buffer<std::uint32_t>(openCount()), Summaries(job_.needs, openCount()), {}};
    for (std::size_t k = 0; k < openCount(); ++k) {
        const std::uint32_t node = open_.list()[k];
        part.height[k] = job_.height(tree_->level[node]);
        part.parent[k] = node == 0 ? kNone : open_.nearest(tree_->parent[node]);
    }
    for (const Direction direction : job_.grid.seamsOf(image_.chunk, job_.connectivity)) {
        const SeamLayer layer = SeamLayer::of(box_.extent, direction);
        Seam seam{image_.chunk, direction, Buffer<std::uint32_t>(layer.extent.pixelCount())};
        layer.forEachPixel(box_.extent, [&](std::size_t at, std::size_t pixel) {
            seam.node[at] = open_.nearest(tree_->pixelNode[pixel]);
        });
        part.seams.push_back(std::move(seam));
    }
    if (openCount() > 0) {
        joinNodes(part);
        joinPixels(job_, box_, *image_.image, image_.surroundings.get(), *tree_, open_, part.own, control);
    }
    return part;
}

void ChunkTree::joinNodes(Part& part) const {
    Summaries& own = part.own;
    // The columns have the total of an open node. Less the totals of its open children, it is the share of the part.
    const auto joinTotals = [&](Buffer<std::uint64_t>& column, const AttributeColumn& totals) {
        std::visit(
            [&](const auto& values) {
                for (std::size_t k = 0; k < openCount(); ++k) {
                    const std::uint32_t node = open_.list()[k];
                    const auto total = static_cast<std::uint64_t>(values[node]);
                    column[k] += total;
                    if (node > 0) {
                        column[open_.nearest(tree_->parent[node])] -= total;
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
        open_.forEachClosed(
            [&](std::size_t i, std::uint32_t to) { Peak::join(own.of<Peak>()[to], job_.height(tree_->level[i])); });
    }
    if (own.has<LeafCount>()) {
        open_.forEachClosed([&](std::size_t i, std::uint32_t to) {
            own.of<LeafCount>()[to] += tree_->subtreeEnd[i] == i + 1 ? 1U : 0U;
        });
    }
    if (own.has<NodeCount>()) {
        open_.forEachClosed([&](std::size_t, std::uint32_t to) { ++own.of<NodeCount>()[to]; });
    }
    if (own.has<ClosedChildren>()) {
        open_.forEachClosedChild(*tree_, [&](std::size_t, std::uint32_t to) { ++own.of<ClosedChildren>()[to]; });
    }
    decisions_.join(*tree_, open_, own);
    joinLeaves(own);
}

void ChunkTree::joinLeaves(Summaries& own) const {
    if (own.has<LastPixel>()) {
        std::ranges::transform(open_.list(), own.of<LastPixel>().begin(),
                               [&](std::uint32_t node) { return wholeIndex(tree_->canonical[node]); });
    }
    for (const Prominence measure : kAllProminences) {
        if (Buffer<LeafMeasure>& best = own.bestLeaf(measure); !best.empty()) {
            open_.forEachClosedChild(*tree_, [&](std::size_t i, std::uint32_t parent) {
                const LeafMeasure leaf = leafOf(measure, i);
                best[parent] = leaf.isBefore(best[parent]) ? leaf : best[parent];
            });
        }
    }
}

PartResults ChunkTree::resultsOf(const PartResults& results, const PartValues& values, std::uint64_t& kept,
                                 const JobControl& control) const {
    if (results.height.size() < openCount() && canBeCut(job_)) {
        return resultsOf(resultsOfOpen(results, control), values, kept, control);
    }
    requireResults(results, openCount());
    const ChunkDecisions decided = job_.values.any() ? decide(values, control) : ChunkDecisions{};
    const Buffer<std::uint8_t>& bits = job_.values.any() ? decided.bits : decisions_.bits;
    const std::size_t n = tree_->nodeCount();
    const bool labels = job_.filter.output == Output::labels;
    PartResults all(n, labels);
    if (labels) {
        findFirstPixels(all.component, control);
    }
    const auto set = [&](std::size_t i, std::size_t parent) {
        if (open_.isOpen(i)) {
            all.set(i, results.at(open_.nearest(i)));
            return;
        }
        const std::uint16_t height = job_.height(tree_->level[i]);
        const std::uint64_t first = labels ? all.component[i] : NodeResult::kNone;
        if (i == 0) {
            all.set(i, resultOf(job_.filter.rule, bits[i], height, first, height, nullptr));
            return;
        }
        const NodeResult above = all.at(parent);
        all.set(i, resultOf(job_.filter.rule, bits[i], height, first, job_.height(tree_->level[parent]), &above));
    };
    set(0, 0);
    sweepDown(*tree_, control, set);

    std::atomic<std::uint64_t> staying{0};
    forEachRange(n, control, [&](std::size_t begin, std::size_t end) {
        std::uint64_t here = 0;
        for (std::size_t i = begin; i != end; ++i) {
            const bool stays = i == 0 || (all.flags[i] & NodeResult::kStays) != 0; // the root always does
            here += stays && !open_.isOpen(i) ? 1 : 0;
        }
        staying += here;
    });
    kept += staying;
    return all;
}

PartResults ChunkTree::resultsOfOpen(const PartResults& results, const JobControl& control) const {
    const CutPart cut = cutPart(job_, part(control));
    requireResults(results, cut.part.nodeCount());
    PartResults all(openCount(), job_.filter.output == Output::labels);
    for (std::size_t k = 0; k < openCount(); ++k) {
        const std::uint32_t place = cut.nodeOf[k];
        all.set(k, place == kNone ? CutPart::resultOfDropped(job_.height(tree_->level[open_.list()[k]]))
                                  : results.at(place));
    }
    return all;
}

std::vector<std::uint64_t> ChunkTree::firstPixels(const PartResults& results, const PartValues& values,
                                                  const JobControl& control) const {
    std::uint64_t kept = 0;
    const PartResults all = resultsOf(results, values, kept, control);
    constexpr std::size_t kRowsPerTask = 16;
    const std::uint32_t rowPixels = box_.extent.width;
    std::vector<std::vector<std::uint64_t>> ofRow(box_.extent.rows());
    forEachIndex(
        ofRow.size(), control,
        [&](std::size_t row) {
            for (std::uint32_t x = 0; x < rowPixels; ++x) {
                const std::size_t p = row * rowPixels + x;
                const std::uint64_t component = all.component[tree_->pixelNode[p]];
                if (component != NodeResult::kNone && component == wholeIndex(static_cast<std::uint32_t>(p))) {
                    ofRow[row].push_back(component);
                }
            }
        },
        kRowsPerTask);
    std::vector<std::uint64_t> first;
    for (const std::vector<std::uint64_t>& row : ofRow) {
        first.insert(first.end(), row.begin(), row.end());
    }
    return first;
}

std::uint64_t ChunkTree::wholeIndex(std::uint32_t pixel) const noexcept {
    const Voxel at = voxelAt(pixel, box_.extent);
    return job_.grid.pixel(std::uint64_t{box_.x} + at.x, std::uint64_t{box_.y} + at.y, std::uint64_t{box_.z} + at.z);
}

void ChunkTree::findFirstPixels(Buffer<std::uint64_t>& first, const JobControl& control) const {
    std::ranges::fill(first.span(), FirstPixel::kNone);
    forEachIndex(tree_->pixelCount(), control, [&](std::size_t p) {
        const std::atomic_ref<std::uint64_t> least(first[tree_->pixelNode[p]]);
        std::uint64_t known = least.load(std::memory_order_relaxed);
        while (p < known && !least.compare_exchange_weak(known, p, std::memory_order_relaxed)) {
        }
    });
    sweepUp(*tree_, control,
            [&](std::uint32_t node, std::uint32_t parent) { FirstPixel::join(first[parent], first[node]); });
    forEachIndex(first.size(), control,
                 [&](std::size_t node) { first[node] = wholeIndex(static_cast<std::uint32_t>(first[node])); });
}

ChunkTrees::ChunkTrees(const PartJob& job, ChunkReader reader, ChunkTreeOptions options)
    : job_(job), reader_(std::move(reader)), options_(std::move(options)), reserve_(options_.reserveBytes) {
    if (options_.engines.empty()) {
        throw Error(ErrorCode::engineUnavailable, "filter in chunks: there is no engine");
    }
}

std::string ChunkTrees::engine() const { return built_ == 0 ? std::string() : options_.engines.front()->name(); }

LoadedChunk ChunkTrees::take(std::uint64_t chunk, std::optional<std::uint64_t> next, const JobControl& control) {
    control.throwIfStopped();
    const auto found =
        std::ranges::find_if(kept_, [&](const LoadedChunk& each) { return each.tree->chunk() == chunk; });
    if (found != kept_.end()) {
        LoadedChunk kept = std::move(*found);
        kept_.erase(found);
        keptBytes_ -= bytesOf(kept);
        return kept;
    }
    LoadedChunk taken;
    if (ahead_ == chunk) {
        ahead_.reset();
        taken.loaded = reading_.get();
    } else {
        if (std::exchange(ahead_, std::nullopt)) {
            (void)reading_.get();
        }
        taken.loaded = read(chunk, control);
    }
    const ChunkImage image = imageOf(chunk, taken.loaded, control); // may read, and so precedes readAhead()
    if (next && !isKept(*next)) {
        readAhead(*next, control);
    }
    taken.tree = build(image, control);
    return taken;
}

void ChunkTrees::keep(LoadedChunk chunk) {
    keptBytes_ += bytesOf(chunk);
    kept_.push_back(std::move(chunk));
    while (!kept_.empty() && keptBytes_ > options_.keptBytes) {
        keptBytes_ -= bytesOf(kept_.front());
        kept_.pop_front();
    }
}

bool ChunkTrees::isKept(std::uint64_t chunk) const {
    return std::ranges::any_of(kept_, [&](const LoadedChunk& each) { return each.tree->chunk() == chunk; });
}

LoadedImage ChunkTrees::read(std::uint64_t chunk, const JobControl& control) const {
    return reader_.read(job_.grid.boxOf(chunk), control.withoutProgress());
}

void ChunkTrees::readAhead(std::uint64_t chunk, const JobControl& control) {
    ahead_ = chunk;
    reading_ =
        std::async(std::launch::async, [this, chunk, quiet = control.withoutProgress()] { return read(chunk, quiet); });
}

ChunkImage ChunkTrees::imageOf(std::uint64_t chunk, const LoadedImage& loaded, const JobControl& control) const {
    const auto inside = [&](const LoadedImage& from) {
        return from.valid ? withOutside(*from.image, *from.valid, reader_.outsideLevel) : from.image;
    };
    ChunkImage image{chunk, inside(loaded), nullptr};
    if (job_.needs.hasNeighbours()) {
        image.surroundings =
            inside(reader_.read(surroundingsOf(job_.grid.boxOf(chunk), job_.grid.whole()), control.withoutProgress()));
    }
    return image;
}

std::unique_ptr<ChunkTree> ChunkTrees::build(const ChunkImage& image, const JobControl& control) {
    std::unique_ptr<ChunkTree> tree;
    Engine* built = nullptr;
    onFirstThatWorks(
        options_.engines,
        [&](Engine& engine) {
            if (&engine != options_.engines.front() || session_ == nullptr) {
                session_ = engine.openSession(options_.session);
            }
            tree = std::make_unique<ChunkTree>(job_, image, *session_, options_.algorithm, control);
            built = &engine;
        },
        noting(options_.note));
    while (options_.engines.front() != built) { // engines that failed are not asked again
        options_.engines.erase(options_.engines.begin());
    }
    ++built_;
    return tree;
}

} // namespace pollard
