#include "cpu/cpu_engine.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "components/components.hpp"
#include "cpu/node_attributes.hpp"
#include "cpu/textbook_trees.hpp"
#include "cpu/tree_builder.hpp"
#include "cpu/tree_memory.hpp"
#include "engine/engine.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "filter/node_decision.hpp"
#include "filter/output_values.hpp"
#include "image/image.hpp"
#include "snake/snake_job.hpp"
#include "tree/component_tree.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#ifdef __unix__
#include <unistd.h>
#endif

namespace pollard::cpu {

namespace {

/// Writes the output of a filter, pixel by pixel.
struct PixelWriter {
    const ComponentTree& tree;
    const Buffer<std::uint16_t>& filteredLevel; ///< per node
    const JobControl& control;

    /// Gathers the values of all pixels.
    /// @param store `void(std::size_t pixel, std::uint32_t node, Pixel filtered)`
    /// @return number of pixels that the filter changes
    template <class Pixel, class Store> std::uint64_t gather(const Pixel* source, Store&& store) const {
        std::atomic<std::uint64_t> changed{0};
        forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
            std::uint64_t here = 0;
            for (std::size_t p = begin; p != end; ++p) {
                const std::uint32_t node = tree.pixelNode[p];
                const auto filtered = static_cast<Pixel>(filteredLevel[node]);
                here += filtered != source[p] ? 1 : 0;
                store(p, node, filtered);
            }
            changed += here;
        });
        return changed;
    }

    template <class Pixel>
    std::uint64_t write(const Image& image, const NodeDecision& decision, const FilterSpec& spec, Image& out) const {
        const Pixel* source = image.pixels<Pixel>().data();
        Pixel* target = out.pixels<Pixel>().data();
        switch (spec.output) {
        case Output::filtered:
            return gather<Pixel>(source, [=](std::size_t p, std::uint32_t, Pixel filtered) { target[p] = filtered; });
        case Output::residue:
            return gather<Pixel>(source, [=](std::size_t p, std::uint32_t, Pixel filtered) {
                target[p] = static_cast<Pixel>(source[p] > filtered ? source[p] - filtered : filtered - source[p]);
            });
        case Output::mask:
        case Output::labels:
            break;
        }
        const Buffer<std::uint16_t> values = outputValues(tree, spec, decision, control);
        return gather<Pixel>(source, [&, target](std::size_t p, std::uint32_t node, Pixel) {
            target[p] = static_cast<Pixel>(values[node]);
        });
    }
};

/// Decides which nodes are kept and writes the requested output: a few passes over the nodes in the order of indices
/// and one gather over the pixels, independent of the tree's depth.
/// @param columns columnsOf() @p spec
/// @param out image of the type and size of @p image
/// @throws Error(invalidArgument) if columns are missing or have another size than the tree; Cancelled; @p out is then
/// undefined
FilterReport filterTree(const ComponentTree& tree, const Image& image, const FilterSpec& spec,
                        const FilterColumns& columns, Image& out, const JobControl& control) {
    StageTimer timer;
    const NodeDecision decision = decideNodes(tree, spec, columns, control);
    control.throwIfStopped();
    timer.finish("decide");

    FilterReport report;
    const Buffer<std::uint16_t> filteredLevel = filteredLevels(tree, spec.rule, decision.keep);
    report.keptNodes = std::accumulate(decision.keep.begin(), decision.keep.end(), std::uint64_t{0});
    report.removedNodes = tree.nodeCount() - report.keptNodes;
    report.unknownPicks = decision.unknownPicks;
    control.throwIfStopped();
    timer.finish("levels");

    const PixelWriter writer{tree, filteredLevel, control};
    report.changedPixels =
        dispatch(image.type(), [&]<class Pixel>(Pixel) { return writer.write<Pixel>(image, decision, spec, out); });
    timer.finish("pixels");
    report.milliseconds = timer.totalMilliseconds();
    report.stages = timer.take();
    return report;
}

