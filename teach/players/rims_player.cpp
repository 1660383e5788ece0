#include "players/players.hpp"

#include "cuda/boruvka/emulated_machine.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/rims/rim_build.hpp"
#include "cuda/rims/rim_forest.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pollard::teach {

namespace {

/// Records a build by rims as steps of a trace. Layer::number shows the slots.
class RimRecording {
public:
    static constexpr std::uint32_t kNoSlot = 0xffffffffU;

    /// The image must outlive this.
    RimRecording(const LabImage& image, Connectivity connectivity, std::uint32_t tileSide);

    struct TilePixel {
        std::uint32_t pixel, parent; ///< the root of the tile's tree is its own parent
        std::uint32_t slot; ///< slot of its node, if the pixel is the last pixel of a node with a slot; else kNoSlot
    };
    void buildTile(std::uint32_t tile, std::span<const TilePixel> pixels);
    void listEdges(std::span<const cuda::RimEdge> edges);
    /// Shows the links between slots that have changed since the last call.
    void recordLinks(const cuda::SlotRecord::Word* links);
    void settle(const cuda::SlotRecord::Word* links, const std::uint32_t* canonical);
    void name();
    void writeParents(std::span<const std::uint32_t> parents);

    [[nodiscard]] Trace end();

private:
    const LabImage& image_;
    std::vector<GridEdge> edges_;
    TraceRecorder trace_;
    std::vector<std::uint32_t> pixelOfSlot_;
    std::vector<cuda::SlotRecord::Word> seen_; ///< per slot: its link at the last call
    std::uint32_t tiles_ = 0;
};

constexpr StepText kTile{POLLARD_TEACH("The tree of tile %1 is built, as if it were the whole image."), 0};
constexpr StepText kRim{
    POLLARD_TEACH("Tile %1: only nodes that reach another tile, or have one below them that does, may "
                  "still change. They get slots: %2 of %3 pixels. The rest is final."),
    1};
constexpr StepText kRimEdges{POLLARD_TEACH("Edges between tiles that matter: %1 of %2. Their ends all have slots."), 2};
constexpr StepText kHang{POLLARD_TEACH("The slot of %1, a root so far, becomes a child of the slot of %2."), 3};
constexpr StepText kMove{
    POLLARD_TEACH(
        "The slot of %1 becomes a child of the slot of %2 instead of the slot of %3, which is connected with %2 next."),
    3};
constexpr StepText kSettle{
    POLLARD_TEACH("The slots of %1 and %2 have the same level: they are one node, whose canonical "
                  "pixel is %3."),
    4};
constexpr StepText kName{
    POLLARD_TEACH("Every slot has the canonical pixel of its node, and the canonical pixel of the node above."), 5};
constexpr StepText kRead{POLLARD_TEACH("Tile %1: pixels whose parent changed when the tiles were joined read it from a "
                                       "slot: %2. The others keep the parent in their tile."),
                         6};
constexpr StepText kRimEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 6};

RimRecording::RimRecording(const LabImage& image, Connectivity connectivity, std::uint32_t tileSide)
    : image_(image), edges_(gridEdges(image.width, image.height, connectivity)), trace_(image) {
    const std::uint32_t columns = (image.width + tileSide - 1) / tileSide;
    tiles_ = columns * ((image.height + tileSide - 1) / tileSide);
    std::vector<std::int64_t> tiles;
    for (std::uint32_t pixel = 0; pixel < image.pixelCount(); ++pixel) {
        tiles.push_back(pixel / image.width / tileSide * columns + pixel % image.width / tileSide);
    }
    trace_.setUp(Layer::tile, std::move(tiles));
    trace_.setUp(Layer::parent, image.pixelCount());
    trace_.setUp(Layer::number, image.pixelCount());
    trace_.setUp(Layer::mark, image.pixelCount());
    trace_.setUp(Layer::edge, edges_.size());
}

void RimRecording::buildTile(std::uint32_t tile, std::span<const TilePixel> pixels) {
    trace_.step(kTile, {numberValue(tile + 1)});
    trace_.clearMarks();
    std::int64_t slots = 0;
    for (const TilePixel& each : pixels) {
        trace_.set(Layer::parent, each.pixel, each.parent);
        trace_.set(each.pixel, Mark::active);
        slots += each.slot != kNoSlot ? 1 : 0;
    }
    if (tiles_ == 1) {
        return;
    }
    trace_.step(kRim,
                {numberValue(tile + 1), numberValue(slots), numberValue(static_cast<std::int64_t>(pixels.size()))});
    trace_.clearMarks();
    for (const TilePixel& each : pixels) {
        if (each.slot == kNoSlot) {
            continue;
        }
        pixelOfSlot_.resize(std::max<std::size_t>(pixelOfSlot_.size(), each.slot + 1));
        pixelOfSlot_[each.slot] = each.pixel;
        trace_.set(Layer::number, each.pixel, each.slot + 1);
        trace_.set(each.pixel, Mark::waiting);
    }
}

