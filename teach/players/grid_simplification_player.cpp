#include "players/players.hpp"

#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/tile_tree.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace pollard::teach {
namespace {

constexpr std::array kGridSimplificationLines{
    POLLARD_TEACH("between two neighbouring columns u and v, for each row k:"),
    POLLARD_TEACH("    8-connected: (u[k], v[k]), (u[k-1], v[k]) and (u[k], v[k-1]) are edges"),
    POLLARD_TEACH("        1: keep only the edge between the higher of u[k-1], u[k] and the higher of v[k-1], v[k], if "
                  "it exists"),
    POLLARD_TEACH("        2: leave (u[k], v[k]) out as well if u or v rises in the next row"),
    POLLARD_TEACH("    4-connected: (u[k], v[k]) is an edge"),
    POLLARD_TEACH("        3: leave it out if the edge before is as high, or the next edge higher"),
    POLLARD_TEACH("build the tree of the edges that are kept"),
};

constexpr StepText kGridSimplificationColumns{
    POLLARD_TEACH("The edges within columns stay. Of the %1 edges between columns some cannot change the tree."), 0};
constexpr StepText kFirstRow{
    POLLARD_TEACH("In the first row there is only the edge between %1 and %2, and no edge before it to replace it."),
    1};
constexpr StepText kOneOfThree{
    POLLARD_TEACH("Proposition 1: of these four pixels, %1 and %2 are the higher ones of their columns. Their edge "
                  "makes the others superfluous: they are left out."),
    2};
constexpr StepText kNoneOfThree{
    POLLARD_TEACH(
        "Proposition 1: %1 and %2 are not higher than the pixels before them, %3 and %4, which are neighbours: "
        "all three edges are left out."),
    2};
constexpr StepText kNextRow{POLLARD_TEACH("Proposition 2: the next pixel %3 is higher than the one before it. An edge "
                                          "of the next row replaces the edge between %1 and %2, which is left out."),
                            3};
constexpr StepText kKept{
    POLLARD_TEACH("The edge between %1 and %2 is kept: its neighbours do not connect the columns as high up."), 0};
constexpr StepText kRowBefore{
    POLLARD_TEACH("Proposition 3: the edge before, between %3 and %4, connects the columns at least as high as that "
                  "between %1 and %2, which is left out."),
    5};
constexpr StepText kRowAfter{
    POLLARD_TEACH(
        "Proposition 3: the next edge, between %3 and %4, connects the columns higher than that between %1 and "
        "%2, which is left out."),
    5};
constexpr StepText kTree{POLLARD_TEACH("The tree is built from the edges that are kept: %1 of %2."), 6};
constexpr StepText kGridSimplificationEnd{POLLARD_TEACH("It is the tree of all edges: nothing was lost."), 6};

using PlainTile = cuda::TileTree<std::uint16_t, kLabSide, kLabSide>;

class Simplification {
public:
    Simplification(const LabImage& image, const PlayerSpec& spec)
        : image_(image), levels_(orderedLevels(image, spec.kind)),
          edges_(gridEdges(image.width, image.height, spec.connectivity)),
          eight_(spec.connectivity == Connectivity::eight), trace_(image) {
        trace_.setUp(Layer::parent, levels_.size());
        trace_.setUp(Layer::mark, levels_.size());
        trace_.setUp(Layer::edge, edges_.size());
    }

    [[nodiscard]] Trace run() {
        std::int64_t between = 0;
        for (const auto& [one, other] : edges_) {
            between += other - one != image_.width ? 1 : 0;
        }
        trace_.step(kGridSimplificationColumns, {numberValue(between)});
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            if (image_.width > 1 && edges_[e].second - edges_[e].first == image_.width) {
                trace_.set(e, EdgeMark::used);
            }
        }
        for (std::uint32_t x = 0; x + 1 < image_.width; ++x) {
            for (std::uint32_t y = 0; y < image_.height; ++y) {
                eight_ ? lookAtEight(x, y) : lookAtFour(x, y);
            }
        }
        showTree();
        return trace_.take();
    }

private:
    [[nodiscard]] std::uint32_t u(std::uint32_t x, std::uint32_t y) const { return image_.pixelAt(x, y); }
    [[nodiscard]] std::uint32_t v(std::uint32_t x, std::uint32_t y) const { return image_.pixelAt(x + 1, y); }

    [[nodiscard]] cuda::BoundaryWindow windowAt(std::uint32_t x, std::uint32_t y) const {
        cuda::BoundaryWindow window{};
        window.u = levels_[u(x, y)];
        window.v = levels_[v(x, y)];
        window.hasBefore = y > 0;
        window.hasAfter = y + 1 < image_.height;
        if (window.hasBefore) {
            window.uBefore = levels_[u(x, y - 1)];
            window.vBefore = levels_[v(x, y - 1)];
        }
        if (window.hasAfter) {
            window.uAfter = levels_[u(x, y + 1)];
            window.vAfter = levels_[v(x, y + 1)];
        }
        return window;
    }

    /// The ends of an edge at a position.
    [[nodiscard]] GridEdge ends(std::uint32_t x, std::uint32_t y, std::uint32_t edge) const {
        return {u(x, edge == cuda::kForward ? y - 1 : y), v(x, edge == cuda::kBackward ? y - 1 : y)};
    }

