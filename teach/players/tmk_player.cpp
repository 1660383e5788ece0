#include "players/players.hpp"

#include "cuda/components/tmk/tmk_build.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::teach {
namespace {

using cuda::tmk::kNone;
using cuda::tmk::Links;

constexpr std::uint32_t kNodes = 8; ///< merged per block

constexpr std::array kTmkLines{
    POLLARD_TEACH("label the objects: every pixel gets the number of its object's root"),
    POLLARD_TEACH(
        "every two neighbours in a row become a node with their label and their measurements: a tree of its own"),
    POLLARD_TEACH("in blocks of 8 nodes, in shared memory: 1 and 1 trees become one, then 2 and 2, 4 and 4"),
    POLLARD_TEACH("in global memory: 8 and 8, 16 and 16, ... until one tree is left"),
    POLLARD_TEACH("    every node of the right tree on its own: insert(node, root of the left tree)"),
    POLLARD_TEACH("insert: climb down, left or right by the next bit of the label's key"),
    POLLARD_TEACH("    a free place: the node stays there"),
    POLLARD_TEACH("    a node with the same label: it takes over the measurements, and the node is empty"),
    POLLARD_TEACH("sizes: every leaf climbs and counts; where two paths meet, the second continues with both counts"),
    POLLARD_TEACH("every node moves to its place in preorder: a list without gaps"),
};

constexpr StepText kLabels{POLLARD_TEACH("Objects with labels: %1. Their measurements are missing."), 0};
constexpr StepText kMake{POLLARD_TEACH("Node %1 stands for the pixel %2 and its neighbour: label %3, pixels: %4."), 1};
constexpr StepText kAloneInBlock{POLLARD_TEACH("Node %1 leaves its children behind: other threads insert them."), 2};
constexpr StepText kAlone{POLLARD_TEACH("Node %1 leaves its children behind: other threads insert them."), 4};
constexpr StepText kToLeft{POLLARD_TEACH("Node %1 of label %2 finds a free place to the left of node %3."), 6};
constexpr StepText kToRight{POLLARD_TEACH("Node %1 of label %2 finds a free place to the right of node %3."), 6};
constexpr StepText kAdd{
    POLLARD_TEACH("Node %1 finds node %2 with its own label %3: node %2 has %4 pixels, and node %1 is empty."), 7};
constexpr StepText kBlockRoot{POLLARD_TEACH("Block %1 is done: the root of its tree is node %2."), 2};
constexpr StepText kBlockEmpty{POLLARD_TEACH("Block %1 holds no object."), 2};
constexpr StepText kRound{POLLARD_TEACH("Trees of %1 places are merged in pairs, all at the same time."), 3};
constexpr StepText kTmkSize{POLLARD_TEACH("Nodes in the subtree of node %1, itself included: %2."), 8};
constexpr StepText kPlace{POLLARD_TEACH("Before node %1 of label %2 come %3 nodes: this is its place in the list."), 9};
constexpr StepText kTmkEnd{POLLARD_TEACH("Every object has one node with all its measurements. Objects: %1."), -1};

/// State of a node at the last call of recordChanges().
struct NodeState {
    Links links{kNone, kNone, kNone, kNone};
    std::uint64_t pixels = 0;
};

/// Machine for TmkBuild that records the changes of the nodes.
class TmkRecording : public KernelMachine {
public:
    TmkRecording(const LabImage& image, const PlayerSpec& spec)
        : KernelMachine(spec), mask_(image, spec), trace_(image),
          nodes_(cuda::tmk::nodesOfRow(image.width) * image.height) {
        trace_.setUp(Layer::number, image.pixelCount());
        trace_.setUp(Layer::mark, image.pixelCount());
        std::vector<std::int64_t> blockOf(image.pixelCount());
        std::vector<std::int64_t> table(kNodeCells * nodes_.size(), -1);
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            table[n * kNodeCells] = n;
            forPixels(n, [&](std::uint32_t p) { blockOf[p] = n / kNodes; });
        }
        trace_.setUp(Layer::tile, std::move(blockOf));
        trace_.setUp(Layer::table, std::move(table));
        trace_.setTableColumns({POLLARD_TEACH("Node"), POLLARD_TEACH("Label"), POLLARD_TEACH("Parent"),
                                POLLARD_TEACH("Left"), POLLARD_TEACH("Right"), POLLARD_TEACH("Pixels"),
                                POLLARD_TEACH("Size"), POLLARD_TEACH("Place")});
    }