constexpr std::string_view kAlgorithm = "branches";

/// Session of the CPU engine: data in host memory, work in its own arena.
class CpuSession final : public Session, public TimedParts {
public:
    explicit CpuSession(const SessionOptions& options);

    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return tree_; }
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control) override;
    [[nodiscard]] std::vector<StageTime> timeParentImage(const TreeSpec& asked, const JobControl& control) override;
    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) const override;
    [[nodiscard]] std::uint64_t leastTreeBytes(const Image& image) const override;

protected:
    void setImage(std::shared_ptr<const Image> image) override;
    TreeReport build(const TreeSpec& asked, const JobControl& control) override;
    FilterReport runFilter(const FilterSpec& spec, Image& out, const JobControl& control) override;
    [[nodiscard]] LabelImage label(const FilterSpec& spec, const JobControl& control) override;

private:
    /// @returns the spec with an algorithm and a connectivity for the open image
    [[nodiscard]] TreeSpec specFor(const TreeSpec& spec) const;
    void requireTree(const char* operation) const;
    /// Measures an attribute and keeps its column.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> measure(AttributeId id, const JobControl& control);

    std::optional<tbb::global_control> moreThreads_; ///< allows oneTBB more than one thread per core
    tbb::task_arena arena_;
    std::shared_ptr<const Image> image_;
    std::shared_ptr<const ComponentTree> tree_;
    std::unique_ptr<NodeAttributes> attributes_;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> columns_;
};

CpuSession::CpuSession(const SessionOptions& options)
    : arena_(options.threads > 0 ? options.threads : tbb::task_arena::automatic) {
    if (options.threads > tbb::info::default_concurrency()) {
        moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.threads));
    }
}

void CpuSession::setImage(std::shared_ptr<const Image> image) {
    image_ = std::move(image);
    tree_.reset();
    attributes_.reset();
    columns_.clear();
}

TreeReport CpuSession::build(const TreeSpec& asked, const JobControl& control) {
    const TreeSpec spec = specFor(asked);
    TreeReport report;
    StageTimer timer;
    auto tree = std::make_shared<const ComponentTree>(arena_.execute([&] {
        if (!isTextbook(spec.algorithm)) {
            return buildComponentTree(*image_, spec, control, timer);
        }
        requireStageMemory(image_->extent(), kTextbookBytes * image_->pixelCount());
        return buildTextbookTree(*image_, spec, control, timer);
    }));
    report.algorithm = spec.algorithm;
    report.nodes = static_cast<std::uint32_t>(tree->nodeCount());
    report.leaves = tree->leafCount;
    report.depth = tree->depth;
    report.rootLevel = tree->level[0];
    report.milliseconds = timer.totalMilliseconds();
    report.stages = timer.take();
    attributes_ = std::make_unique<NodeAttributes>(tree, mapping());
    tree_ = std::move(tree);
    columns_.clear();
    return report;
}

std::shared_ptr<const AttributeColumn> CpuSession::attribute(AttributeId id, const JobControl& control) {
    requireTree("attribute");
    if (const auto known = columns_.find(id); known != columns_.end()) {
        return known->second;
    }
    const bool isFirst = columns_.empty();
    try {
        return measure(id, control);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::outOfMemory || isFirst) {
            throw;
        }
    }
    // The other columns, and the sums that they share, can be measured again.
    columns_.clear();
    attributes_ = std::make_unique<NodeAttributes>(tree_, mapping());
    return measure(id, control);
}

std::shared_ptr<const AttributeColumn> CpuSession::measure(AttributeId id, const JobControl& control) {
    try {
        auto column =
            std::make_shared<const AttributeColumn>(arena_.execute([&] { return attributes_->compute(id, control); }));
        columns_.emplace(id, column);
        return column;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "attribute '" + std::string(attributeInfo(id).name) + "': no memory for " +
                                                std::to_string(tree_->nodeCount()) + " nodes");
    }
}

