#include "players/players.hpp"

#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"

#include <array>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

namespace pollard::teach {
namespace {

constexpr std::array kFloodingLines{
    POLLARD_TEACH("put a lowest pixel into the queue of its level"),
    POLLARD_TEACH("while a level is open, take the highest one:"),
    POLLARD_TEACH("    p = the next pixel of its queue; its parent is the level's first pixel"),
    POLLARD_TEACH("    for each neighbour n of p that was in no queue yet:"),
    POLLARD_TEACH("        put n into the queue of its level"),
    POLLARD_TEACH("        if n is higher than p: flood n's level before continuing with p"),
    POLLARD_TEACH("    if the queue is empty: close the level; its parent is the highest that is still open"),
    POLLARD_TEACH("name every node after its last pixel"),
};

constexpr StepText kFloodingStart{POLLARD_TEACH("Flooding starts at %1: no pixel is lower than its level, %2."), 0};
constexpr StepText kVisitFirst{POLLARD_TEACH("%1 leaves the queue: it is the first pixel of its node."), 2};
constexpr StepText kFloodingVisit{POLLARD_TEACH("%1 leaves the queue of level %2: it belongs to the node of %3."), 2};
constexpr StepText kQueue{POLLARD_TEACH("The neighbour %1 of %2 is put into the queue of level %3."), 4};
constexpr StepText kRise{
    POLLARD_TEACH("The neighbour %1 is higher than %2: its level %3 is flooded first, and %2 waits."), 5};
constexpr StepText kClose{
    POLLARD_TEACH("The queue of level %1 is empty: the node of %2 is complete, and the node of %3 is its parent."), 6};
constexpr StepText kCloseRoot{POLLARD_TEACH("The queue of level %1 is empty, and no lower level is open: %2 is root."),
                              6};
constexpr StepText kName{
    POLLARD_TEACH(
        "The last pixel of the node of %1 is %2: all pixels that pointed to %1 point to %2, the canonical pixel."),
    7};
constexpr StepText kFloodingEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 7};

class Flooding {
public:
    Flooding(const LabImage& image, const PlayerSpec& spec)
        : image_(image), levels_(orderedLevels(image, spec.kind)),
          edges_(gridEdges(image.width, image.height, spec.connectivity)),
          edgesOf_(edgesOfPixels(edges_, levels_.size())), queued_(levels_.size(), false), trace_(image) {
        trace_.setUp(Layer::parent, levels_.size());
        trace_.setUp(Layer::number, levels_.size());
        trace_.setUp(Layer::mark, levels_.size());
        trace_.setUp(Layer::edge, edges_.size());
    }

    [[nodiscard]] Trace run() {
        const std::uint32_t start = pixelsByLevel(levels_).front();
        step(kFloodingStart, {pixelValue(start), levelOf(start)});
        put(start);
        while (!open_.empty()) {
            OpenLevel& highest = open_.rbegin()->second;
            if (highest.visited) {
                visitNeighbour(highest);
            } else if (!highest.queue.empty()) {
                visit(highest);
            } else {
                close();
            }
        }
        nameNodes();
        step(kFloodingEnd);
        return trace_.take();
    }

private:
    struct OpenLevel {
        std::uint32_t first;                  ///< pixel, stands for the node
        std::deque<std::uint32_t> queue;      ///< pixels
        std::optional<std::uint32_t> visited; ///< pixel whose neighbours are being visited
        std::size_t nextEdge = 0;             ///< of the visited pixel
    };

    [[nodiscard]] Value levelOf(std::uint32_t pixel) const { return levelValue(image_.levels[pixel]); }

    void step(const StepText& text, std::initializer_list<Value> values = {}) {
        trace_.step(text, values);
        for (const std::uint32_t pixel : finished_) {
            trace_.set(pixel, Mark::done);
        }
        finished_.clear();
    }

    void put(std::uint32_t pixel) {
        queued_[pixel] = true;
        open_.try_emplace(levels_[pixel], OpenLevel{pixel, {}, {}, 0}).first->second.queue.push_back(pixel);
        trace_.set(pixel, Mark::waiting);
    }

