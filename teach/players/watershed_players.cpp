#include "players/players.hpp"

#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"

#include "base/disjoint_sets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::teach {
namespace {

constexpr std::array kWaterLines{
    POLLARD_TEACH("number the regional minima: they are the seeds"),
    POLLARD_TEACH("for each level, from the lowest to the highest:"),
    POLLARD_TEACH("    repeat rounds, as long as they give labels:"),
    POLLARD_TEACH("        each pixel up to this level that has no label, but a neighbour with one:"),
    POLLARD_TEACH("            takes the label of the lowest of these neighbours; of several, the smallest label"),
};
constexpr StepText kWaterSeeds{POLLARD_TEACH("The seeds are the regional minima: %1."), 0};
constexpr StepText kWaterLevel{POLLARD_TEACH("The water rises to level %1."), 1};
constexpr StepText kWaterRound{
    POLLARD_TEACH("Round %1 at level %2 begins: the pixels wait that have a neighbour with a label."), 2};
constexpr StepText kWaterLabel{
    POLLARD_TEACH("%1 takes label %3 of %2, the lowest neighbour that had a label before the round."), 4};
constexpr StepText kWaterEnd{POLLARD_TEACH("Every pixel has the label of the seed that reached it first."), 1};

constexpr std::array kForestLines{
    POLLARD_TEACH("number the regional minima: their pixels are the roots"),
    POLLARD_TEACH("every other pixel is a tree of its own"),
    POLLARD_TEACH("while there are trees without a root:"),
    POLLARD_TEACH("    each component chooses its lightest edge; the weight is the higher of the two levels"),
    POLLARD_TEACH("    join the trees at all chosen edges"),
};
constexpr StepText kForestRoots{
    POLLARD_TEACH("The roots are the regional minima: %1. Every other pixel is a tree of its own."), 1};
constexpr StepText kForestRound{POLLARD_TEACH("Round %1 begins. Trees without a root: %2."), 2};
constexpr StepText kForestChoice{
    POLLARD_TEACH("The tree of %1 chooses the edge from %2 to %3 of weight %4: none of its edges is lighter."), 3};
constexpr StepText kForestRooted{
    POLLARD_TEACH("The edge from %1 to %2 joins a tree with a root: all its pixels get label %3."), 4};
constexpr StepText kForestJoin{POLLARD_TEACH("The edge from %1 to %2 joins two trees without a root."), 4};
constexpr StepText kForestBoth{
    POLLARD_TEACH("Both trees had chosen the edge from %1 to %2: they are one tree already."), 4};
constexpr StepText kForestEnd{
    POLLARD_TEACH("Every pixel has the label of its root: the edges are a minimum spanning forest."), 2};

constexpr std::int64_t kNoLabel = -1;

/// The image as a graph, with its regional minima as seeds.
class SeededGraph {
public:
    SeededGraph(const LabImage& image, const PlayerSpec& spec)
        : image_(image), levels_(orderedLevels(image, spec.kind)),
          edges_(gridEdges(image.width, image.height, spec.connectivity)),
          edgesOf_(edgesOfPixels(edges_, levels_.size())), labels_(shownSeeds(image, spec)), trace_(image) {
        trace_.setUp(Layer::number, labels_);
        trace_.setUp(Layer::mark, levels_.size());
        trace_.setUp(Layer::edge, edges_.size());
    }

protected:
    [[nodiscard]] std::uint32_t seeds() const {
        return static_cast<std::uint32_t>(std::max<std::int64_t>(0, std::ranges::max(labels_)));
    }
    [[nodiscard]] std::uint32_t otherEnd(std::uint32_t edge, std::uint32_t pixel) const {
        return edges_[edge].first == pixel ? edges_[edge].second : edges_[edge].first;
    }
    void label(std::uint32_t pixel, std::int64_t number) {
        labels_[pixel] = number;
        trace_.set(Layer::number, pixel, number);
    }

    const LabImage& image_;
    std::vector<std::uint16_t> levels_; ///< in the order of flooding
    std::vector<GridEdge> edges_;
    std::vector<std::vector<std::uint32_t>> edgesOf_;
    std::vector<std::int64_t> labels_; ///< per pixel
    TraceRecorder trace_;
};

class Water : private SeededGraph {
public:
    using SeededGraph::SeededGraph;

