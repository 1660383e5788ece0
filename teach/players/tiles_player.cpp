#include "players/players.hpp"

#include "trace/trace.hpp"
#include "watched/connect_recorder.hpp"
#include "watched/tile_lab.hpp"

#include <array>
#include <cstdint>

namespace pollard::teach {
namespace {

constexpr int kTilesConnect = 5; ///< line of connect()
constexpr auto kTilesLines = withConnectLines(std::array{
    POLLARD_TEACH("in each block of threads: build the tree of a tile"),
    POLLARD_TEACH("for the seams below tiles, then for the seams on their right:"),
    POLLARD_TEACH("    leave out edges that cannot change the tree"),
    POLLARD_TEACH("    in each thread: connect(p, q) for its share of the other edges (p, q)"),
    POLLARD_TEACH("let every pixel's parent be the canonical pixel of its node, or of the node above"),
});
static_assert(kTilesLines.size() == kTilesConnect + kConnectLines.size());

constexpr StepText kTilesTile{
    POLLARD_TEACH("Thread %1 and its block build the tree of tile %2, as if it were the whole "
                  "image."),
    0};
constexpr StepText kTilesBelow{POLLARD_TEACH("All tiles have trees. Threads join them with the tiles below."), 1};
constexpr StepText kTilesBeside{
    POLLARD_TEACH("Each column of tiles is one region. Threads join it with the column to its right."), 1};
constexpr StepText kTilesLeaveOut{
    POLLARD_TEACH("%1 of the %2 edges across these seams are left out: others connect the same components."), 2};
constexpr StepText kTilesJoined{POLLARD_TEACH("All tiles are joined: the links form the tree of the whole image."), 4};
constexpr StepText kTilesFlatten{POLLARD_TEACH("Thread %1: the parent of %2 becomes the canonical pixel %3."), 4};
constexpr StepText kTilesEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 4};
constexpr ConnectTexts kTilesConnectTexts = connectTexts(kTilesConnect);

template <class Lab> Trace playTiles(Lab& lab) {
    TraceRecorder& trace = lab.trace();
    for (std::uint32_t tile = 0; tile < lab.tileCount(); ++tile) {
        const std::uint32_t thread = tile % lab.threadCount();
        trace.step(kTilesTile, {threadValue(thread), numberValue(tile + 1)}, static_cast<int>(thread));
        lab.buildTile(tile, [](const auto&, std::size_t) {});
    }
    ConnectRecorder recorder(trace, lab.threads(), lab.edges(), kTilesConnectTexts);
    trace.step(kTilesBelow);
    recorder.leave();
    if (!lab.joinSeams({lab.layout(), true, false}, kTilesLeaveOut, recorder)) {
        return lab.offerChoices();
    }
    trace.step(kTilesBeside);
    recorder.leave();
    return joinColumnsOfTiles(lab, recorder, {kTilesLeaveOut, kTilesJoined, kTilesFlatten, kTilesEnd});
}

Trace recordTiles(const LabImage& image, const PlayerSpec& spec) {
    return withTiles(image, spec, [](auto& lab) { return playTiles(lab); });
}

constexpr PlayerInfo kTilesInfo{
    .id = "tiles",
    .title = POLLARD_TEACH("Max-tree on a GPU: tiles, joined along their seams"),
    .summary =
        POLLARD_TEACH("Blocks of threads build trees of tiles; then all threads connect neighbouring tiles, and in "
                      "the end every pixel finds its canonical parent."),
    .lines = kTilesLines,
    .asksTree = true,
    .asksTiles = true,
    .asksThreads = true,
    .record = &recordTiles,
};

} // namespace

const PlayerInfo& tilesPlayer() { return kTilesInfo; }

} // namespace pollard::teach