    void visit(OpenLevel& level) {
        const std::uint32_t pixel = level.queue.front();
        level.queue.pop_front();
        level.visited = pixel;
        level.nextEdge = 0;
        if (pixel == level.first) {
            step(kVisitFirst, {pixelValue(pixel)});
        } else {
            step(kFloodingVisit, {pixelValue(pixel), levelOf(pixel), pixelValue(level.first)});
        }
        trace_.set(pixel, Mark::active);
        trace_.set(Layer::number, pixel, ++visits_);
        trace_.set(Layer::parent, pixel, level.first);
    }

    /// Puts the next neighbour of the visited pixel into its queue.
    void visitNeighbour(OpenLevel& level) {
        const std::uint32_t pixel = *level.visited;
        while (level.nextEdge < edgesOf_[pixel].size()) {
            const std::uint32_t edge = edgesOf_[pixel][level.nextEdge++];
            const std::uint32_t neighbour = edges_[edge].first == pixel ? edges_[edge].second : edges_[edge].first;
            if (queued_[neighbour]) {
                continue;
            }
            const bool rises = levels_[neighbour] > levels_[pixel];
            step(rises ? kRise : kQueue, {pixelValue(neighbour), pixelValue(pixel), levelOf(neighbour)});
            trace_.set(pixel, rises ? Mark::waiting : Mark::active);
            put(neighbour);
            trace_.set(edge, EdgeMark::used);
            return;
        }
        finished_.push_back(pixel);
        level.visited.reset();
    }

    void close() {
        const auto closed = std::prev(open_.end());
        const std::uint32_t first = closed->second.first;
        if (closed == open_.begin()) {
            step(kCloseRoot, {levelOf(first), pixelValue(first)});
        } else {
            const std::uint32_t parent = std::prev(closed)->second.first;
            step(kClose, {levelOf(first), pixelValue(first), pixelValue(parent)});
            trace_.set(Layer::parent, first, parent);
            trace_.ask();
        }
        open_.erase(closed);
    }

    void nameNodes() {
        const auto parentOf = [this](std::size_t pixel) {
            return static_cast<std::uint32_t>(trace_.at(Layer::parent, pixel));
        };
        std::map<std::uint32_t, std::uint32_t> lastOfFirst;
        for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
            const std::uint32_t parent = parentOf(pixel);
            lastOfFirst[levels_[parent] == levels_[pixel] ? parent : pixel] = pixel;
        }
        for (const auto& [first, last] : lastOfFirst) {
            if (first == last) {
                continue;
            }
            step(kName, {pixelValue(first), pixelValue(last)});
            const std::uint32_t above = parentOf(first);
            for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
                if (parentOf(pixel) == first && pixel != first) {
                    trace_.set(Layer::parent, pixel, last);
                }
            }
            trace_.set(Layer::parent, last, above == first ? last : above);
            trace_.set(Layer::parent, first, last);
            trace_.ask();
        }
    }

    const LabImage& image_;
    std::vector<std::uint16_t> levels_;
    std::vector<GridEdge> edges_;
    std::vector<std::vector<std::uint32_t>> edgesOf_;
    std::vector<bool> queued_; ///< per pixel: is or was in a queue
    std::map<std::uint16_t, OpenLevel> open_;
    std::vector<std::uint32_t> finished_; ///< pixels whose last neighbour was visited since the last step
    std::int64_t visits_ = 0;
    TraceRecorder trace_;
};

Trace recordFlooding(const LabImage& image, const PlayerSpec& spec) {
    requireLab(image);
    return Flooding(image, spec).run();
}

constexpr PlayerInfo kFloodingInfo{
    .id = "flooding",
    .title = POLLARD_TEACH("Max-tree: flooding with a queue for every level"),
    .summary = POLLARD_TEACH("Water spreads from a lowest pixel; higher pixels are flooded first, so that a node is "
                             "complete when the queue of its level is empty."),
    .lines = kFloodingLines,
    .asksTree = true,
    .record = &recordFlooding,
};

} // namespace

const PlayerInfo& floodingPlayer() { return kFloodingInfo; }

} // namespace pollard::teach
