#include "players/boruvka_player.hpp"

#include "cuda/device/levels.hpp"
#include "player/limits.hpp"
#include "trace/text.hpp"
#include "watched/boruvka_lines.hpp"
#include "watched/boruvka_machine.hpp"
#include "watched/boruvka_story.hpp"
#include "watched/tile_side.hpp"

#include <cstdint>

namespace pollard::teach {
namespace {

Trace record(const LabPicture& picture, const PlayerSpec& spec) {
    requireLab(picture);
    requireTiles(spec);
    BoruvkaStory story(picture, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    BoruvkaMachine machine(emulator, story, picture.pixelCount());
    const cuda::BranchInput<std::uint16_t> input{picture.levels.data(), picture.width, picture.height,
                                                 cuda::flipOf<std::uint16_t>(spec.kind)};
    withTileSide(spec, [&](auto side, auto eight) {
        using Shape = cuda::TileShape<side(), side(), side()>;
        static_cast<void>(cuda::BranchBuild<BoruvkaMachine, std::uint16_t, Shape, eight()>(machine, input).parents());
    });
    return story.end();
}

constexpr PlayerInfo kInfo{
    .id = "boruvka",
    .title = POLLARD_TEACH("Max-tree on a GPU: boruvka, Pollard's own algorithm"),
    .summary = POLLARD_TEACH("Components around the maxima are joined in rounds along the highest edges, which "
                             "determines the end of every branch; sorting by branch and level gives the nodes."),
    .lines = kBoruvkaLines,
    .asksTree = true,
    .asksTiles = true,
    .record = &record,
};

} // namespace

const PlayerInfo& boruvkaPlayer() { return kInfo; }

} // namespace pollard::teach
