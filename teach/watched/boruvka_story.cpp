#include "watched/boruvka_story.hpp"

#include "cuda/boruvka/direction.hpp"
#include "trace/text.hpp"
#include "trace/trace.hpp"

#include <set>
#include <utility>

namespace pollard::teach {
namespace {

constexpr StepText kAscend{
    POLLARD_TEACH("Tile %1: every pixel leads to its highest neighbour, and so up to a maximum. Maxima, each with a "
                  "component of its own: %2."),
    0};
constexpr StepText kTileRound{
    POLLARD_TEACH("Tile %1, round %2: every component has found the highest edge out of it. Joined along theirs: %3."),
    1};
constexpr StepText kTileHook{
    POLLARD_TEACH(
        "The highest edge out of the component of %1 is at its saddle %2, level %3: it is joined to that of %4, "
        "and %1's branch ends there."),
    1};
constexpr StepText kWait{
    POLLARD_TEACH(
        "Tile %1: the highest edge out of every remaining component leads to another tile. Components that wait: %2."),
    2};
constexpr StepText kBoruvkaEdges{POLLARD_TEACH("Edges that may join components that wait: %1. All others are dropped."),
                                 3};
constexpr StepText kRound{POLLARD_TEACH("Round %1 of the whole picture: every component has found the highest edge out "
                                        "of it. Joined along theirs: %2."),
                          4};
constexpr StepText kHook{
    POLLARD_TEACH(
        "The highest edge out of the component of %1 is at its saddle %2, level %3: it is joined to that of %4."),
    4};
constexpr StepText kBranches{
    POLLARD_TEACH("Every pixel has its branch: each cell shows its number. %1 branches have pixels."), 5};
constexpr StepText kOrder{POLLARD_TEACH("The pixels are sorted by branch, then by level: each cell shows its place."),
                          6};
constexpr StepText kRuns{
    POLLARD_TEACH(
        "Pixels of one branch and one level are neighbours in this order: %1 runs, from the lowest of the branch "
        "to its maximum."),
    7};
constexpr StepText kRootBranch{POLLARD_TEACH("Branch %1 was never joined to another: its lowest run is the root."), 8};
constexpr StepText kAttach{
    POLLARD_TEACH("Branch %1 ends at its saddle: its lowest node, that of %2, hangs on the node of %3."), 8};
constexpr StepText kAlias{
    POLLARD_TEACH(
        "The saddle of branch %1 has the level of its lowest run, that of %2: both are one node, that of %3."),
    8};
constexpr StepText kNode{POLLARD_TEACH("Run %1: its pixels point to the canonical one, %2, and that to %3."), 9};
constexpr StepText kAliasNode{POLLARD_TEACH("Run %1 is part of the node of its saddle: its pixels point to %2."), 9};
constexpr StepText kRoot{POLLARD_TEACH("Run %1 is the root: its pixels point to %2, and that to itself."), 9};
constexpr StepText kBoruvkaEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 9};

} // namespace

BoruvkaStory::BoruvkaStory(const LabImage& picture, Connectivity connectivity, std::uint32_t tileSide)
    : picture_(picture), last_(static_cast<std::uint32_t>(picture.pixelCount() - 1)),
      edges_(gridEdges(picture.width, picture.height, connectivity)), trace_(picture), maximumOf_(picture.pixelCount()),
      componentOf_(picture.pixelCount()), into_(picture.pixelCount()) {
    trace_.setUp(Layer::parent, picture.pixelCount());
    trace_.setUp(Layer::number, picture.pixelCount());
    trace_.setUp(Layer::mark, picture.pixelCount());
    trace_.setUp(Layer::edge, edges_.size());
    const std::uint32_t columns = (picture.width + tileSide - 1) / tileSide;
    tiles_ = columns * ((picture.height + tileSide - 1) / tileSide);
    std::vector<std::int64_t> tiles;
    for (std::uint32_t pixel = 0; pixel <= last_; ++pixel) { // tiles are cut from the end, too
        const std::uint32_t turned = last_ - pixel;
        tiles.push_back(turned / picture.width / tileSide * columns + turned % picture.width / tileSide);
    }
    trace_.setUp(Layer::tile, std::move(tiles));
}

