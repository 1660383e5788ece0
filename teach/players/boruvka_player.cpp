#include "players/players.hpp"

#include "cuda/boruvka/branch_build.hpp"
#include "cuda/boruvka/emulated_machine.hpp"
#include "cuda/boruvka/plane_domain.hpp"
#include "cuda/device/levels.hpp"
#include "trace/text.hpp"
#include "watched/boruvka_story.hpp"
#include "watched/plain_buffer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pollard::teach {

namespace {

/// "boruvka" of docs/algorithms.md in words; the captions are next to the steps (boruvka_story.cpp).
constexpr std::array kBoruvkaLines{
    POLLARD_TEACH("in each tile: every pixel leads to its highest neighbour, and so up to a maximum"),
    POLLARD_TEACH("    in rounds: every component is joined to another along the highest edge out of it;"),
    POLLARD_TEACH("    if that edge leaves the tile, the component waits"),
    POLLARD_TEACH("list the edges that may join components that wait"),
    POLLARD_TEACH("in rounds: every component of the picture is joined along the highest edge out of it"),
    POLLARD_TEACH("a pixel's branch: from its maximum on, through all joins that are not lower than the pixel"),
    POLLARD_TEACH("sort the pixels by branch and level"),
    POLLARD_TEACH("pixels of one branch and one level are a run"),
    POLLARD_TEACH("the lowest run of a branch hangs on the run of its saddle, or is part of it"),
    POLLARD_TEACH("a run's pixels point to its first; that one to the first of the run below"),
};

/// Runs a BranchBuild in the emulator, and records the effects after its passes and at their barriers.
class BoruvkaMachine : public cuda::emulation::BasicEmulatedMachine<PlainBuffer> {
    using Base = BasicEmulatedMachine<PlainBuffer>;

public:
    /// The arguments must outlive this.
    BoruvkaMachine(cuda::emulation::Emulator& on, BoruvkaStory& story, std::size_t pixels)
        : Base(on, 0), story_(story), pixels_(pixels) {
        on.takeTurnsInOrder();
    }

    template <class Step> void each(const Step& step, std::size_t count) {
        Base::each(step, count);
        done(step);
    }
    void each(const cuda::SeeThroughAliases& step, std::size_t count) {
        Base::each(step, count);
        for (std::uint32_t branch = 0; branch < count; ++branch) {
            const std::uint32_t lowest = step.firstPixel[branch];
            if (lowest != cuda::kNoPixel) { // else all its pixels belong to other branches
                story_.attach(branch, lowest, step.parents[lowest], step.aliases.contains(lowest));
            }
        }
    }
    void each(const cuda::ReplaceAliases& step, std::size_t count) {
        Base::each(step, count);
        story_.writeParents({step.parents, count});
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
        story_.showRuns(runOfPixel, firsts);
    }
    void sort(PlainBuffer<std::uint64_t>& keys, PlainBuffer<std::uint64_t>& otherKeys, std::uint32_t count,
              cuda::SortedBits bits) {
        Base::sort(keys, otherKeys, count, bits);
        const cuda::SortedPixels sorted{keys.data(), nullptr, layout_};
        std::vector<std::uint32_t> order;
        for (std::uint32_t place = 0; place < count; ++place) {
            order.push_back(sorted.pixel(place));
        }
        story_.showOrder(order);
    }
    using Base::sort;
    void finish(const char* stage) {
        if (std::string_view(stage) == "seams") {
            const std::uint32_t edges = counts_->edges[0];
            if (edges > 0) {
                story_.listEdges({edges_.key, edges});
            }
        }
    }

private:
    template <class Step> void done(const Step&) {}
    void done(const cuda::HookComponents& step) { story_.hookInImage(step.components); }
    template <class Level> void done(const cuda::MakeKeys<Level>& step) {
        layout_ = step.keys.layout;
        std::vector<std::uint32_t> branches;
        for (std::size_t pixel = 0; pixel < pixels_; ++pixel) {
            branches.push_back(layout_.branch(step.keys.keys[pixel]));
        }
        story_.showBranches(branches);
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
            story_.ascend(block, pixels, maxima);
            stage_ = Stage::hooking;
        }
        if (stage_ == Stage::hooking && memory.frozenCount == 0) {
            std::vector<BoruvkaStory::Hook> hooks;
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
                story_.hookInTile(block, hooks);
            }
        } else if (stage_ == Stage::hooking) {
            std::vector<std::uint32_t> components;
            for (std::uint32_t number = 0; number < memory.frozenCount; ++number) {
                components.push_back(pixelOf(memory.frozen[number]));
            }
            story_.waitForTiles(block, components);
            stage_ = Stage::done;
        }
    }
    template <std::uint32_t kThreads> void threadsMet(const cuda::JoinTheRest<kThreads>& pass, std::uint32_t,
                                                      const typename cuda::JoinTheRest<kThreads>::Memory&) {
        story_.hookInImage(pass.components);
    }

    enum class Stage : std::uint8_t { ascending, hooking, done };

    BoruvkaStory& story_;
    std::size_t pixels_;
    std::uint32_t tile_ = 0xffffffffU;
    Stage stage_ = Stage::ascending;
    std::vector<std::uint8_t> hookedPlaces_; ///< of the current tile
    const cuda::BranchCounts* counts_ = nullptr;
    cuda::EdgeList edges_{};
    cuda::KeyLayout layout_{};
};

Trace recordBoruvka(const LabImage& picture, const PlayerSpec& spec) {
    requireLab(picture);
    requireTiles(spec);
    BoruvkaStory story(picture, spec.connectivity, spec.tileSide);
    cuda::emulation::Emulator emulator(0);
    BoruvkaMachine machine(emulator, story, picture.pixelCount());
    const cuda::BranchInput<std::uint16_t> input{
        picture.levels.data(), {picture.width, picture.height}, cuda::flipOf<std::uint16_t>(spec.kind)};
    withTileSide(spec, [&](auto side, auto eight) {
        using Shape = cuda::TileShape<side(), side(), side()>;
        static_cast<void>(
            cuda::BranchBuild<BoruvkaMachine, std::uint16_t, cuda::PlaneDomain<Shape, eight()>>(machine, input)
                .parents());
    });
    return story.end();
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
