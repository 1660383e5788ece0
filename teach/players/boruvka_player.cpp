#include "players/players.hpp"

#include "cuda/boruvka/branch_build.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/emulated_machine.hpp"
#include "cuda/boruvka/plane_domain.hpp"
#include "cuda/device/device_image.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard::teach {

namespace {

/// Records a build of `boruvka` as steps of a trace. Pixels are numbered as in the build, from the last one of the
/// image.
///
/// Layer::parent of a maximum shows the component to which its component is joined, until nodes have their parents;
/// Layer::number shows a pixel's component (numbered in the order of the maxima), then its branch, its place among the
/// sorted pixels, and its run.
class BoruvkaRecording {
public:
    /// The image must outlive this.
    BoruvkaRecording(const LabImage& image, Connectivity connectivity, std::uint32_t tileSide);

    /// Shows that each pixel of a tile leads to a maximum.
    void ascend(std::uint32_t tile, std::span<const std::uint32_t> pixels, std::span<const std::uint32_t> maxima);
    /// A join of a component to another one; components are given by their maxima.
    struct Hook {
        std::uint32_t component, to, saddle, beyond; ///< the edge leads from the saddle to the pixel beyond
    };
    void hookInTile(std::uint32_t tile, std::span<const Hook> hooks);
    /// Components of the tile, given by their maxima, that wait for other tiles.
    void waitForTiles(std::uint32_t tile, std::span<const std::uint32_t> components);
    void listEdges(std::span<const std::uint64_t> keys);
    /// Shows a round over the whole image; components are numbered in the order of waitForTiles().
    void hookInImage(const cuda::FrozenComponents& components);
    void showBranches(std::span<const std::uint32_t> branchOfPixel);
    void showOrder(std::span<const std::uint32_t> sorted);
    // From here on pixels are numbered as in the image.
    void showRuns(std::span<const std::uint32_t> runOfPixel, std::span<const std::uint32_t> firstPixelOfRun);
    /// Attaches a branch, given by the first pixel of its lowest run, to the node of the pixel @p node; the branch of
    /// the root to itself.
    void attach(std::uint32_t branch, std::uint32_t lowest, std::uint32_t node, bool isAlias);
    void writeParents(std::span<const std::uint32_t> parents);

    [[nodiscard]] Trace end();

private:
    [[nodiscard]] std::uint32_t imagePixel(std::uint32_t pixel) const noexcept { return last_ - pixel; }
    [[nodiscard]] std::size_t edgeOf(const Hook& hook) const {
        return edgeBetween(edges_, imagePixel(hook.saddle), imagePixel(hook.beyond));
    }
    /// A join along an edge of the image.
    [[nodiscard]] Hook hookAlong(std::uint64_t key, std::uint32_t component, std::uint32_t to) const;
    void showComponents();
    void showHook(const StepText& text, const Hook& hook);