void BoruvkaStory::ascend(std::uint32_t tile, std::span<const std::uint32_t> pixels,
                          std::span<const std::uint32_t> maxima) {
    tileRound_ = 0;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        maximumOf_[pixels[i]] = maxima[i];
        into_[pixels[i]] = pixels[i];
        if (pixels[i] == maxima[i]) {
            componentOf_[pixels[i]] = ++components_;
            ++count;
        }
    }
    trace_.step(kAscend, {numberValue(tile + 1), numberValue(count)});
    trace_.clearMarks();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const std::uint32_t pixel = imagePixel(pixels[i]);
        trace_.set(Layer::parent, pixel, imagePixel(maxima[i]));
        trace_.set(Layer::number, pixel, componentOf_[maxima[i]]);
        if (pixels[i] == maxima[i]) {
            trace_.set(pixel, Mark::active);
        }
    }
}

void BoruvkaStory::showComponents() {
    for (std::uint32_t pixel = 0; pixel <= last_; ++pixel) {
        if (trace_.at(Layer::number, imagePixel(pixel)) < 0) {
            continue;
        }
        std::uint32_t component = maximumOf_[pixel];
        while (into_[component] != component) {
            component = into_[component];
        }
        trace_.set(Layer::number, imagePixel(pixel), componentOf_[component]);
    }
}

void BoruvkaStory::showHook(const StepText& text, const Hook& hook) {
    const std::uint32_t saddle = imagePixel(hook.saddle);
    trace_.step(text, {pixelValue(imagePixel(hook.component)), pixelValue(saddle), levelValue(picture_.levels[saddle]),
                       pixelValue(imagePixel(hook.to))});
    trace_.clearMarks();
    trace_.set(saddle, Mark::waiting);
    trace_.set(imagePixel(hook.component), Mark::active);
    trace_.set(imagePixel(hook.to), Mark::other);
    trace_.set(edgeOf(hook), EdgeMark::used);
    into_[hook.component] = hook.to;
    showComponents();
    trace_.set(Layer::parent, imagePixel(hook.component), imagePixel(hook.to));
    trace_.ask();
}

void BoruvkaStory::hookInTile(std::uint32_t tile, std::span<const Hook> hooks) {
    trace_.step(kTileRound, {numberValue(tile + 1), numberValue(++tileRound_),
                             numberValue(static_cast<std::int64_t>(hooks.size()))});
    trace_.clearMarks();
    for (const Hook& hook : hooks) {
        trace_.set(imagePixel(hook.component), Mark::active);
        trace_.set(edgeOf(hook), EdgeMark::active);
    }
    for (const Hook& hook : hooks) {
        showHook(kTileHook, hook);
    }
}

void BoruvkaStory::waitForTiles(std::uint32_t tile, std::span<const std::uint32_t> components) {
    if (tiles_ > 1) {
        trace_.step(kWait, {numberValue(tile + 1), numberValue(static_cast<std::int64_t>(components.size()))});
        trace_.clearMarks();
        for (const std::uint32_t component : components) {
            trace_.set(imagePixel(component), Mark::waiting);
        }
    }
    waiting_.insert(waiting_.end(), components.begin(), components.end());
    hooked_.resize(waiting_.size(), 0);
}

void BoruvkaStory::listEdges(std::span<const std::uint64_t> keys) {
    trace_.step(kBoruvkaEdges, {numberValue(static_cast<std::int64_t>(keys.size()))});
    trace_.clearMarks();
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (trace_.at(Layer::edge, e) < 0) {
            trace_.set(e, EdgeMark::idle);
        }
    }
    for (const std::uint64_t key : keys) {
        const Hook ends = hookAlong(key, 0, 0);
        trace_.set(edgeOf(ends), EdgeMark::active);
    }
}

BoruvkaStory::Hook BoruvkaStory::hookAlong(std::uint64_t key, std::uint32_t component, std::uint32_t to) const {
    const std::uint32_t saddle = cuda::EdgeKey::saddle(key);
    const std::uint32_t direction = cuda::EdgeKey::direction(key);
    const int step = cuda::stepDown(direction) * static_cast<int>(picture_.width) + cuda::stepRight(direction);
    return {component, to, saddle, saddle + static_cast<std::uint32_t>(step)};
}

