#include "players/branches_player.hpp"

#include "device/levels.hpp"
#include "players/limits.hpp"
#include "trace/text.hpp"
#include "watched/branch_lines.hpp"
#include "watched/branch_machine.hpp"
#include "watched/branch_story.hpp"

#include <cstdint>

namespace pollard::teach {
namespace {

template <int kSide, bool kEight> void build(BranchMachine& machine, const LabPicture& picture, TreeKind kind) {
    using Shape = cuda::TileShape<kSide, kSide, kSide>;
    const cuda::BranchInput<std::uint16_t> input{picture.levels.data(), picture.width, picture.height,
                                                 cuda::flipOf<std::uint16_t>(kind)};
    static_cast<void>(cuda::BranchBuild<BranchMachine, std::uint16_t, Shape, kEight>(machine, input).parents());
}

template <bool kEight> void build(BranchMachine& machine, const LabPicture& picture, const PlayerSpec& spec) {
    switch (spec.tileSide) {
    case 2:
        return build<2, kEight>(machine, picture, spec.kind);
    case 4:
        return build<4, kEight>(machine, picture, spec.kind);
    default:
        return build<8, kEight>(machine, picture, spec.kind);
    }
}

Trace record(const LabPicture& picture, const PlayerSpec& spec) {
    requireLab(picture);
    requireTiles(spec);
    BranchStory story(picture, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    BranchMachine machine(emulator, story, picture.pixelCount());
    spec.connectivity == Connectivity::eight ? build<true>(machine, picture, spec)
                                             : build<false>(machine, picture, spec);
    return story.end();
}

constexpr PlayerInfo kInfo{
    .id = "boruvka",
    .title = POLLARD_TEACH("Max-tree by branches: this program's own way on a GPU"),
    .summary =
        POLLARD_TEACH("Components around the maxima are joined in rounds along the highest edges, which says where "
                      "every branch ends; sorting by branch and level then gives the nodes."),
    .lines = kBranchLines,
    .asksTree = true,
    .asksTiles = true,
    .record = &record,
};

} // namespace

const PlayerInfo& branchesPlayer() { return kInfo; }

} // namespace pollard::teach