void RimRecording::listEdges(std::span<const cuda::RimEdge> edges) {
    std::vector<std::size_t> between;
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (trace_.at(Layer::tile, edges_[e].first) != trace_.at(Layer::tile, edges_[e].second)) {
            between.push_back(e);
        }
    }
    trace_.step(kRimEdges, {numberValue(static_cast<std::int64_t>(edges.size())),
                            numberValue(static_cast<std::int64_t>(between.size()))});
    trace_.clearMarks();
    std::vector<std::uint8_t> listed(edges_.size(), 0);
    for (const cuda::RimEdge& edge : edges) {
        listed[edgeBetween(edges_, edge.one, edge.other)] = 1;
    }
    for (const std::size_t e : between) {
        trace_.set(e, listed[e] != 0 ? EdgeMark::used : EdgeMark::superfluous);
    }
}

void RimRecording::recordLinks(const cuda::SlotRecord::Word* links) {
    if (seen_.empty()) {
        seen_.assign(links, links + pixelOfSlot_.size());
    }
    for (std::uint32_t slot = 0; slot < seen_.size(); ++slot) {
        const cuda::SlotRecord::Word link = links[slot];
        const cuda::SlotRecord::Word before = std::exchange(seen_[slot], link);
        if (link == before) {
            continue;
        }
        const std::uint32_t pixel = pixelOfSlot_[slot];
        const std::uint32_t parent = pixelOfSlot_[cuda::SlotRecord::slot(link)];
        if (before == cuda::SlotRecord::kNone) {
            trace_.step(kHang, {pixelValue(pixel), pixelValue(parent)});
        } else {
            trace_.step(kMove, {pixelValue(pixel), pixelValue(parent),
                                pixelValue(pixelOfSlot_[cuda::SlotRecord::slot(before)])});
        }
        trace_.clearMarks();
        trace_.set(pixel, Mark::active);
        trace_.set(parent, Mark::other);
        trace_.set(Layer::parent, pixel, parent);
        trace_.ask();
    }
}

void RimRecording::settle(const cuda::SlotRecord::Word* links, const std::uint32_t* canonical) {
    for (std::uint32_t slot = 0; slot < pixelOfSlot_.size(); ++slot) {
        const std::uint32_t pixel = pixelOfSlot_[slot];
        if (links[slot] == cuda::SlotRecord::kNone) {
            continue;
        }
        const std::uint32_t to = pixelOfSlot_[cuda::SlotRecord::slot(links[slot])];
        if (image_.levels[to] != image_.levels[pixel]) {
            continue;
        }
        trace_.step(kSettle,
                    {pixelValue(pixel), pixelValue(to), pixelValue(canonical[cuda::SlotRecord::slot(links[slot])])});
        trace_.clearMarks();
        trace_.set(pixel, Mark::active);
        trace_.set(to, Mark::other);
        trace_.set(Layer::parent, pixel, to);
        trace_.ask();
    }
}

void RimRecording::name() {
    trace_.step(kName);
    trace_.clearMarks();
    for (const std::uint32_t pixel : pixelOfSlot_) {
        trace_.set(pixel, Mark::active);
    }
}

void RimRecording::writeParents(std::span<const std::uint32_t> parents) {
    for (std::uint32_t tile = 0; tile < tiles_ && tiles_ > 1; ++tile) {
        std::vector<std::uint32_t> changed;
        for (std::uint32_t pixel = 0; pixel < parents.size(); ++pixel) {
            if (trace_.at(Layer::tile, pixel) == tile && trace_.at(Layer::parent, pixel) != parents[pixel]) {
                changed.push_back(pixel);
            }
        }
        trace_.step(kRead, {numberValue(tile + 1), numberValue(static_cast<std::int64_t>(changed.size()))});
        trace_.clearMarks();
        for (const std::uint32_t pixel : changed) {
            trace_.set(pixel, Mark::active);
            trace_.set(Layer::parent, pixel, parents[pixel]);
        }
    }
}