    Trace run() {
        const auto objects = cuda::TmkBuild<TmkRecording, kNodes>(*this, mask_.view())
                                 .run(cuda::PassInput<std::uint8_t>{mask_.view(), nullptr}, false, true);
        trace_.step(kTmkEnd, {numberValue(objects.count)});
        trace_.clearMarks();
        return trace_.take();
    }

    template <class Pass> void blocks(const Pass& pass, std::uint32_t count) {
        prepare(pass, count);
        KernelMachine::blocks(pass, count);
        watch(nullptr);
        finishPass(pass, count);
    }
    template <class Step> void each(const Step& step, std::size_t count) {
        prepare(step, count);
        KernelMachine::each(step, count);
        watch(nullptr);
        finishPass(step, count);
    }

private:
    using MakeNodes = cuda::tmk::MakeNodes<std::uint8_t>;
    using MergeInBlock = cuda::tmk::MergeInBlock<kNodes>;

    template <class Function> void forPixels(std::uint32_t node, const Function& function) const {
        const std::uint32_t width = mask_.view().width;
        const std::uint32_t ofRow = cuda::tmk::nodesOfRow(width);
        const std::uint32_t first = node % ofRow * 2;
        for (std::uint32_t x = first; x < first + 2 && x < width; ++x) {
            function(node / ofRow * width + x);
        }
    }
    [[nodiscard]] std::uint32_t firstPixel(std::uint32_t node) const {
        const std::uint32_t ofRow = cuda::tmk::nodesOfRow(mask_.view().width);
        return node / ofRow * mask_.view().width + node % ofRow * 2;
    }
    void show(std::uint32_t node, NodeCell cell, std::uint32_t value) {
        trace_.set(Layer::table, node * kNodeCells + static_cast<std::size_t>(cell),
                   value == kNone ? -1 : std::int64_t{value});
    }
    void mark(std::uint32_t node, Mark kind) {
        forPixels(node, [&](std::uint32_t p) { trace_.set(p, kind); });
    }
    void markOnly(std::uint32_t node, std::uint32_t other) {
        trace_.clearMarks();
        mark(other, Mark::other);
        mark(node, Mark::active);
    }

    template <class Pass> void prepare(const Pass&, std::size_t) {}
    template <class Pass> void finishPass(const Pass&, std::size_t) {}

    void finishPass(const cuda::ha4::RelabelPass<std::uint64_t>& pass, std::size_t) {
        std::uint32_t objects = 0;
        for (std::uint32_t p = 0; p < mask_.view().width * mask_.view().height; ++p) {
            objects += mask_.isSet(p) && pass.labels[p] == p ? 1 : 0;
        }
        trace_.step(kLabels, {numberValue(objects)});
        for (std::uint32_t p = 0; p < mask_.view().width * mask_.view().height; ++p) {
            if (mask_.isSet(p)) {
                trace_.set(Layer::number, p, pass.labels[p]);
            }
        }
    }

