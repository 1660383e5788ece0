#include "players/players.hpp"

#include "cuda/published/border_forest.hpp"
#include "cuda/published/border_tile.hpp"
#include "trace/trace.hpp"
#include "watched/connect_recorder.hpp"
#include "watched/tile_lab.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace pollard::teach {
namespace {

constexpr int kBorderConnect = 8; ///< line of connect()
constexpr auto kBorderLines = withConnectLines(std::array{
    POLLARD_TEACH("in each block of threads: build the tree of a tile"),
    POLLARD_TEACH("    its border tree: the pixels of the rows that face another tile,"),
    POLLARD_TEACH("    and all their ancestors, packed into slots"),
    POLLARD_TEACH("for the seams below tiles: connect(p, q) in the border trees, for each edge that matters"),
    POLLARD_TEACH("write the links of the border trees back into the image"),
    POLLARD_TEACH("for the seams right of tiles: connect(p, q) in the image, for each edge that matters"),
    POLLARD_TEACH("    edges that cannot change the tree are left out"),
    POLLARD_TEACH("let every pixel's parent be the canonical pixel of its node, or of the node above"),
});
static_assert(kBorderLines.size() == kBorderConnect + kConnectLines.size());

constexpr StepText kBorderTile{POLLARD_TEACH("Thread %1 and its block build the tree of tile %2."), 0};
constexpr StepText kBorderRows{
    POLLARD_TEACH("Tile %1: the %2 pixels that face the tile above or below get the first slots of its border tree."),
    1};
constexpr StepText kAncestors{POLLARD_TEACH("Tile %1, column %3: ancestors of the border pixels that have no slot yet "
                                            "get one, %2 in all. The rest of the branch has slots already."),
                              2};
constexpr StepText kBorderBelow{
    POLLARD_TEACH("Only pixels with a slot can change when tiles are joined with those below: "
                  "threads work in this small memory, %1 slots instead of %2 pixels."),
    3};
constexpr StepText kBorderLeaveOut{
    POLLARD_TEACH("%1 of the %2 edges across these seams are left out: others connect the same components."), 6};
constexpr StepText kCommit{POLLARD_TEACH("The links of all slots are written back to their pixels."), 4};
constexpr StepText kBorderBeside{
    POLLARD_TEACH(
        "Each column of tiles is one region. Threads join it with the column to its right, in the image itself."),
    5};
constexpr StepText kBorderJoined{POLLARD_TEACH("All tiles are joined: the links form the tree of the whole image."), 7};
constexpr StepText kBorderFlatten{POLLARD_TEACH("Thread %1: the parent of %2 becomes the canonical pixel %3."), 7};
constexpr StepText kBorderEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 7};
constexpr ConnectTexts kBorderConnectTexts = connectTexts(kBorderConnect);

/// Memory of a BorderForest.
struct ForestMemory {
    explicit ForestMemory(const cuda::ImageTiling& layout)
        : links(std::size_t{layout.columns()} * layout.tileWidth * layout.height), pixels(links.size()),
          levels(links.size()), tileStart(std::size_t{layout.columns()} * layout.rows()),
          columnSize(layout.columns(), 0), forest{layout,        links.data(),     pixels.data(),
                                                  levels.data(), tileStart.data(), columnSize.data()} {}

    std::vector<std::uint32_t> links, pixels;
    std::vector<std::uint16_t> levels;
    std::vector<std::uint32_t> tileStart, columnSize;
    cuda::BorderForest forest;
};