void BoruvkaStory::hookInImage(const cuda::FrozenComponents& components) {
    std::vector<Hook> hooks;
    for (std::uint32_t c = 0; c < waiting_.size(); ++c) {
        if (hooked_[c] == 0 && components.hook[c] != cuda::EdgeKey::kNone) {
            hooked_[c] = 1;
            hooks.push_back(hookAlong(components.hook[c], waiting_[c], waiting_[components.joined[c]]));
        }
    }
    if (hooks.empty()) {
        return;
    }
    trace_.step(kRound, {numberValue(++round_), numberValue(static_cast<std::int64_t>(hooks.size()))});
    trace_.clearMarks();
    for (const Hook& hook : hooks) {
        trace_.set(imagePixel(hook.component), Mark::active);
    }
    for (const Hook& hook : hooks) {
        showHook(kHook, hook);
    }
}

void BoruvkaStory::showBranches(std::span<const std::uint32_t> branchOfPixel) {
    const std::set<std::uint32_t> branches(branchOfPixel.begin(), branchOfPixel.end());
    trace_.step(kBranches, {numberValue(static_cast<std::int64_t>(branches.size()))});
    trace_.clearMarks();
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (trace_.at(Layer::edge, e) != static_cast<std::int64_t>(EdgeMark::used)) {
            trace_.set(e, EdgeMark::idle);
        }
    }
    for (std::uint32_t pixel = 0; pixel <= last_; ++pixel) {
        trace_.set(Layer::number, imagePixel(pixel), branchOfPixel[pixel] + 1);
    }
}

void BoruvkaStory::showOrder(std::span<const std::uint32_t> sorted) {
    trace_.step(kOrder);
    for (std::uint32_t place = 0; place < sorted.size(); ++place) {
        trace_.set(Layer::number, imagePixel(sorted[place]), place + 1);
    }
}

void BoruvkaStory::showRuns(std::span<const std::uint32_t> runOfPixel, std::span<const std::uint32_t> firstPixelOfRun) {
    trace_.step(kRuns, {numberValue(static_cast<std::int64_t>(firstPixelOfRun.size()))});
    canonical_.assign(firstPixelOfRun.begin(), firstPixelOfRun.end());
    pixelsOfRun_.resize(canonical_.size());
    for (std::uint32_t pixel = 0; pixel <= last_; ++pixel) {
        trace_.set(Layer::number, pixel, runOfPixel[pixel] + 1);
        pixelsOfRun_[runOfPixel[pixel]].push_back(pixel);
    }
}

void BoruvkaStory::attach(std::uint32_t branch, std::uint32_t lowest, std::uint32_t node, bool isAlias) {
    const Value number = numberValue(branch + 1);
    if (node == lowest) {
        trace_.step(kRootBranch, {number});
    } else {
        trace_.step(isAlias ? kAlias : kAttach, {number, pixelValue(lowest), pixelValue(node)});
    }
    trace_.clearMarks();
    trace_.set(lowest, Mark::active);
    if (node != lowest) {
        trace_.set(node, Mark::other);
    }
}

void BoruvkaStory::writeParents(std::span<const std::uint32_t> parents) {
    for (std::uint32_t run = 0; run < canonical_.size(); ++run) {
        const std::uint32_t first = canonical_[run];
        const std::uint32_t parent = parents[first];
        const bool isAlias = picture_.levels[parent] == picture_.levels[first] && parent != first;
        if (isAlias) {
            trace_.step(kAliasNode, {numberValue(run + 1), pixelValue(parent)});
        } else if (parent == first) {
            trace_.step(kRoot, {numberValue(run + 1), pixelValue(first)});
        } else {
            trace_.step(kNode, {numberValue(run + 1), pixelValue(first), pixelValue(parent)});
        }
        trace_.clearMarks();
        for (const std::uint32_t pixel : pixelsOfRun_[run]) {
            trace_.set(pixel, Mark::active);
            if (pixel != first) {
                trace_.set(Layer::parent, pixel, parents[pixel]);
            }
        }
        trace_.set(Layer::parent, first, parent);
        trace_.ask();
    }
}

Trace BoruvkaStory::end() {
    trace_.step(kBoruvkaEnd);
    trace_.clearMarks();
    return trace_.take();
}

} // namespace pollard::teach