    [[nodiscard]] Trace run() {
        trace_.step(kWaterSeeds, {numberValue(seeds())});
        std::vector<std::uint16_t> rising = levels_;
        std::ranges::sort(rising);
        rising.erase(std::unique(rising.begin(), rising.end()), rising.end());
        for (const std::uint16_t level : rising) {
            flood(level);
        }
        trace_.step(kWaterEnd);
        return trace_.take();
    }

private:
    /// A pixel that takes the label of a neighbour, by an edge.
    struct Reached {
        std::uint32_t pixel;
        std::uint32_t edge;
        std::int64_t label;
    };

    void flood(std::uint16_t level) {
        const auto at = static_cast<std::size_t>(std::ranges::find(levels_, level) - levels_.begin());
        const Value shown = levelValue(image_.levels[at]);
        trace_.step(kWaterLevel, {shown});
        for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
            if (levels_[pixel] == level && isSeeded(pixel)) {
                trace_.set(pixel, Mark::done);
            }
        }
        int round = 0;
        for (std::vector<Reached> reached = reachedAt(level); !reached.empty(); reached = reachedAt(level)) {
            trace_.step(kWaterRound, {numberValue(++round), shown});
            for (const Reached& one : reached) {
                trace_.set(one.pixel, Mark::waiting);
            }
            for (const Reached& one : reached) {
                const std::uint32_t from = otherEnd(one.edge, one.pixel);
                trace_.step(kWaterLabel, {pixelValue(one.pixel), pixelValue(from), numberValue(one.label)});
                trace_.set(one.pixel, Mark::done);
                trace_.set(one.edge, EdgeMark::used);
                label(one.pixel, one.label);
            }
        }
    }

    /// Whether the water has a label here; a seed above the water has none yet.
    [[nodiscard]] bool isSeeded(std::uint32_t pixel) const { return labels_[pixel] != kNoLabel; }

    [[nodiscard]] std::vector<Reached> reachedAt(std::uint16_t level) const {
        std::vector<Reached> reached;
        for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
            if (levels_[pixel] > level || isSeeded(pixel)) {
                continue;
            }
            std::tuple<int, std::int64_t, std::uint32_t> first{1 << 20U, 0, 0}; // level, label, edge
            for (const std::uint32_t edge : edgesOf_[pixel]) {
                const std::uint32_t from = otherEnd(edge, pixel);
                if (isSeeded(from) && levels_[from] <= level) {
                    first = std::min(first, std::tuple(int{levels_[from]}, labels_[from], edge));
                }
            }
            if (std::get<1>(first) > 0) {
                reached.push_back({pixel, std::get<2>(first), std::get<1>(first)});
            }
        }
        return reached;
    }
};

class Forest : private SeededGraph {
public:
    Forest(const LabImage& image, const PlayerSpec& spec) : SeededGraph(image, spec), trees_(levels_.size()) {}

    [[nodiscard]] Trace run() {
        trace_.step(kForestRoots, {numberValue(seeds())});
        for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
            if (labels_[pixel] != kNoLabel) {
                trace_.set(pixel, Mark::done);
            }
        }
        int round = 0;
        for (std::vector<std::uint32_t> open = treesWithoutRoot(); !open.empty(); open = treesWithoutRoot()) {
            trace_.step(kForestRound, {numberValue(++round), numberValue(static_cast<std::int64_t>(open.size()))});
            std::vector<std::uint32_t> chosen;
            for (const std::uint32_t tree : open) {
                chosen.push_back(choose(tree));
            }
            for (const std::uint32_t edge : chosen) {
                join(edge);
            }
        }
        trace_.step(kForestEnd);
        return trace_.take();
    }