    const LabImage& image_;
    std::uint32_t last_; ///< pixel
    std::vector<GridEdge> edges_;
    TraceRecorder trace_;
    std::vector<std::uint32_t> maximumOf_;   ///< per pixel: the maximum to which it leads
    std::vector<std::uint32_t> componentOf_; ///< per maximum: number of its component
    std::uint32_t components_ = 0;
    /// Per maximum: the component to which its component is joined; itself if not joined.
    std::vector<std::uint32_t> into_;
    std::vector<std::uint32_t> waiting_;   ///< per component that waits for other tiles: its maximum
    std::vector<std::uint8_t> hooked_;     ///< per waiting component: joined to another
    std::vector<std::uint32_t> canonical_; ///< per run
    std::vector<std::vector<std::uint32_t>> pixelsOfRun_;
    std::uint32_t tiles_ = 0;
    std::uint32_t tileRound_ = 0;
    std::uint32_t round_ = 0;
};

constexpr StepText kAscend{
    POLLARD_TEACH("Tile %1: every pixel leads to its highest neighbour, and so up to a maximum. Maxima, each with a "
                  "component of its own: %2."),
    0};
constexpr StepText kTileRound{
    POLLARD_TEACH(
        "Tile %1, round %2: every component has found the highest edge that leaves it. Joined along these edges: %3."),
    1};
constexpr StepText kTileHook{
    POLLARD_TEACH("The highest edge that leaves the component of %1 is at its saddle %2, level %3: the component is "
                  "joined to the one with %4, and %1's branch ends there."),
    1};
constexpr StepText kWait{
    POLLARD_TEACH(
        "Tile %1: the highest edge out of every remaining component leads to another tile. Components that wait: %2."),
    2};
constexpr StepText kBoruvkaEdges{POLLARD_TEACH("Edges that may join components that wait: %1. All others are dropped."),
                                 3};
constexpr StepText kRound{POLLARD_TEACH("Round %1 of the whole image: every component has found the highest edge "
                                        "that leaves it. Joined along these edges: %2."),
                          4};
constexpr StepText kHook{POLLARD_TEACH("The highest edge that leaves the component of %1 is at its saddle %2, level "
                                       "%3: the component is joined to the one with %4."),
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
    POLLARD_TEACH("Branch %1 ends at its saddle: its lowest node, the node of %2, hangs on the node of %3."), 8};
constexpr StepText kAlias{
    POLLARD_TEACH(
        "The saddle of branch %1 has the level of its lowest run, the run of %2: both are one node, the node of %3."),
    8};
constexpr StepText kNode{POLLARD_TEACH("Run %1: its pixels point to the canonical one, %2, and that to %3."), 9};
constexpr StepText kAliasNode{POLLARD_TEACH("Run %1 is part of the node of its saddle: its pixels point to %2."), 9};
constexpr StepText kRoot{POLLARD_TEACH("Run %1 is the root: its pixels point to %2, and that to itself."), 9};
constexpr StepText kBoruvkaEnd{
    POLLARD_TEACH("Every pixel points to the canonical pixel of its node, or of the node above."), 9};

BoruvkaRecording::BoruvkaRecording(const LabImage& image, Connectivity connectivity, std::uint32_t tileSide)
    : image_(image), last_(static_cast<std::uint32_t>(image.pixelCount() - 1)),
      edges_(gridEdges(image.width, image.height, connectivity)), trace_(image), maximumOf_(image.pixelCount()),
      componentOf_(image.pixelCount()), into_(image.pixelCount()) {
    trace_.setUp(Layer::parent, image.pixelCount());
    trace_.setUp(Layer::number, image.pixelCount());
    trace_.setUp(Layer::mark, image.pixelCount());
    trace_.setUp(Layer::edge, edges_.size());
    const std::uint32_t columns = (image.width + tileSide - 1) / tileSide;
    tiles_ = columns * ((image.height + tileSide - 1) / tileSide);
    std::vector<std::int64_t> tiles;
    for (std::uint32_t pixel = 0; pixel <= last_; ++pixel) { // tiles are cut from the end, too
        const std::uint32_t turned = last_ - pixel;
        tiles.push_back(turned / image.width / tileSide * columns + turned % image.width / tileSide);
    }
    trace_.setUp(Layer::tile, std::move(tiles));
}

void BoruvkaRecording::ascend(std::uint32_t tile, std::span<const std::uint32_t> pixels,
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

void BoruvkaRecording::showComponents() {
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

void BoruvkaRecording::showHook(const StepText& text, const Hook& hook) {
    const std::uint32_t saddle = imagePixel(hook.saddle);
    trace_.step(text, {pixelValue(imagePixel(hook.component)), pixelValue(saddle), levelValue(image_.levels[saddle]),
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

void BoruvkaRecording::hookInTile(std::uint32_t tile, std::span<const Hook> hooks) {
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

void BoruvkaRecording::waitForTiles(std::uint32_t tile, std::span<const std::uint32_t> components) {
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

void BoruvkaRecording::listEdges(std::span<const std::uint64_t> keys) {
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

BoruvkaRecording::Hook BoruvkaRecording::hookAlong(std::uint64_t key, std::uint32_t component, std::uint32_t to) const {
    const std::uint32_t saddle = cuda::EdgeKey::saddle(key);
    const std::uint32_t direction = cuda::EdgeKey::direction(key);
    const int step = cuda::stepDown(direction) * static_cast<int>(image_.width) + cuda::stepRight(direction);
    return {component, to, saddle, saddle + static_cast<std::uint32_t>(step)};
}

void BoruvkaRecording::hookInImage(const cuda::FrozenComponents& components) {
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

void BoruvkaRecording::showBranches(std::span<const std::uint32_t> branchOfPixel) {
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

void BoruvkaRecording::showOrder(std::span<const std::uint32_t> sorted) {
    trace_.step(kOrder);
    for (std::uint32_t place = 0; place < sorted.size(); ++place) {
        trace_.set(Layer::number, imagePixel(sorted[place]), place + 1);
    }
}

void BoruvkaRecording::showRuns(std::span<const std::uint32_t> runOfPixel,
                                std::span<const std::uint32_t> firstPixelOfRun) {
    trace_.step(kRuns, {numberValue(static_cast<std::int64_t>(firstPixelOfRun.size()))});
    canonical_.assign(firstPixelOfRun.begin(), firstPixelOfRun.end());
    pixelsOfRun_.resize(canonical_.size());
    for (std::uint32_t pixel = 0; pixel <= last_; ++pixel) {
        trace_.set(Layer::number, pixel, runOfPixel[pixel] + 1);
        pixelsOfRun_[runOfPixel[pixel]].push_back(pixel);
    }
}

void BoruvkaRecording::attach(std::uint32_t branch, std::uint32_t lowest, std::uint32_t node, bool isAlias) {
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

void BoruvkaRecording::writeParents(std::span<const std::uint32_t> parents) {
    for (std::uint32_t run = 0; run < canonical_.size(); ++run) {
        const std::uint32_t first = canonical_[run];
        const std::uint32_t parent = parents[first];
        const bool isAlias = image_.levels[parent] == image_.levels[first] && parent != first;
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

Trace BoruvkaRecording::end() {
    trace_.step(kBoruvkaEnd);
    trace_.clearMarks();
    return trace_.take();
}

/// "boruvka" of docs/algorithms.md in words. The captions of the steps are above.
constexpr std::array kBoruvkaLines{
    POLLARD_TEACH("in each tile: every pixel leads to its highest neighbour, and so up to a maximum"),
    POLLARD_TEACH("    in rounds: every component is joined to another along the highest edge that leaves it;"),
    POLLARD_TEACH("    if that edge leaves the tile, the component waits"),
    POLLARD_TEACH("list the edges that may join components that wait"),
    POLLARD_TEACH("in rounds: every component of the image is joined along the highest edge that leaves it"),
    POLLARD_TEACH("a pixel's branch: from its maximum on, through all joins that are not lower than the pixel"),
    POLLARD_TEACH("sort the pixels by branch and level"),
    POLLARD_TEACH("pixels of one branch and one level are a run"),
    POLLARD_TEACH("the lowest run of a branch hangs on the run of its saddle, or is part of that run"),
    POLLARD_TEACH("a run's pixels point to its first; that one to the first of the run below"),
};

/// Runs a BranchBuild in the emulator, and records the effects after its passes and at their barriers.
class BoruvkaMachine : public cuda::emulation::BasicEmulatedMachine<PlainBuffer> {
    using Base = BasicEmulatedMachine<PlainBuffer>;

public:
    /// The arguments must outlive this.
    BoruvkaMachine(cuda::emulation::Emulator& on, BoruvkaRecording& recording, std::size_t pixels)
        : Base(on, 0), recording_(recording), pixels_(pixels) {
        on.takeTurnsInOrder();
    }

    template <class Step> void each(const Step& step, std::size_t count) {
        Base::each(step, count);
        done(step);
    }
    void each(const cuda::SkipAliases& step, std::size_t count) {
        Base::each(step, count);
        for (std::uint32_t branch = 0; branch < count; ++branch) {
            const std::uint32_t lowest = step.firstPixel[branch];
            if (lowest != cuda::kNoPixel) { // else all its pixels belong to other branches
                recording_.attach(branch, lowest, step.parents[lowest], step.aliases.contains(lowest));
            }
        }
    }
    void each(const cuda::ReplaceAliases& step, std::size_t count) {
        Base::each(step, count);
        recording_.writeParents({step.parents, count});
    }
    template <class Step> void eachOf(const Step& step, const std::uint32_t* count, std::uint32_t most) {
        Base::eachOf(step, count, most);
        done(step);
    }
    template <class Pass> void tiles(const Pass& pass, std::uint32_t count) {
        using Memory = typename Pass::Memory;
        emulator().watch([&](cuda::emulation::Emulator::Moment moment) {
            // Threads take turns in order: the last one completes a barrier.
            if (moment == cuda::emulation::Emulator::Moment::meeting &&
                emulator().thread() == Pass::Shape::kThreads - 1) {
                threadsMet(pass, emulator().block(), *static_cast<const Memory*>(emulator().sharedMemory()));
            }
        });
        Base::tiles(pass, count);
        emulator().watch(nullptr);
    }
    template <std::uint32_t kThreads> void tiles(const cuda::LinkRuns<kThreads>& pass, std::uint32_t count) {
        Base::tiles(pass, count);
        std::vector<std::uint32_t> firsts;
        std::vector<std::uint32_t> runOfPixel(pixels_);
        for (std::size_t place = 0; place < pixels_; ++place) {
            const std::uint32_t pixel = static_cast<std::uint32_t>(pixels_ - 1) - pass.sorted.pixel(place);
            if (pass.sorted.startsRun(place)) {
                firsts.push_back(pixel);
            }
            runOfPixel[pixel] = static_cast<std::uint32_t>(firsts.size() - 1);
        }
        recording_.showRuns(runOfPixel, firsts);
    }
    void sort(PlainBuffer<std::uint64_t>& keys, PlainBuffer<std::uint64_t>& otherKeys, std::uint32_t count,
              cuda::SortedBits bits) {
        Base::sort(keys, otherKeys, count, bits);
        const cuda::SortedPixels sorted{keys.data(), nullptr, layout_};
        std::vector<std::uint32_t> order;
        for (std::uint32_t place = 0; place < count; ++place) {
            order.push_back(sorted.pixel(place));
        }
        recording_.showOrder(order);
    }
    using Base::sort;
    void finish(const char* stage) {
        if (std::string_view(stage) == "seams") {
            const std::uint32_t edges = counts_->edges[0];
            if (edges > 0) {
                recording_.listEdges({edges_.key, edges});
            }
        }
    }

private:
    template <class Step> void done(const Step&) {}
    void done(const cuda::HookComponents& step) { recording_.hookInImage(step.components); }
    template <class Level> void done(const cuda::MakeKeys<Level>& step) {
        layout_ = step.keys.layout;
        std::vector<std::uint32_t> branches;
        for (std::size_t pixel = 0; pixel < pixels_; ++pixel) {
            branches.push_back(layout_.branch(step.keys.keys[pixel]));
        }
        recording_.showBranches(branches);
    }

    template <class Pass, class Memory> void threadsMet(const Pass&, std::uint32_t, const Memory&) {}
    template <class Level, class Shape, bool kEight> void threadsMet(const cuda::TilePass<Level, Shape, kEight>& pass,
                                                                     std::uint32_t block,
                                                                     const cuda::BlockMemory<Level, Shape>& memory) {
        using Work = cuda::TileWork<Level, Shape, kEight>;
        counts_ = pass.counts;
        edges_ = pass.edges;
        if (block != tile_) {
            tile_ = block;
            stage_ = Stage::ascending;
        }
        const std::uint32_t left = block % pass.tileColumns * Shape::kWidth;
        const std::uint32_t top = block / pass.tileColumns * Shape::kHeight;
        const auto pixelOf = [&](std::uint32_t place) {
            return (top + place / Shape::kWidth) * pass.width + left + place % Shape::kWidth;
        };
        const auto contains = [&](std::uint32_t place) {
            return left + place % Shape::kWidth < pass.width && top + place / Shape::kWidth < pass.height;
        };
        if (stage_ == Stage::ascending) {
            std::vector<std::uint32_t> pixels;
            std::vector<std::uint32_t> maxima;
            hookedPlaces_.assign(Shape::kPixels, 0);
            for (std::uint32_t place = 0; place < Shape::kPixels; ++place) {
                if (memory.label[place] != place || memory.basin[place] >= Shape::kPixels) {
                    return; // the ascent writes labels last
                }
                if (contains(place)) {
                    pixels.push_back(pixelOf(place));
                    maxima.push_back(pixelOf(memory.basin[place]));
                }
            }
            recording_.ascend(block, pixels, maxima);
            stage_ = Stage::hooking;
        }
        if (stage_ == Stage::hooking && memory.frozenCount == 0) {
            std::vector<BoruvkaRecording::Hook> hooks;
            for (std::uint32_t place = 0; place < Shape::kPixels; ++place) {
                if (hookedPlaces_[place] == 0 && memory.into[place] != place) {
                    hookedPlaces_[place] = 1;
                    const std::uint32_t edge = memory.best[place];
                    hooks.push_back({pixelOf(place), pixelOf(memory.into[place]),
                                     pixelOf(Work::placeOf(Work::lowerEnd(edge))),
                                     pixelOf(Work::placeOf(Work::higherEnd(edge)))});
                }
            }
            if (!hooks.empty()) {
                recording_.hookInTile(block, hooks);
            }
        } else if (stage_ == Stage::hooking) {
            std::vector<std::uint32_t> components;
            for (std::uint32_t number = 0; number < memory.frozenCount; ++number) {
                components.push_back(pixelOf(memory.frozen[number]));
            }
            recording_.waitForTiles(block, components);
            stage_ = Stage::done;
        }
    }
    template <std::uint32_t kThreads> void threadsMet(const cuda::JoinRemaining<kThreads>& pass, std::uint32_t,
                                                      const typename cuda::JoinRemaining<kThreads>::Memory&) {
        recording_.hookInImage(pass.components);
    }

    enum class Stage : std::uint8_t { ascending, hooking, done };

    BoruvkaRecording& recording_;
    std::size_t pixels_;
    std::uint32_t tile_ = 0xffffffffU;
    Stage stage_ = Stage::ascending;
    std::vector<std::uint8_t> hookedPlaces_; ///< of the current tile
    const cuda::BranchCounts* counts_ = nullptr;
    cuda::EdgeList edges_{};
    cuda::KeyLayout layout_{};
};

Trace recordBoruvka(const LabImage& image, const PlayerSpec& spec) {
    requireLab(image);
    requireTiles(spec);
    BoruvkaRecording recording(image, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    BoruvkaMachine machine(emulator, recording, image.pixelCount());
    const cuda::BranchInput<std::uint16_t> input{
        image.levels.data(), {image.width, image.height}, cuda::flipOf<std::uint16_t>(spec.kind)};
    withTileSide(spec, [&](auto side, auto eight) {
        using Shape = cuda::TileShape<side(), side(), side()>;
        static_cast<void>(
            cuda::BranchBuild<BoruvkaMachine, std::uint16_t, cuda::PlaneDomain<Shape, eight()>>(machine, input)
                .parents());
    });
    return recording.end();
}

constexpr PlayerInfo kBoruvkaInfo{
    .id = "boruvka",
    .title = POLLARD_TEACH("Max-tree on a GPU: boruvka, Pollard's own algorithm"),
    .summary = POLLARD_TEACH("Components around the maxima are joined in rounds along the highest edges, which "
                             "determines the end of every branch; sorting by branch and level gives the nodes."),
    .lines = kBoruvkaLines,
    .asksTree = true,
    .asksTiles = true,
    .record = &recordBoruvka,
};

} // namespace

const PlayerInfo& boruvkaPlayer() { return kBoruvkaInfo; }

} // namespace pollard::teach
