#include "players/players.hpp"

#include "cuda/published/tile_tree.hpp"
#include "trace/trace.hpp"
#include "watched/connect_recorder.hpp"
#include "watched/tile_lab.hpp"

#include <array>
#include <cstdint>

namespace pollard::teach {
namespace {

constexpr int kColumnsConnect = 6; ///< line of connect()
constexpr auto kColumnsLines = withConnectLines(std::array{
    POLLARD_TEACH("in each thread, for each of its columns, from the last pixel to the first:"),
    POLLARD_TEACH("    not lower than the last one: its parent is the last one"),
    POLLARD_TEACH("    lower: it takes over a parent, and becomes parent itself"),
    POLLARD_TEACH("meet; leave out edges that cannot change the tree"),
    POLLARD_TEACH("in each thread, for each boundary between two columns: connect(p, q) for each edge (p, q)"),
    POLLARD_TEACH("meet; let every pixel's parent be the canonical pixel of its node, or of the node above"),
});
static_assert(kColumnsLines.size() == kColumnsConnect + kConnectLines.size());

constexpr StepText kBegin{POLLARD_TEACH("Thread %1 begins a column with its last pixel, %2: a tree of one pixel."), 0};
constexpr StepText kGrow{POLLARD_TEACH("Thread %1: the pixel above is %2, and its parent is %3."), 1};
constexpr StepText kLower{
    POLLARD_TEACH("Thread %1: %2 is lower than the pixel below it, and takes over the parent %3."), 2};
constexpr StepText kLowest{POLLARD_TEACH("Thread %1: %2 is lower than all below it: the root of the column's tree."),
                           2};
constexpr StepText kAbove{POLLARD_TEACH("Thread %1: the last one that is higher, %2, gets %3 as its parent."), 2};
constexpr StepText kColumnsLeaveOut{
    POLLARD_TEACH("%1 of the %2 edges between columns are left out: others connect the same components."), 3};
constexpr StepText kColumnsJoin{
    POLLARD_TEACH("Every column has its tree. Threads join neighbouring columns, all at the same time."), 4};
constexpr StepText kColumnsFlatten{POLLARD_TEACH("Thread %1: the parent of %2 becomes the canonical pixel %3."), 5};
constexpr StepText kColumnsEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 5};
constexpr ConnectTexts kColumnsConnectTexts = connectTexts(kColumnsConnect);

/// A ConnectRecorder that also records how the trees of the columns grow.
class ColumnsRecorder final : public ConnectRecorder {
public:
    ColumnsRecorder(TreeLab& lab, VirtualThreads& builders)
        : ConnectRecorder(lab.trace(), lab.threads(), lab.edges(), kColumnsConnectTexts), lab_(lab),
          builders_(builders) {}

    void onSet(std::uint32_t pixel, std::uint32_t parent) override {
        TraceRecorder& trace = lab_.trace();
        const bool isNew = trace.at(Layer::parent, pixel) < 0;
        if (isNew) {
            builders_.turn();
        }
        const std::uint32_t width = lab_.image().width;
        const std::uint32_t thread = builders_.current();
        const bool begins = pixel + width >= lab_.image().pixelCount();
        const std::uint32_t shown = parent == kNoPixel ? pixel : parent;
        const auto at = static_cast<std::int8_t>(thread);
        if (!isNew) {
            trace.step(kAbove, {threadValue(thread), pixelValue(pixel), pixelValue(shown)}, at);
        } else if (begins) {
            trace.step(kBegin, {threadValue(thread), pixelValue(pixel)}, at);
        } else if (lab_.ordered()[pixel] >= lab_.ordered()[pixel + width]) {
            trace.step(kGrow, {threadValue(thread), pixelValue(pixel), pixelValue(shown)}, at);
        } else if (parent != kNoPixel) {
            trace.step(kLower, {threadValue(thread), pixelValue(pixel), pixelValue(shown)}, at);
        } else {
            trace.step(kLowest, {threadValue(thread), pixelValue(pixel)}, at);
        }
        trace.clearMarks();
        trace.set(pixel, Mark::active);
        trace.set(Layer::thread, thread, pixel);
        if (isNew && !begins) {
            trace.set(edgeBetween(lab_.edges(), pixel, pixel + width), EdgeMark::used);
        }
        trace.set(Layer::parent, pixel, shown);
        if (!begins && shown != pixel) {
            trace.ask();
        }
    }

private:
    TreeLab& lab_;
    VirtualThreads& builders_;
};

Trace recordColumns(const LabImage& image, const PlayerSpec& spec) {
    TreeLab lab(image, spec);
    const std::uint32_t width = image.width;
    std::vector<std::int64_t> columns;
    for (std::uint32_t pixel = 0; pixel < image.pixelCount(); ++pixel) {
        columns.push_back(pixel % width);
    }
    lab.trace().setUp(Layer::tile, columns);

    using Tile = cuda::TileTree<std::uint16_t, kLabSide, kLabSide, ObservedLinks<cuda::TileRecord>>;
    std::array<std::uint16_t, Tile::kPixels> levels{};
    std::array<Tile::Word, Tile::kPixels> words{};
    VirtualThreads builders = VirtualThreads::inOrder(lab.threadCount());
    ColumnsRecorder recorder(lab, builders);
    const Tile tile{levels.data(), {words.data(), recorder, {0, kLabSide, width}}, width, image.height};

    static_cast<void>(builders.run([&](std::uint32_t thread) {
        for (std::uint32_t x = thread; x < width; x += lab.threadCount()) {
            tile.loadColumn(lab.ordered(), 0, width, x);
            tile.buildColumn(x);
        }
    }));
    lab.skipEdges({{width, image.height, 1, image.height}, false, false}, kColumnsLeaveOut);
    lab.trace().step(kColumnsJoin);
    recorder.leave();
    const bool joined = lab.threads().run([&](std::uint32_t thread) {
        for (std::uint32_t x = thread; x + 1 < width; x += lab.threadCount()) {
            tile.joinColumns(x, lab.rule());
        }
    });
    if (!joined) {
        return lab.offerChoices();
    }
    std::vector<cuda::PixelRecord::Word> links;
    for (std::uint32_t pixel = 0; pixel < image.pixelCount(); ++pixel) {
        links.push_back(Tile::imageRecord(tile.flatParent(Tile::indexOf(pixel % width, pixel / width)), 0, width));
    }
    lab.flatten(links, kColumnsFlatten, kColumnsEnd);
    recorder.leave();
    return lab.trace().take();
}

constexpr PlayerInfo kColumnsInfo{
    .id = "columns",
    .title = POLLARD_TEACH("Max-tree on a GPU: column trees, joined by many threads"),
    .summary =
        POLLARD_TEACH("Every column gets a tree of its own; then threads connect neighbouring columns, all in the "
                      "same links at the same time, without locks."),
    .lines = kColumnsLines,
    .asksTree = true,
    .asksThreads = true,
    .record = &recordColumns,
};

} // namespace

const PlayerInfo& columnsPlayer() { return kColumnsInfo; }

} // namespace pollard::teach
