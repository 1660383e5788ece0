#pragma once

#include "branches/branch_capacity.hpp"
#include "branches/branch_nodes.hpp"
#include "branches/build_state.hpp"
#include "branches/global_hooking.hpp"
#include "branches/pixel_keys.hpp"
#include "branches/seam_edges.hpp"
#include "branches/sorted_pixels.hpp"
#include "branches/tile_pass.hpp"
#include "branches/turned_levels.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// The image of a build, and how it is to be seen.
template <class Level> struct BranchInput {
    const Level* pixels; ///< in device memory, row after row
    std::uint32_t width, height;
    Level flip;          ///< 0, or all ones for a min-tree
    bool mayPack = true; ///< sort keys that hold the pixel, if all fits; a test wants the other way as well
};

/// The max-tree by branches (docs/algorithms.md, "boruvka"): makes the canonical parent image. The passes are run by a
/// machine, the GPU or the emulator, which has:
///
///     Buffer<T>                          move-only array in device memory: data(), size(), reset()
///     make<T>(count, what)               an uninitialised one; what: for the message if there is no memory
///     fill(data, count, byte)            sets every byte
///     each(step, count)                  step(i) for every i < count, in any order
///     eachOf(step, count, most)          the same for a count in device memory, which is at most `most`
///     tiles(pass, count)                 pass(memory) in every thread of a block a tile
///     runStarts(start, runs, count)      runs[k] = max(start(0), ..., start(k))
///     sort(keys, otherKeys, layout)      by the sorted bits, equal ones keep their order; swaps the buffers
///     sort(keys, otherKeys, pixels, otherPixels, layout)
///     readBack(to, from)                 waits and copies one value to the host
///     finish(stage)                      ends a stage of the report
template <class Machine, class Level, class Shape, bool kEight> class BranchBuild {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    BranchBuild(Machine& machine, const BranchInput<Level>& input)
        : machine_(machine), input_(input),
          pixels_(input.width * input.height), image_{input.pixels + (pixels_ - 1), input.flip},
          capacity_(BranchCapacity::of<Shape>(input.width, input.height, kEight)) {}

    /// Canonical parent image, shape (height, width).
    [[nodiscard]] Buffer<std::uint32_t> run() {
        countsBuffer_ = machine_.template make<BranchCounts>(1, kWhat);
        machine_.fill(countsBuffer_.data(), 1, 0);
        codes_ = make<std::uint32_t>(pixels_);
        closedSaddles_ = make<std::uint32_t>(capacity_.maxima);
        {
            EdgeBuffers edges = makeEdges(capacity_.edges);
            findEdges(edges.list());
            machine_.readBack(&counts_, countsBuffer_.data());
            joinTiles(edges);
        }
        sortPixels();
        return linkNodes();
    }

private:
    static constexpr const char* kWhat = "the branches of the tree";
    /// Rounds between two looks at whether there are edges left: a look costs as much as a few idle rounds.
    static constexpr std::uint32_t kRoundsAtOnce = 6;

    struct EdgeBuffers {
        Buffer<std::uint32_t> one, other;
        Buffer<std::uint64_t> key;

        [[nodiscard]] EdgeList list() { return {one.data(), other.data(), key.data()}; }
    };

    template <class T> [[nodiscard]] Buffer<T> make(std::uint64_t count) {
        return machine_.template make<T>(static_cast<std::size_t>(count), kWhat);
    }
    [[nodiscard]] EdgeBuffers makeEdges(std::uint64_t count) {
        return {make<std::uint32_t>(count), make<std::uint32_t>(count), make<std::uint64_t>(count)};
    }
    [[nodiscard]] FrozenComponents components() { return {best_.data(), hook_.data(), joined_.data()}; }

    /// Passes 1 and 2.
    void findEdges(const EdgeList& edges) {
        const std::uint32_t width = input_.width;
        const std::uint32_t height = input_.height;
        Buffer<std::uint32_t> labelBuffer = make<std::uint32_t>(capacity_.labels);
        const BorderLabels labels{labelBuffer.data(), labelBuffer.data() + 2 * std::size_t{capacity_.tileRows} * width};
        BranchCounts* const counts = countsBuffer_.data();
        machine_.tiles(TilePass<Level, Shape, kEight>{image_, width, height, capacity_.tileColumns, counts,
                                                      codes_.data(), closedSaddles_.data(), edges, labels},
                       capacity_.tileColumns * capacity_.tileRows);
        machine_.finish("tiles");
        for (const bool horizontal : {true, false}) {
            const std::uint32_t side = horizontal ? Shape::kHeight : Shape::kWidth;
            const std::uint32_t along = horizontal ? Shape::kWidth : Shape::kHeight;
            machine_.each(ListSeamEdges<Level, kEight>{image_, width, height, side, along, horizontal,
                                                       horizontal ? labels.rows : labels.columns, counts, edges},
                          ListSeamEdges<Level, kEight>::count(width, height, side, horizontal));
        }
        machine_.finish("seams");
    }

    /// Pass 3.
    void joinTiles(EdgeBuffers& edges) {
        const std::uint32_t frozen = counts_.frozen;
        const std::uint32_t most = counts_.edges[0];
        best_ = make<std::uint64_t>(frozen);
        hook_ = make<std::uint64_t>(frozen);
        joined_ = make<std::uint32_t>(frozen);
        machine_.each(IsolateComponents{components()}, frozen);
        if (most > 0) {
            EdgeBuffers others = makeEdges(most);
            EdgeList now = edges.list();
            EdgeList next = others.list();
            BranchCounts* const counts = countsBuffer_.data();
            machine_.each(ProposeEdges{now, components()}, most);
            for (std::uint32_t round = 0, left = most; left > 0 && round < BranchCounts::kMostRounds;) {
                const std::uint32_t end = std::min(round + kRoundsAtOnce, BranchCounts::kMostRounds);
                for (; round < end; ++round) {
                    const std::uint32_t* const count = &counts->edges[round];
                    machine_.eachOf(HookComponents{now, components()}, count, left);
                    machine_.each(SettleComponents{components()}, frozen);
                    machine_.eachOf(CarryEdges{now, next, &counts->edges[round + 1], components()}, count, left);
                    std::swap(now, next);
                }
                machine_.readBack(&left, &counts->edges[round]);
            }
        }
        best_.reset();
        machine_.finish("boruvka");
    }

    /// Passes 4 and 5: leaves keys_ and pixelsOfKeys_ sorted, and as much unused memory again.
    void sortPixels() {
        layout_ = KeyLayout::of(counts_.frozen + counts_.closed, 8 * sizeof(Level), pixels_, input_.mayPack);
        keys_ = make<std::uint64_t>(pixels_);
        if (!layout_.isPacked()) {
            pixelsOfKeys_ = make<std::uint32_t>(pixels_);
        }
        machine_.each(MakeKeys<Level>{image_, codes_.data(), components(), counts_.frozen, layout_, keys_.data(),
                                      pixelsOfKeys_.data()},
                      pixels_);
        codes_.reset();
        joined_.reset();
        machine_.finish("keys");
        otherKeys_ = make<std::uint64_t>(pixels_);
        if (layout_.isPacked()) {
            machine_.sort(keys_, otherKeys_, layout_);
        } else {
            otherPixels_ = make<std::uint32_t>(pixels_);
            machine_.sort(keys_, otherKeys_, pixelsOfKeys_, otherPixels_, layout_);
        }
        machine_.finish("sort");
    }

    /// Passes 6 to 8.
    [[nodiscard]] Buffer<std::uint32_t> linkNodes() {
        const SortedPixels sorted{keys_.data(), pixelsOfKeys_.data(), layout_};
        const std::uint32_t lastPixel = pixels_ - 1;
        const std::uint32_t branches = counts_.frozen + counts_.closed;
        // The sort's second copy of the keys holds two numbers a pixel.
        auto* const runOfPlace = reinterpret_cast<std::uint32_t*>(otherKeys_.data());
        std::uint32_t* const parentRun = runOfPlace + pixels_;
        Buffer<std::uint32_t> runOfPixel = layout_.isPacked() ? make<std::uint32_t>(pixels_) : std::move(otherPixels_);
        auto start = make<std::uint32_t>(branches);
        machine_.fill(start.data(), branches, 0xff);
        machine_.runStarts(RunStart{sorted}, runOfPlace, pixels_);
        machine_.each(WritePixelRuns{sorted, runOfPlace, runOfPixel.data(), lastPixel, start.data()}, pixels_);
        machine_.finish("runs");

        auto saddle = make<std::uint32_t>(branches);
        auto parent = make<std::uint32_t>(branches);
        auto isAlias = make<std::uint8_t>(branches);
        auto attach = make<std::uint32_t>(branches);
        const BranchTable table{start.data(), saddle.data(), parent.data(), isAlias.data(), attach.data()};
        machine_.each(LinkBranches{sorted, runOfPixel.data(), lastPixel, hook_.data(), closedSaddles_.data(),
                                   counts_.frozen, table},
                      branches);
        machine_.each(AttachBranches{table}, branches);
        machine_.each(WriteParentRuns{sorted, runOfPlace, table, parentRun}, pixels_);
        machine_.finish("nodes");
        machine_.each(WriteParentPixels{sorted, parentRun, lastPixel, runOfPixel.data()}, pixels_);
        machine_.finish("flatten");
        return runOfPixel;
    }

    Machine& machine_;
    BranchInput<Level> input_;
    std::uint32_t pixels_;
    TurnedLevels<Level> image_;
    BranchCapacity capacity_;
    BranchCounts counts_{}; ///< as read back after the seams
    KeyLayout layout_{};

    Buffer<BranchCounts> countsBuffer_;
    Buffer<std::uint32_t> codes_;
    Buffer<std::uint32_t> closedSaddles_;
    Buffer<std::uint64_t> best_, hook_; ///< with joined_: FrozenComponents
    Buffer<std::uint32_t> joined_;
    Buffer<std::uint64_t> keys_, otherKeys_;
    Buffer<std::uint32_t> pixelsOfKeys_, otherPixels_; ///< empty if keys hold the pixels
};

} // namespace pollard::cuda
