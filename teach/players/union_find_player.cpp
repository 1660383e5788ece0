#include "players/players.hpp"

#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"

#include <array>

namespace pollard::teach {
namespace {

constexpr std::array kUnionFindLines{
    POLLARD_TEACH("sort the pixels by level"),
    POLLARD_TEACH("for each pixel p, from the brightest:"),
    POLLARD_TEACH("    p becomes a tree of its own"),
    POLLARD_TEACH("    for each neighbour n that is visited already:"),
    POLLARD_TEACH("        r = the root of n's tree"),
    POLLARD_TEACH("        if r is not p: the parent of r is p"),
    POLLARD_TEACH("for each pixel p, from the darkest:"),
    POLLARD_TEACH("    let p's parent be the canonical pixel of its node"),
};

constexpr StepText kSort{POLLARD_TEACH("The pixels are sorted: each cell shows its place, the brightest first."), 0};
constexpr StepText kUnionFindVisit{POLLARD_TEACH("Pixel %1 of level %2 is visited: a tree of its own."), 2};
constexpr StepText kUnionFindSame{POLLARD_TEACH("The neighbour %1 is in the tree of %2 already."), 4};
constexpr StepText kUnionFindJoin{POLLARD_TEACH("The neighbour %1 is in the tree with root %2: %3 becomes its parent."),
                                  5};
constexpr StepText kCanonical{
    POLLARD_TEACH("The parent of %1 was %2, which is not the canonical pixel of its node: %3 is."), 7};
constexpr StepText kUnionFindEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 6};

Trace recordUnionFind(const LabImage& image, const PlayerSpec& spec) {
    requireLab(image);
    const std::vector<std::uint16_t> level = orderedLevels(image, spec.kind);
    const std::vector<std::uint32_t> ascending = pixelsByLevel(level);
    const auto edges = gridEdges(image.width, image.height, spec.connectivity);
    const auto edgesOf = edgesOfPixels(edges, level.size());

    TraceRecorder trace(image);
    trace.setUp(Layer::parent, level.size());
    trace.setUp(Layer::number, level.size());
    trace.setUp(Layer::mark, level.size());
    trace.setUp(Layer::edge, edges.size());

    trace.step(kSort);
    for (std::uint32_t rank = 0; rank < ascending.size(); ++rank) {
        trace.set(Layer::number, ascending[rank], static_cast<std::int64_t>(ascending.size() - rank));
    }

    std::vector<std::uint32_t> above(level.size()); // union-find with path halving
    std::vector<bool> visited(level.size(), false);
    const auto rootOf = [&](std::uint32_t p) {
        while (above[p] != p) {
            above[p] = above[above[p]];
            p = above[p];
        }
        return p;
    };
    for (auto brightest = ascending.rbegin(); brightest != ascending.rend(); ++brightest) {
        const std::uint32_t p = *brightest;
        trace.step(kUnionFindVisit, {pixelValue(p), levelValue(image.levels[p])});
        trace.clearMarks();
        above[p] = p;
        visited[p] = true;
        trace.set(p, Mark::active);
        trace.set(Layer::parent, p, p);
        for (const std::uint32_t e : edgesOf[p]) {
            const std::uint32_t n = edges[e].first == p ? edges[e].second : edges[e].first;
            if (!visited[n]) {
                continue;
            }
            const std::uint32_t root = rootOf(n);
            const bool joins = root != p;
            if (joins) {
                trace.step(kUnionFindJoin, {pixelValue(n), pixelValue(root), pixelValue(p)});
            } else {
                trace.step(kUnionFindSame, {pixelValue(n), pixelValue(p)});
            }
            trace.clearMarks();
            trace.set(p, Mark::active);
            trace.set(n, Mark::other);
            trace.set(e, joins ? EdgeMark::used : EdgeMark::idle);
            if (joins) {
                above[root] = p;
                trace.set(Layer::parent, root, p);
                trace.ask();
            }
        }
    }
    for (const std::uint32_t p : ascending) {
        const auto parent = static_cast<std::uint32_t>(trace.at(Layer::parent, p));
        const auto next = static_cast<std::uint32_t>(trace.at(Layer::parent, parent));
        if (next != parent && level[next] == level[parent]) {
            trace.step(kCanonical, {pixelValue(p), pixelValue(parent), pixelValue(next)});
            trace.clearMarks();
            trace.set(p, Mark::active);
            trace.set(Layer::parent, p, next);
            trace.ask();
        }
    }
    trace.step(kUnionFindEnd);
    trace.clearMarks();
    return trace.take();
}

constexpr PlayerInfo kUnionFindInfo{
    .id = "union-find",
    .title = POLLARD_TEACH("Max-tree: sort, then union-find"),
    .summary = POLLARD_TEACH("The textbook's algorithm: from the brightest pixel to the darkest, each joins the trees "
                             "of its neighbours that are done."),
    .lines = kUnionFindLines,
    .asksTree = true,
    .record = &recordUnionFind,
};

} // namespace

const PlayerInfo& unionFindPlayer() { return kUnionFindInfo; }

} // namespace pollard::teach