Trace RimRecording::end() {
    trace_.step(kRimEnd);
    trace_.clearMarks();
    return trace_.take();
}

/// "rims" of docs/algorithms.md in words. The captions of the steps are above.
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
    RimMachine(cuda::emulation::Emulator& on, RimRecording& recording, std::size_t pixels)
        : Base(on, 0), recording_(recording), pixels_(pixels) {
        on.takeTurnsInOrder();
    }

    template <class Level, class Shape, bool kEight>
    void tiles(const cuda::RimTilePass<Level, Shape, kEight>& pass, std::uint32_t count) {
        using Memory = cuda::RimMemory<Level, Shape>;
        emulator().watch([&](Moment moment) {
            // Threads take turns in order: the last one ends last.
            if (moment == Moment::end && emulator().thread() == Shape::kThreads - 1) {
                recordTile<kEight>(pass, emulator().block(), *static_cast<const Memory*>(emulator().sharedMemory()));
            }
        });
        Base::tiles(pass, count);
        emulator().watch(nullptr);
    }
    template <class Level, class Shape>
    void tiles(const cuda::WriteRimParents<Level, Shape>& pass, std::uint32_t count) {
        Base::tiles(pass, count);
        recording_.writeParents({pass.parents, pixels_});
    }
    template <class Join> void join(const Join& pass, std::uint64_t) {
        constexpr std::uint32_t kJoiners = 4;
        recording_.listEdges({pass.edges, pass.counts->edges});
        emulator().watch([&](Moment) { recording_.recordLinks(pass.links.links); });
        emulator().launch({1, kJoiners}, [&] { pass(cuda::threadOfBlock(), kJoiners); });
        emulator().watch(nullptr);
    }
    template <class Level>
    void eachOf(const cuda::SettleRims<Level>& step, const std::uint32_t* count, std::uint32_t most) {
        Base::eachOf(step, count, most);
        recording_.settle(step.forest.links, step.forest.canonical);
    }
    template <class Level>
    void eachOf(const cuda::NameRims<Level>& step, const std::uint32_t* count, std::uint32_t most) {
        Base::eachOf(step, count, most);
        recording_.name();
    }

private:
    template <bool kEight, class Level, class Shape>
    void recordTile(const cuda::RimTilePass<Level, Shape, kEight>& pass, std::uint32_t block,
                    const cuda::RimMemory<Level, Shape>& memory) {
        using Tile = cuda::RimTile<Level, Shape, kEight>;
        using Record = typename Tile::Record;
        const std::uint32_t left = block % pass.tileColumns * Shape::kWidth;
        const std::uint32_t top = block / pass.tileColumns * Shape::kHeight;
        std::vector<RimRecording::TilePixel> pixels;
        for (std::uint32_t y = 0; y < Shape::kHeight && top + y < pass.height; ++y) {
            for (std::uint32_t x = 0; x < Shape::kWidth && left + x < pass.width; ++x) {
                const std::uint32_t pixel = (top + y) * pass.width + left + x;
                const typename Record::Word link = memory.links[Tile::placeOf(x, y)];
                const std::uint32_t place = Shape::kPixels - 1 - Record::place(link);
                const std::uint32_t parent =
                    link == Record::kNone ? pixel
                                          : (top + place / Shape::kWidth) * pass.width + left + place % Shape::kWidth;
                pixels.push_back({pixel, parent, RimRecording::kNoSlot});
                if ((pass.codes[pixel] & cuda::RimCode::kOwnSlot) != 0) {
                    pixels.back().slot = memory.firstSlot + (pass.codes[pixel] & cuda::RimCode::kPayload);
                }
            }
        }
        recording_.buildTile(block, pixels);
    }

    RimRecording& recording_;
    std::size_t pixels_;
};

Trace recordRims(const LabImage& image, const PlayerSpec& spec) {
    requireLab(image);
    requireTiles(spec);
    RimRecording recording(image, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    RimMachine machine(emulator, recording, image.pixelCount());
    const cuda::LevelView<std::uint16_t> levels{image.levels.data(), cuda::flipOf<std::uint16_t>(spec.kind)};
    withTileSide(spec, [&](auto side, auto eight) {
        using Shape = cuda::RimShape<side(), side(), 1>;
        using Build = cuda::RimBuild<RimMachine, std::uint16_t, Shape, eight()>;
        static_cast<void>(Build(machine, levels, image.width, image.height).run());
    });
    return recording.end();
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
