#include "players/branches_player.hpp"

#include "cuda/device/levels.hpp"
#include "player/limits.hpp"
#include "trace/text.hpp"
#include "watched/branch_lines.hpp"
#include "watched/branch_machine.hpp"
#include "watched/branch_story.hpp"
#include "watched/tile_side.hpp"

#include <cstdint>

namespace pollard::teach {
namespace {

Trace record(const LabPicture& picture, const PlayerSpec& spec) {
    requireLab(picture);
    requireTiles(spec);
    BranchStory story(picture, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    BranchMachine machine(emulator, story, picture.pixelCount());
    const cuda::BranchInput<std::uint16_t> input{picture.levels.data(), picture.width, picture.height,
                                                 cuda::flipOf<std::uint16_t>(spec.kind)};
    withTileSide(spec, [&](auto side, auto eight) {
        using Shape = cuda::TileShape<side(), side(), side()>;
        static_cast<void>(cuda::BranchBuild<BranchMachine, std::uint16_t, Shape, eight()>(machine, input).parents());
    });
    return story.end();
}

constexpr PlayerInfo kInfo{
    .id = "boruvka",
    .title = POLLARD_TEACH("Max-tree by branches: Pollard's own algorithm on a GPU"),
    .summary = POLLARD_TEACH("Components around the maxima are joined in rounds along the highest edges, which "
                             "determines the end of every branch; sorting by branch and level gives the nodes."),
    .lines = kBranchLines,
    .asksTree = true,
    .asksTiles = true,
    .record = &record,
};

} // namespace

const PlayerInfo& branchesPlayer() { return kInfo; }

} // namespace pollard::teach