private:
    [[nodiscard]] int weightOf(std::uint32_t edge) const {
        return std::max(levels_[edges_[edge].first], levels_[edges_[edge].second]);
    }

    /// The first pixel of each tree that has no label.
    [[nodiscard]] std::vector<std::uint32_t> treesWithoutRoot() {
        std::vector<std::uint32_t> open;
        for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
            if (labels_[pixel] == kNoLabel && trees_.find(pixel) == pixel) {
                open.push_back(pixel);
            }
        }
        return open;
    }

    /// The lightest edge that leaves a tree; of several the first in the order of the edges, which is the same for
    /// all trees, so that the chosen edges make no circle.
    [[nodiscard]] std::uint32_t choose(std::uint32_t tree) {
        std::pair<int, std::uint32_t> best{1 << 20U, 0};
        for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
            const std::uint32_t a = trees_.find(edges_[edge].first);
            const std::uint32_t b = trees_.find(edges_[edge].second);
            if (a != b && (a == tree || b == tree)) {
                best = std::min(best, {weightOf(edge), edge});
            }
        }
        const std::uint32_t edge = best.second;
        const bool startsHere = trees_.find(edges_[edge].first) == tree;
        const std::uint32_t from = startsHere ? edges_[edge].first : edges_[edge].second;
        const std::uint32_t to = otherEnd(edge, from);
        const std::uint32_t higher = levels_[from] >= levels_[to] ? from : to;
        trace_.step(kForestChoice,
                    {pixelValue(tree), pixelValue(from), pixelValue(to), levelValue(image_.levels[higher])});
        trace_.clearMarks();
        trace_.set(edge, EdgeMark::active);
        trace_.set(from, Mark::active);
        return edge;
    }

    void join(std::uint32_t edge) {
        const auto [one, other] = edges_[edge];
        const std::uint32_t a = trees_.find(one);
        const std::uint32_t b = trees_.find(other);
        if (a == b) {
            trace_.step(kForestBoth, {pixelValue(one), pixelValue(other)});
            return;
        }
        const std::int64_t number = std::max(labels_[a], labels_[b]);
        if (number == kNoLabel) {
            trace_.step(kForestJoin, {pixelValue(one), pixelValue(other)});
        } else {
            trace_.step(kForestRooted, {pixelValue(one), pixelValue(other), numberValue(number)});
        }
        trace_.set(edge, EdgeMark::used);
        trees_.join(std::max(a, b), std::min(a, b));
        for (std::uint32_t pixel = 0; number != kNoLabel && pixel < levels_.size(); ++pixel) {
            if (trees_.find(pixel) == std::min(a, b)) {
                label(pixel, number);
                trace_.set(pixel, Mark::done);
            }
        }
    }

    DisjointSets trees_; ///< a tree is known by its first pixel
};

Trace recordWater(const LabImage& image, const PlayerSpec& spec) {
    requireLab(image);
    return Water(image, spec).run();
}

Trace recordForest(const LabImage& image, const PlayerSpec& spec) {
    requireLab(image);
    return Forest(image, spec).run();
}

constexpr PlayerInfo kWaterInfo{
    .id = "watershed",
    .title = POLLARD_TEACH("Watershed: flooding from the minima"),
    .summary = POLLARD_TEACH("Water rises from the regional minima, level by level and in rounds; every pixel gets the "
                             "label of the water that reaches it first."),
    .lines = kWaterLines,
    .asksTree = true,
    .record = &recordWater,
};
constexpr PlayerInfo kForestInfo{
    .id = "forest",
    .title = POLLARD_TEACH("Watershed: minimum spanning forest by Boruvka's algorithm"),
    .summary = POLLARD_TEACH("Trees without a root choose their lightest edges, all at the same time, until every tree "
                             "has a regional minimum as its root. Labels differ from flooding at ties only."),
    .lines = kForestLines,
    .asksTree = true,
    .record = &recordForest,
};

} // namespace

std::vector<std::int64_t> shownSeeds(const LabImage& image, const PlayerSpec& spec) {
    const std::vector<std::uint16_t> levels = orderedLevels(image, spec.kind);
    const std::vector<GridEdge> edges = gridEdges(image.width, image.height, spec.connectivity);
    DisjointSets zones(levels.size());
    for (const auto& [a, b] : edges) {
        const std::uint32_t one = zones.find(a);
        const std::uint32_t other = zones.find(b);
        if (levels[a] == levels[b] && one != other) {
            zones.join(std::max(one, other), std::min(one, other));
        }
    }
    std::vector<bool> isMinimum(levels.size(), true); // per zone, at its first pixel
    for (const auto& [a, b] : edges) {
        if (levels[a] != levels[b]) {
            isMinimum[zones.find(levels[a] > levels[b] ? a : b)] = false;
        }
    }
    std::vector<std::int64_t> seeds(levels.size(), kNoLabel);
    std::int64_t count = 0;
    for (std::uint32_t pixel = 0; pixel < levels.size(); ++pixel) {
        const std::uint32_t zone = zones.find(pixel);
        if (isMinimum[zone]) {
            seeds[pixel] = zone == pixel ? ++count : seeds[zone];
        }
    }
    return seeds;
}

const PlayerInfo& watershedPlayer() { return kWaterInfo; }
const PlayerInfo& forestPlayer() { return kForestInfo; }

} // namespace pollard::teach
