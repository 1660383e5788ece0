#include "watched/rim_story.hpp"

#include "trace/text.hpp"
#include "trace/trace.hpp"

#include <algorithm>
#include <utility>

namespace pollard::teach {
namespace {

using Record = cuda::SlotRecord;

constexpr StepText kTile{POLLARD_TEACH("The tree of tile %1 is built, as if it were the whole picture."), 0};
constexpr StepText kRim{
    POLLARD_TEACH("Tile %1: only nodes that reach another tile, or have one below them that does, may "
                  "still change. They get slots: %2 of %3 pixels. The rest is final."),
    1};
constexpr StepText kRimEdges{POLLARD_TEACH("Edges between tiles that matter: %1 of %2. Their ends all have slots."), 2};
constexpr StepText kHang{POLLARD_TEACH("The slot of %1, a root so far, becomes a child of that of %2."), 3};
constexpr StepText kMove{
    POLLARD_TEACH(
        "The slot of %1 becomes a child of that of %2 instead of that of %3, which is connected with %2 next."),
    3};
constexpr StepText kSettle{
    POLLARD_TEACH("The slots of %1 and %2 have the same level: they are one node, whose canonical "
                  "pixel is %3."),
    4};
constexpr StepText kName{POLLARD_TEACH("Every slot has the canonical pixel of its node, and that of the node above."),
                         5};
constexpr StepText kRead{
    POLLARD_TEACH("Tile %1: pixels whose parent is another one after the tiles were joined read it "
                  "from a slot: %2. The others keep that of their tile."),
    6};
constexpr StepText kRimEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 6};

} // namespace

RimStory::RimStory(const LabImage& picture, Connectivity connectivity, std::uint32_t tileSide)
    : picture_(picture), edges_(gridEdges(picture.width, picture.height, connectivity)), trace_(picture) {
    const std::uint32_t columns = (picture.width + tileSide - 1) / tileSide;
    tiles_ = columns * ((picture.height + tileSide - 1) / tileSide);
    std::vector<std::int64_t> tiles;
    for (std::uint32_t pixel = 0; pixel < picture.pixelCount(); ++pixel) {
        tiles.push_back(pixel / picture.width / tileSide * columns + pixel % picture.width / tileSide);
    }
    trace_.setUp(Layer::tile, std::move(tiles));
    trace_.setUp(Layer::parent, picture.pixelCount());
    trace_.setUp(Layer::number, picture.pixelCount());
    trace_.setUp(Layer::mark, picture.pixelCount());
    trace_.setUp(Layer::edge, edges_.size());
}

void RimStory::buildTile(std::uint32_t tile, std::span<const TilePixel> pixels) {
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

void RimStory::listEdges(std::span<const cuda::RimEdge> edges) {
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

void RimStory::lookAtLinks(const Record::Word* links) {
    if (seen_.empty()) {
        seen_.assign(links, links + pixelOfSlot_.size());
    }
    for (std::uint32_t slot = 0; slot < seen_.size(); ++slot) {
        const Record::Word link = links[slot];
        const Record::Word before = std::exchange(seen_[slot], link);
        if (link == before) {
            continue;
        }
        const std::uint32_t pixel = pixelOfSlot_[slot];
        const std::uint32_t parent = pixelOfSlot_[Record::slot(link)];
        if (before == Record::kNone) {
            trace_.step(kHang, {pixelValue(pixel), pixelValue(parent)});
        } else {
            trace_.step(kMove, {pixelValue(pixel), pixelValue(parent), pixelValue(pixelOfSlot_[Record::slot(before)])});
        }
        trace_.clearMarks();
        trace_.set(pixel, Mark::active);
        trace_.set(parent, Mark::other);
        trace_.set(Layer::parent, pixel, parent);
        trace_.ask();
    }
}

void RimStory::settle(const Record::Word* links, const std::uint32_t* canonical) {
    for (std::uint32_t slot = 0; slot < pixelOfSlot_.size(); ++slot) {
        const std::uint32_t pixel = pixelOfSlot_[slot];
        if (links[slot] == Record::kNone) {
            continue;
        }
        const std::uint32_t to = pixelOfSlot_[Record::slot(links[slot])];
        if (picture_.levels[to] != picture_.levels[pixel]) {
            continue;
        }
        trace_.step(kSettle, {pixelValue(pixel), pixelValue(to), pixelValue(canonical[Record::slot(links[slot])])});
        trace_.clearMarks();
        trace_.set(pixel, Mark::active);
        trace_.set(to, Mark::other);
        trace_.set(Layer::parent, pixel, to);
        trace_.ask();
    }
}

void RimStory::name() {
    trace_.step(kName);
    trace_.clearMarks();
    for (const std::uint32_t pixel : pixelOfSlot_) {
        trace_.set(pixel, Mark::active);
    }
}

void RimStory::writeParents(std::span<const std::uint32_t> parents) {
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

Trace RimStory::end() {
    trace_.step(kRimEnd);
    trace_.clearMarks();
    return trace_.take();
}

} // namespace pollard::teach