FilterReport CpuSession::runFilter(const FilterSpec& spec, Image& out, const JobControl& control) {
    requireTree("filter");
    if (out.type() != image_->type() || out.extent() != image_->extent()) {
        throw Error(ErrorCode::invalidArgument, "filter: the output image differs from the input in type or size");
    }
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
    try {
        return arena_.execute([&] { return filterTree(*tree_, *image_, spec, columns, out, control); });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "filter: no memory for " + std::to_string(tree_->nodeCount()) + " nodes");
    }
}

LabelImage CpuSession::label(const FilterSpec& spec, const JobControl& control) {
    return arena_.execute([&] { return Session::label(spec, control); });
}

std::vector<StageTime> CpuSession::timeParentImage(const TreeSpec& asked, const JobControl& control) {
    const TreeSpec spec = specFor(asked);
    StageTimer timer;
    (void)arena_.execute([&] {
        return isTextbook(spec.algorithm) ? buildTextbookParents(*image_, spec, control, timer)
                                          : buildParentImage(*image_, spec, control, timer);
    });
    return timer.take();
}

std::uint64_t CpuSession::estimateTreeBytes(const Image& image) const { return cpu::estimateTreeBytes(image); }

std::uint64_t CpuSession::leastTreeBytes(const Image& image) const {
    return sizeof(std::uint32_t) * image.pixelCount(); // the node of each pixel
}

TreeSpec CpuSession::specFor(const TreeSpec& spec) const {
    if (image_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, "build tree: no image is open");
    }
    if (!spec.algorithm.empty() && spec.algorithm != kAlgorithm && !isTextbook(spec.algorithm)) {
        throw Error(ErrorCode::engineUnavailable, "build tree: algorithm '" + spec.algorithm +
                                                      "': the CPU engine has '" + std::string(kAlgorithm) +
                                                      "', 'union-find' and 'flooding'");
    }
    TreeSpec fitting = spec;
    fitting.connectivity = connectivityIn(image_->extent(), spec.connectivity);
    if (spec.algorithm.empty()) {
        fitting.algorithm = kAlgorithm;
    }
    return fitting;
}

void CpuSession::requireTree(const char* operation) const {
    if (tree_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, std::string(operation) + ": build a tree first");
    }
}

} // namespace

} // namespace pollard::cpu

namespace pollard {

namespace {

class CpuEngine final : public Engine {
public:
    [[nodiscard]] std::string name() const override { return "cpu"; }
    [[nodiscard]] std::string device() const override {
        const int threads = tbb::info::default_concurrency();
        return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override {
#ifdef _SC_PHYS_PAGES
        return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#else
        return 0;
#endif
    }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
        std::vector<AlgorithmInfo> all{
            {"branches", "max-tree", "cpu", "Pollard; triplet merge trees: Smirnov & Morozov 2017"},
            {std::string(cpu::kUnionFind), "max-tree", "cpu", "Berger et al. 2007", cpu::kTextbookBytes},
            {std::string(cpu::kFlooding), "max-tree", "cpu", "Salembier, Oliveras & Garrido 1998", cpu::kTextbookBytes},
            {"runs", kLabellingJob, "cpu", "Pollard; runs: He, Chao & Suzuki 2008"}};
        const auto addSnake = [&](SnakeMoves moves, const char* source) {
            all.push_back({std::string(nameOf(moves)), std::string(kSnakeJob), "cpu", source});
        };
        addSnake(SnakeMoves::localBest, "Pollard; likelihood: Chesnaud et al. 1999");
        addSnake(SnakeMoves::parity, "Perrot, \"GPU-accelerated snake\"; likelihood: Chesnaud et al. 1999");
        addSnake(SnakeMoves::sequential, "Chesnaud et al. 1999");
        return all;
    }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        return std::make_unique<cpu::CpuSession>(options);
    }
};

} // namespace

std::unique_ptr<Engine> makeCpuEngine() { return std::make_unique<CpuEngine>(); }

} // namespace pollard
