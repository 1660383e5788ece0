#include "players/players.hpp"

#include "cuda/boruvka/emulated_machine.hpp"
#include "cuda/device/levels.hpp"
#include "cuda/rims/rim_build.hpp"
#include "trace/text.hpp"
#include "watched/plain_buffer.hpp"
#include "watched/rim_story.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::teach {

namespace {

/// "rims" of docs/algorithms.md in words; the captions are next to the steps (rim_story.cpp).
constexpr std::array kRimLines{
    POLLARD_TEACH("in each block of threads: build the tree of a tile, from its columns"),
    POLLARD_TEACH("    the rim: nodes that edges to other tiles lead to, and their ancestors; each gets a slot"),
    POLLARD_TEACH("list the edges between tiles that matter"),
    POLLARD_TEACH("in each thread: connect the slots of its share of the edges, by atomic maxima"),
    POLLARD_TEACH("connected slots of one level: one is the root, and holds their last pixel"),
    POLLARD_TEACH("each slot: the canonical pixels of its node and of the node above"),
    POLLARD_TEACH("each pixel: its parent, from its tile if that is final, else from a slot"),
};

/// Runs a RimBuild in the emulator, and records the effects of its passes and their threads.
class RimMachine : public cuda::emulation::BasicEmulatedMachine<PlainBuffer> {
    using Base = BasicEmulatedMachine<PlainBuffer>;
    using Moment = cuda::emulation::Emulator::Moment;

public:
    /// The arguments must outlive this.
    RimMachine(cuda::emulation::Emulator& on, RimStory& story, std::size_t pixels)
        : Base(on, 0), story_(story), pixels_(pixels) {
        on.takeTurnsInOrder();
    }

    template <class Level, class Shape, bool kEight>
    void tiles(const cuda::RimTilePass<Level, Shape, kEight>& pass, std::uint32_t count) {
        using Memory = cuda::RimMemory<Level, Shape>;
        emulator().watch([&](Moment moment) {
            // Threads take turns in order: the last one ends last.
            if (moment == Moment::end && emulator().thread() == Shape::kThreads - 1) {
                tileDone<kEight>(pass, emulator().block(), *static_cast<const Memory*>(emulator().sharedMemory()));
            }
        });
        Base::tiles(pass, count);
        emulator().watch(nullptr);
    }
    template <class Level, class Shape>
    void tiles(const cuda::WriteRimParents<Level, Shape>& pass, std::uint32_t count) {
        Base::tiles(pass, count);
        story_.writeParents({pass.parents, pixels_});
    }
    template <class Join> void join(const Join& pass, std::uint64_t) {
        constexpr std::uint32_t kJoiners = 4;
        story_.listEdges({pass.edges, pass.counts->edges});
        emulator().watch([&](Moment) { story_.lookAtLinks(pass.links.links); });
        emulator().launch({1, kJoiners}, [&] { pass(cuda::threadOfBlock(), kJoiners); });
        emulator().watch(nullptr);
    }
    template <class Level>
    void eachOf(const cuda::SettleRims<Level>& step, const std::uint32_t* count, std::uint32_t most) {
        Base::eachOf(step, count, most);
        story_.settle(step.forest.links, step.forest.canonical);
    }
    template <class Level>
    void eachOf(const cuda::NameRims<Level>& step, const std::uint32_t* count, std::uint32_t most) {
        Base::eachOf(step, count, most);
        story_.name();
    }

private:
    template <bool kEight, class Level, class Shape> void tileDone(const cuda::RimTilePass<Level, Shape, kEight>& pass,
                                                                   std::uint32_t block,
                                                                   const cuda::RimMemory<Level, Shape>& memory) {
        using Tile = cuda::RimTile<Level, Shape, kEight>;
        using Record = typename Tile::Record;
        const std::uint32_t left = block % pass.tileColumns * Shape::kWidth;
        const std::uint32_t top = block / pass.tileColumns * Shape::kHeight;
        std::vector<RimStory::TilePixel> pixels;
        for (std::uint32_t y = 0; y < Shape::kHeight && top + y < pass.height; ++y) {
            for (std::uint32_t x = 0; x < Shape::kWidth && left + x < pass.width; ++x) {
                const std::uint32_t pixel = (top + y) * pass.width + left + x;
                const typename Record::Word link = memory.links[Tile::placeOf(x, y)];
                const std::uint32_t place = Shape::kPixels - 1 - Record::place(link);
                const std::uint32_t parent =
                    link == Record::kNone ? pixel
                                          : (top + place / Shape::kWidth) * pass.width + left + place % Shape::kWidth;
                pixels.push_back({pixel, parent, RimStory::kNoSlot});
                if ((pass.codes[pixel] & cuda::RimCode::kOwnSlot) != 0) {
                    pixels.back().slot = memory.firstSlot + (pass.codes[pixel] & cuda::RimCode::kPayload);
                }
            }
        }
        story_.buildTile(block, pixels);
    }

    RimStory& story_;
    std::size_t pixels_;
};

Trace recordRims(const LabImage& picture, const PlayerSpec& spec) {
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

constexpr PlayerInfo kRimsInfo{
    .id = "rims",
    .title = POLLARD_TEACH("Max-tree by rims: Pollard's own algorithm at 8 bits"),
    .summary = POLLARD_TEACH("Tiles decide most of their tree alone. Only their rims may still change: these are "
                             "joined in a small memory of slots, from which pixels read their parents in the end."),
    .lines = kRimLines,
    .asksTree = true,
    .asksTiles = true,
    .record = &recordRims,
};

} // namespace

const PlayerInfo& rimsPlayer() { return kRimsInfo; }

} // namespace pollard::teach