    void mark(std::uint32_t x, std::uint32_t y, std::uint32_t edgesOfPosition, EdgeMark mark) {
        for (const std::uint32_t edge : {cuda::kStraight, cuda::kForward, cuda::kBackward}) {
            if ((edgesOfPosition & edge) != 0) {
                const auto [one, other] = ends(x, y, edge);
                trace_.set(edgeBetween(edges_, one, other), mark);
            }
        }
    }

    /// Begins a step about two pixels.
    void step(const StepText& text, const GridEdge& pixels, std::initializer_list<Value> more = {}) {
        std::array<Value, 4> values{pixelValue(pixels.first), pixelValue(pixels.second)};
        std::copy(more.begin(), more.end(), values.begin() + 2);
        trace_.step(text, {values[0], values[1], values[2], values[3]});
        trace_.clearMarks();
        trace_.set(pixels.first, Mark::active);
        trace_.set(pixels.second, Mark::active);
    }

    void lookAtEight(std::uint32_t x, std::uint32_t y) {
        const cuda::BoundaryWindow window = windowAt(x, y);
        const std::uint32_t all = cuda::keptEdges(window, {true, false});
        const std::uint32_t kept = cuda::keptByProposition1(window);
        if (!window.hasBefore) {
            step(kFirstRow, ends(x, y, kept));
        } else if (kept != 0) {
            step(kOneOfThree, ends(x, y, kept));
        } else {
            step(kNoneOfThree, ends(x, y, cuda::kStraight), {pixelValue(u(x, y - 1)), pixelValue(v(x, y - 1))});
        }
        mark(x, y, all & ~kept, EdgeMark::superfluous);
        mark(x, y, kept, EdgeMark::used);
        if (kept == cuda::kStraight && cuda::droppedByProposition2(window)) {
            step(kNextRow, ends(x, y, kept), {pixelValue(window.uAfter > window.u ? u(x, y + 1) : v(x, y + 1))});
            mark(x, y, kept, EdgeMark::superfluous);
        }
    }

    void lookAtFour(std::uint32_t x, std::uint32_t y) {
        const cuda::BoundaryWindow window = windowAt(x, y);
        const GridEdge own = ends(x, y, cuda::kStraight);
        if (!cuda::droppedByProposition3(window)) {
            step(kKept, own);
            mark(x, y, cuda::kStraight, EdgeMark::used);
            return;
        }
        cuda::BoundaryWindow withoutAfter = window;
        withoutAfter.hasAfter = false;
        const bool before = cuda::droppedByProposition3(withoutAfter);
        const std::uint32_t row = before ? y - 1 : y + 1;
        step(before ? kRowBefore : kRowAfter, own, {pixelValue(u(x, row)), pixelValue(v(x, row))});
        mark(x, y, cuda::kStraight, EdgeMark::superfluous);
    }

    void showTree() {
        std::array<std::uint16_t, PlainTile::kPixels> levels{};
        std::array<PlainTile::Word, PlainTile::kPixels> words{};
        const PlainTile tile{levels.data(), {words.data()}, image_.width, image_.height};
        const cuda::LevelView<std::uint16_t> image{levels_.data(), 0};
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            tile.loadColumn(image, 0, image_.width, x);
            tile.buildColumn(x);
        }
        for (std::uint32_t x = 0; x + 1 < tile.width; ++x) {
            tile.joinColumns(x, {eight_, true});
        }
        std::vector<cuda::PixelRecord::Word> links;
        for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
            const std::uint32_t index = PlainTile::indexOf(pixel % image_.width, pixel / image_.width);
            links.push_back(PlainTile::imageRecord(tile.flatParent(index), 0, image_.width));
        }
        std::int64_t kept = 0;
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            kept += trace_.at(Layer::edge, e) != static_cast<std::int64_t>(EdgeMark::superfluous) ? 1 : 0;
        }
        trace_.step(kTree, {numberValue(kept), numberValue(static_cast<std::int64_t>(edges_.size()))});
        trace_.clearMarks();
        for (std::uint32_t pixel = 0; pixel < levels_.size(); ++pixel) {
            trace_.set(Layer::parent, pixel,
                       canonicalParent(image, cuda::SamePixels{}, cuda::PixelLinks{links.data()}, pixel));
        }
        trace_.step(kGridSimplificationEnd);
    }

    const LabImage& image_;
    std::vector<std::uint16_t> levels_;
    std::vector<GridEdge> edges_;
    bool eight_;
    TraceRecorder trace_;
};

Trace recordGridSimplification(const LabImage& image, const PlayerSpec& spec) {
    requireLab(image);
    return Simplification(image, spec).run();
}

constexpr PlayerInfo kGridSimplificationInfo{
    .id = "grid-simplification",
    .title = POLLARD_TEACH("Which edges of the grid the tree does not need"),
    .summary = POLLARD_TEACH("Between two columns that are each connected, one edge per row is enough, often none: "
                             "three propositions select them."),
    .lines = kGridSimplificationLines,
    .asksTree = true,
    .record = &recordGridSimplification,
};

} // namespace

const PlayerInfo& gridSimplificationPlayer() { return kGridSimplificationInfo; }

} // namespace pollard::teach