    void finishPass(const MakeNodes& pass, std::size_t) {
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            const Links& links = pass.nodes.links[n];
            if (links.label == kNone) {
                continue;
            }
            const std::uint64_t pixels = pass.nodes.sums[n].area;
            trace_.step(kMake, {numberValue(n), pixelValue(firstPixel(n)), numberValue(links.label),
                                numberValue(static_cast<std::int64_t>(pixels))});
            trace_.clearMarks();
            mark(n, Mark::active);
            update(n, links, pixels);
        }
    }

    void prepare(const MergeInBlock&, std::size_t blocks) {
        hasLoaded_.assign(blocks * MergeInBlock::kThreads, false);
        watch([this](Moment moment) {
            // Until the first barrier, the block fills its memory.
            std::vector<bool>::reference loaded = hasLoaded_[block() * MergeInBlock::kThreads + thread()];
            if (loaded) {
                const auto& memory = *static_cast<const MergeInBlock::Memory*>(sharedMemory());
                const std::uint32_t first = block() * kNodes;
                const std::uint32_t count = std::min(kNodes, static_cast<std::uint32_t>(nodes_.size()) - first);
                recordChanges(memory.links, memory.sums, first, count, kAloneInBlock);
            } else if (moment == Moment::meeting) {
                loaded = true;
            }
        });
    }
    void finishPass(const MergeInBlock& pass, std::size_t blocks) {
        for (std::uint32_t b = 0; b < blocks; ++b) {
            trace_.clearMarks();
            if (pass.roots[b] == kNone) {
                trace_.step(kBlockEmpty, {numberValue(b)});
            } else {
                trace_.step(kBlockRoot, {numberValue(b), numberValue(pass.roots[b])});
                mark(pass.roots[b], Mark::active);
            }
        }
    }

    void prepare(const cuda::tmk::MergeRightNode& step, std::size_t) {
        trace_.step(kRound, {numberValue(std::int64_t{1} << step.sizeBits)});
        trace_.clearMarks();
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            forPixels(n, [&](std::uint32_t p) { trace_.set(Layer::tile, p, n >> (step.sizeBits + 1)); });
        }
        watch([this, nodes = step.nodes](Moment) {
            recordChanges(nodes.links, nodes.sums, 0, static_cast<std::uint32_t>(nodes_.size()), kAlone);
        });
    }

    void prepare(const cuda::tmk::CountNodes& step, std::size_t) {
        sizes_.assign(nodes_.size(), 0);
        watch([this, sizes = step.sizes](Moment) {
            for (std::uint32_t n = 0; n < sizes_.size(); ++n) {
                if (sizes[n] != sizes_[n]) {
                    sizes_[n] = sizes[n];
                    trace_.step(kTmkSize, {numberValue(n), numberValue(sizes[n])});
                    trace_.clearMarks();
                    mark(n, Mark::active);
                    show(n, NodeCell::size, sizes[n]);
                }
            }
        });
    }

    void prepare(const cuda::tmk::CompactNodes& step, std::size_t) {
        std::fill_n(step.labels, listLength(), kNone); // new memory is undefined
        places_.assign(nodes_.size(), kNone);
        watch([this, labels = step.labels, list = listLength()](Moment) {
            for (std::uint32_t place = 0; place < list; ++place) {
                if (labels[place] != places_[place]) {
                    places_[place] = labels[place];
                    showPlace(labels[place], place);
                }
            }
        });
    }
    /// Number of nodes that are not empty.
    [[nodiscard]] std::uint32_t listLength() const {
        std::uint32_t length = 0;
        for (const NodeState& node : nodes_) {
            length += node.links.label != kNone ? 1 : 0;
        }
        return length;
    }
    void showPlace(std::uint32_t label, std::uint32_t place) {
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            if (nodes_[n].links.label == label) {
                trace_.step(kPlace, {numberValue(n), numberValue(label), numberValue(place)});
                trace_.clearMarks();
                mark(n, Mark::active);
                show(n, NodeCell::place, place);
            }
        }
    }

    /// Records the changes of nodes by the running thread since the last call.
    /// @param links,sums @p count nodes from @p first on, whose links count from 0
    void recordChanges(const Links* links, const cuda::FeatureSums* sums, std::uint32_t first, std::uint32_t count,
                       const StepText& alone) {
        std::optional<std::uint32_t> freed, adopter, emptied, grown;
        changed_.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            const NodeState& before = nodes_[first + i];
            const Links now = {links[i].label, outer(links[i].parent, first), outer(links[i].left, first),
                               outer(links[i].right, first)};
            const bool holds = now.label != kNone;
            const bool adopts = (now.left != before.links.left && now.left != kNone) ||
                                (now.right != before.links.right && now.right != kNone);
            const bool frees = (now.left != before.links.left && now.left == kNone) ||
                               (now.right != before.links.right && now.right == kNone);
            adopter = adopts ? first + i : adopter;
            freed = frees ? first + i : freed;
            emptied = !holds && before.links.label != kNone ? first + i : emptied;
            grown = holds && sums[i].area != before.pixels ? first + i : grown;
            if (adopts || frees || now.label != before.links.label || now.parent != before.links.parent ||
                (holds && sums[i].area != before.pixels)) {
                changed_.push_back(i);
            }
        }
        if (changed_.empty()) {
            return;
        }
        if (emptied && grown) {
            trace_.step(kAdd, {numberValue(*emptied), numberValue(*grown), numberValue(nodes_[*grown].links.label),
                               numberValue(static_cast<std::int64_t>(sums[*grown - first].area))});
            markOnly(*emptied, *grown);
        } else if (adopter) {
            const std::uint32_t left = outer(links[*adopter - first].left, first);
            const bool toLeft = left != nodes_[*adopter].links.left;
            const std::uint32_t child = toLeft ? left : outer(links[*adopter - first].right, first);
            trace_.step(toLeft ? kToLeft : kToRight,
                        {numberValue(child), numberValue(nodes_[child].links.label), numberValue(*adopter)});
            markOnly(child, *adopter);
        } else if (freed) {
            trace_.step(alone, {numberValue(*freed)});
            markOnly(*freed, *freed);
        }
        for (const std::uint32_t i : changed_) {
            update(first + i,
                   {links[i].label, outer(links[i].parent, first), outer(links[i].left, first),
                    outer(links[i].right, first)},
                   links[i].label != kNone ? sums[i].area : 0);
        }
    }
    [[nodiscard]] static std::uint32_t outer(std::uint32_t node, std::uint32_t first) {
        return node == kNone ? kNone : first + node;
    }

    void update(std::uint32_t node, const Links& links, std::uint64_t pixels) {
        nodes_[node] = {links, pixels};
        const bool holds = links.label != kNone;
        show(node, NodeCell::label, links.label);
        show(node, NodeCell::parent, holds ? links.parent : kNone);
        show(node, NodeCell::left, holds ? links.left : kNone);
        show(node, NodeCell::right, holds ? links.right : kNone);
        show(node, NodeCell::pixels, holds ? static_cast<std::uint32_t>(pixels) : kNone);
    }

    LabMask mask_;
    TraceRecorder trace_;
    std::vector<NodeState> nodes_;
    std::vector<std::uint32_t> changed_;
    std::vector<bool> hasLoaded_; ///< per thread of all blocks
    std::vector<std::uint32_t> sizes_;
    std::vector<std::uint32_t> places_; ///< label at each index of the list
};

Trace recordTmk(const LabImage& image, const PlayerSpec& spec) { return TmkRecording(image, spec).run(); }

constexpr PlayerInfo kTmkInfo{
    .id = "tmk",
    .title = POLLARD_TEACH("Objects: the tree merge kernel"),
    .summary = POLLARD_TEACH("How a GPU measures objects: small binary trees of labels are merged in pairs, and nodes "
                             "with the same label are added up."),
    .lines = kTmkLines,
    .asksTurns = true,
    .asksThreshold = true,
    .record = &recordTmk,
};

} // namespace

const PlayerInfo& tmkPlayer() { return kTmkInfo; }

} // namespace pollard::teach
