#include "players/rims_player.hpp"

#include "device/levels.hpp"
#include "players/limits.hpp"
#include "trace/text.hpp"
#include "watched/rim_lines.hpp"
#include "watched/rim_machine.hpp"
#include "watched/rim_story.hpp"

#include <cstdint>

namespace pollard::teach {
namespace {

template <int kSide, bool kEight> void build(RimMachine& machine, const LabPicture& picture, TreeKind kind) {
    using Shape = cuda::RimShape<kSide, kSide, 1>;
    const cuda::LevelView<std::uint16_t> image{picture.levels.data(), cuda::flipOf<std::uint16_t>(kind)};
    static_cast<void>(
        cuda::RimBuild<RimMachine, std::uint16_t, Shape, kEight>(machine, image, picture.width, picture.height).run());
}

template <bool kEight> void build(RimMachine& machine, const LabPicture& picture, const PlayerSpec& spec) {
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
    RimStory story(picture, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    RimMachine machine(emulator, story, picture.pixelCount());
    spec.connectivity == Connectivity::eight ? build<true>(machine, picture, spec)
                                             : build<false>(machine, picture, spec);
    return story.end();
}

constexpr PlayerInfo kInfo{
    .id = "rims",
    .title = POLLARD_TEACH("Max-tree by rims: this program's own way at 8 bits"),
    .summary = POLLARD_TEACH("Tiles decide most of their tree alone. What may still change, their rims, is joined in a "
                             "small memory of slots, and pixels read their parents from it in the end."),
    .lines = kRimLines,
    .asksTree = true,
    .asksTiles = true,
    .record = &record,
};

} // namespace

const PlayerInfo& rimsPlayer() { return kInfo; }

} // namespace pollard::teach
