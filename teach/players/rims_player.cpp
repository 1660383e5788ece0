#include "players/rims_player.hpp"

#include "cuda/device/levels.hpp"
#include "player/limits.hpp"
#include "trace/text.hpp"
#include "watched/rim_lines.hpp"
#include "watched/rim_machine.hpp"
#include "watched/rim_story.hpp"
#include "watched/tile_side.hpp"

#include <cstdint>

namespace pollard::teach {
namespace {

Trace record(const LabPicture& picture, const PlayerSpec& spec) {
    requireLab(picture);
    requireTiles(spec);
    RimStory story(picture, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    RimMachine machine(emulator, story, picture.pixelCount());
    const cuda::LevelView<std::uint16_t> image{picture.levels.data(), cuda::flipOf<std::uint16_t>(spec.kind)};
    withTileSide(spec, [&](auto side, auto eight) {
        using Shape = cuda::RimShape<side(), side(), 1>;
        using Build = cuda::RimBuild<RimMachine, std::uint16_t, Shape, eight()>;
        static_cast<void>(Build(machine, image, picture.width, picture.height).run());
    });
    return story.end();
}

constexpr PlayerInfo kInfo{
    .id = "rims",
    .title = POLLARD_TEACH("Max-tree by rims: Pollard's own algorithm at 8 bits"),
    .summary = POLLARD_TEACH("Tiles decide most of their tree alone. Only their rims may still change: these are "
                             "joined in a small memory of slots, from which pixels read their parents in the end."),
    .lines = kRimLines,
    .asksTree = true,
    .asksTiles = true,
    .record = &record,
};

} // namespace

const PlayerInfo& rimsPlayer() { return kInfo; }

} // namespace pollard::teach