/// Extracts the border tree of a tile from its flat tree.
template <class Lab, class Tile>
void extractBorder(Lab& lab, const Tile& tile, std::uint32_t number, std::size_t corner, const cuda::BorderForest& to) {
    using Border = cuda::BorderTile<Tile>;
    TraceRecorder& trace = lab.trace();
    const std::uint32_t thread = number % lab.threadCount();
    const std::uint32_t column = number % lab.layout().columns();
    const std::uint32_t row = number / lab.layout().columns();
    std::array<std::uint32_t, Tile::kPixels> slotOf{};
    slotOf.fill(Border::kUntaken);
    std::array<std::uint16_t, Tile::kPixels> pixelOf{};
    std::uint32_t count = 0;
    const Border border{tile, slotOf.data(), pixelOf.data(), &count, to.hasTopRow(row), to.hasBottomRow(row)};
    std::uint32_t shown = 0;
    const auto show = [&](const StepText& text, std::uint32_t x, bool hasColumn) {
        if (shown == count) {
            return;
        }
        trace.step(text,
                   {numberValue(number + 1), numberValue(count - shown), hasColumn ? numberValue(x + 1) : Value{}},
                   static_cast<int>(thread));
        trace.clearMarks();
        for (; shown < count; ++shown) {
            const std::uint32_t pixel = tile.imageIndex(pixelOf[shown], corner, lab.layout().width);
            trace.set(pixel, Mark::active);
            trace.set(Layer::number, pixel, shown);
        }
    };

    count = border.rowSlots();
    for (std::uint32_t x = 0; x < tile.width; ++x) {
        border.takeRows(x);
    }
    show(kBorderRows, 0, false);
    for (std::uint32_t x = 0; x < tile.width; ++x) {
        border.takeAncestors(x);
        show(kAncestors, x, true);
    }
    const std::uint32_t first = to.columnStart(column) + to.columnSize[column];
    to.columnSize[column] += count;
    to.tileStart[number] = first;
    for (std::uint32_t slot = 0; slot < count; ++slot) {
        border.writeSlot(slot, first, corner, to);
    }
}

template <class Lab> Trace playBorder(Lab& lab) {
    TraceRecorder& trace = lab.trace();
    trace.setUp(Layer::number, lab.links().size());
    ForestMemory memory(lab.layout());
    const cuda::BorderForest& forest = memory.forest;
    for (std::uint32_t number = 0; number < lab.tileCount(); ++number) {
        const std::uint32_t thread = number % lab.threadCount();
        trace.step(kBorderTile, {threadValue(thread), numberValue(number + 1)}, static_cast<int>(thread));
        lab.buildTile(number,
                      [&](const auto& tile, std::size_t corner) { extractBorder(lab, tile, number, corner, forest); });
    }
    ConnectRecorder recorder(trace, lab.threads(), lab.edges(), kBorderConnectTexts);
    std::int64_t slots = 0;
    for (const std::uint32_t size : memory.columnSize) {
        slots += size;
    }
    trace.step(kBorderBelow, {numberValue(slots), numberValue(static_cast<std::int64_t>(lab.links().size()))});
    recorder.leave();
    const cuda::SeamPositions below{lab.layout(), true, false};
    lab.skipEdges(below, kBorderLeaveOut);
    const ObservedForest watched(forest, recorder);
    const bool joined = lab.template joinWith<cuda::BorderConnection<ObservedForest>>(
        below, [&](auto& machine, const cuda::EdgeEnds& ends) {
            machine.start(watched, forest.slotOfPixel(ends.u), forest.slotOfPixel(ends.v));
            while (machine.active()) {
                machine.step(watched);
            }
        });
    if (!joined) {
        return lab.offerChoices();
    }
    trace.step(kCommit);
    recorder.leave();
    for (std::uint32_t column = 0; column < lab.layout().columns(); ++column) {
        const std::uint32_t start = forest.columnStart(column);
        for (std::uint32_t slot = start; slot < start + memory.columnSize[column]; ++slot) {
            const std::uint32_t pixel = memory.pixels[slot];
            lab.links()[pixel] = forest.imageRecord(slot);
            lab.showLink(pixel, lab.links()[pixel]);
            trace.set(Layer::number, pixel, -1);
            trace.set(pixel, Mark::active);
        }
    }
    trace.step(kBorderBeside);
    trace.clearMarks();
    return joinColumnsOfTiles(lab, recorder, {kBorderLeaveOut, kBorderJoined, kBorderFlatten, kBorderEnd});
}

Trace recordBorder(const LabImage& image, const PlayerSpec& spec) {
    return withTiles(image, spec, [](auto& lab) { return playBorder(lab); });
}

constexpr PlayerInfo kBorderInfo{
    .id = "border",
    .title = POLLARD_TEACH("Max-tree on a GPU: border trees"),
    .summary = POLLARD_TEACH("Where two tiles meet, only the border pixels and their ancestors can change. They are "
                             "packed into a small memory and joined there."),
    .lines = kBorderLines,
    .asksTree = true,
    .asksTiles = true,
    .asksThreads = true,
    .record = &recordBorder,
};

} // namespace

const PlayerInfo& borderPlayer() { return kBorderInfo; }

} // namespace pollard::teach
