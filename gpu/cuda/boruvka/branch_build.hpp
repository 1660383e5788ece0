#pragma once

#include "cuda/boruvka/branch_numbering.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/global_hooking.hpp"
#include "cuda/boruvka/parent_pixels.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/boruvka/trunk.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// Input image of a build, and options.
template <class Level> struct BranchInput {
    const Level* pixels; ///< in device memory, row-major
    Extent extent;       ///< an image or a volume, as the domain of the build
    Level flip;          ///< 0, or all ones for a min-tree
    bool mayPack = true; ///< whether sort keys hold the pixel if it fits; tests also set false
    /// Fewest pixels of an image whose trunk is not sorted. Separating the trunk takes 0.1 ms, more than it saves in
    /// smaller images.
    std::uint32_t trunkFrom = 1U << 23U;
};

/// Builds a max-tree by `boruvka` (docs/algorithms.md), or its canonical parent image. The machine that runs the passes
/// is the GPU or the emulator and has:
///
///     Buffer<T>                          move-only array in device memory: data(), size(), reset()
///     make<T>(count, what)               uninitialised memory; what: for the error message
///     fill(data, count, byte)            sets every byte
///     each(step, count)                  step(i) for every i < count, in any order
///     eachOf(step, count, most)          as each() for a count in device memory, at most `most`
///     sum(step, count, total)            as each(), and adds the results of step(i) to *total,
///     maximum(step, count, largest)      or raises *largest to them
///     tiles(pass, count)                 pass(memory) in every thread of `count` blocks
///     runsUpTo(starts, sums, count)      sums[k] = starts(0) + ... + starts(k)
///     exclusiveSum(data, count)          data[k] becomes the sum of the elements before it,
///     exclusiveMaximum(data, count)      or their maximum, or 0
///     sort(keys, otherKeys, count, bits) by these bits, stable; swaps the buffers
///     sort(keys, otherKeys, pixels, otherPixels, count, bits)
///     readBack(to, from)                 copies one value to the host; waits
///     finish(stage)                      ends a stage of the report
///
/// The domain, PlaneDomain or BrickDomain, finds the branches within tiles or bricks, and the edges between these; the
/// later steps use indices of pixels only.
template <class Machine, class Level, class Domain> class BranchBuild {
    using Shape = typename Domain::Shape;
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    BranchBuild(Machine& machine, const BranchInput<Level>& input)
        : machine_(machine), input_(input),
          pixels_(static_cast<std::uint32_t>(input.extent.pixelCount())), image_{input.pixels + (pixels_ - 1),
                                                                                 input.flip},
          capacity_(Domain::capacity(input.extent)), sorted_(pixels_) {
        runs_.pixelCount = pixels_;
    }

    /// Canonical parent image.
    [[nodiscard]] Buffer<std::uint32_t> parents() {
        sortBranches();
        return writeParents();
    }
    [[nodiscard]] BranchTree<Machine> tree() {
        sortBranches();
        findRuns();
        attachBranches();
        return BranchNumbering<Machine, Level>(machine_, std::move(runs_), input_.flip).run();
    }

private:
    static constexpr const char* kWhat = "the branches of the tree";
    static constexpr std::uint32_t kStretchThreads = std::max<std::uint32_t>(32, Shape::kThreads / 2);
    using Stretch = ListStretch<kStretchThreads>;
    static constexpr std::size_t kLevels = std::size_t{1} << (8 * sizeof(Level));

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

    /// Passes 1 to 5.
    void sortBranches() {
        countsBuffer_ = make<BranchCounts>(1);
        machine_.fill(countsBuffer_.data(), 1, 0);
        codes_ = make<std::uint32_t>(pixels_);
        closedSaddles_ = make<std::uint32_t>(capacity_.maxima);
        {
            EdgeBuffers edges = makeEdges(capacity_.edges);
            findEdges(edges.list());
            machine_.readBack(&counts_, countsBuffer_.data());
            runs_.branchCount = counts_.frozen + counts_.closed;
            joinTiles(edges);
        }
        sortPixels();
    }

    /// Passes 1 and 2.
    void findEdges(const EdgeList& edges) {
        Buffer<std::uint32_t> labels = make<std::uint32_t>(capacity_.labels);
        Domain::findEdges(machine_, image_, input_.extent, labels.data(),
                          {countsBuffer_.data(), codes_.data(), closedSaddles_.data(), edges});
    }

    /// Pass 3.
    void joinTiles(EdgeBuffers& edges) {
        const std::uint32_t frozen = counts_.frozen;
        const std::uint32_t most = counts_.edges[0];
        best_ = make<std::uint64_t>(frozen);
        hook_ = make<std::uint64_t>(frozen);
        joined_ = make<std::uint32_t>(frozen);
        EdgeBuffers others = most > 0 ? makeEdges(most) : EdgeBuffers{};
        joinComponents<2 * Shape::kThreads>(machine_, edges.list(), others.list(), most, countsBuffer_.data(),
                                            components(), frozen);
        best_.reset();
        machine_.finish("boruvka");
    }

    /// Passes 4 and 5: leaves keys_ and pixelsOfKeys_ sorted; the other buffers are unused memory of equal size.
    void sortPixels() {
        layout_ = KeyLayout::of(runs_.branchCount, 8 * sizeof(Level), pixels_, input_.mayPack);
        const PixelBranches<Level> branches{image_, codes_.data(), components(), counts_.frozen};
        if (pixels_ >= input_.trunkFrom) {
            partTrunk(branches);
        } else {
            machine_.each(MakeKeys<Level>{branches, makeKeys()}, pixels_);
        }
        codes_.reset();
        joined_.reset();
        machine_.finish("keys");
        otherKeys_ = make<std::uint64_t>(sorted_);
        if (!layout_.isPacked()) {
            otherPixels_ = make<std::uint32_t>(pixels_); // becomes the result
        }
        if (sorted_ > 0 && layout_.isPacked()) {
            machine_.sort(keys_, otherKeys_, sorted_, layout_.sortedBits());
        } else if (sorted_ > 0) {
            machine_.sort(keys_, otherKeys_, pixelsOfKeys_, otherPixels_, sorted_, layout_.sortedBits());
        }
        machine_.finish("sort");
    }
    /// Allocates the keys of sorted_ pixels.
    [[nodiscard]] PixelKeys makeKeys() {
        keys_ = make<std::uint64_t>(sorted_);
        if (!layout_.isPacked()) {
            pixelsOfKeys_ = make<std::uint32_t>(pixels_);
        }
        return {layout_, keys_.data(), pixelsOfKeys_.data()};
    }
    [[nodiscard]] Trunk trunk() {
        return {trunkFacts_.data(), trunkWords_.data(), trunkFirst_.data(), trunkBelow_.data()};
    }
    [[nodiscard]] bool hasTrunk() const noexcept { return sorted_ < pixels_; }

    /// Chooses the trunk, and makes the keys of the pixels of all other branches.
    void partTrunk(const PixelBranches<Level>& branches) {
        const std::uint32_t blocks = Stretch::blocks(pixels_);
        trunkFacts_ = make<TrunkFacts>(1);
        trunkWords_ = make<std::uint32_t>(Trunk::wordCount(pixels_));
        trunkFirst_ = make<std::uint32_t>(kLevels);
        trunkBelow_ = make<std::uint32_t>(kLevels);
        trunkRank_ = make<std::uint32_t>(kLevels);
        auto others = make<std::uint32_t>(std::uint64_t{blocks} + 1);
        machine_.fill(trunkFacts_.data(), 1, 0);
        machine_.fill(trunkFirst_.data(), kLevels, 0xff);
        machine_.fill(others.data() + blocks, 1, 0);
        machine_.tiles(ChooseTrunk<Level, 2 * Shape::kThreads>{branches, pixels_, trunkFacts_.data()}, 1);
        for (std::uint32_t first = 0, go = 0; first < blocks; ++go) {
            const std::uint32_t end = go < 2 ? std::min(blocks, go == 0 ? 1U : 32U) : blocks;
            machine_.tiles(
                PartTrunk<Level, kStretchThreads>{branches, pixels_, first, trunk(), codes_.data(), others.data()},
                end - first);
            first = end;
        }
        machine_.exclusiveSum(others.data(), others.size());
        machine_.sum(CountTrunkLevels{trunk(), others.data() + blocks, trunkRank_.data()}, kLevels,
                     &trunkFacts_.data()->levels);
        machine_.exclusiveMaximum(trunkBelow_.data(), trunkBelow_.size());
        machine_.exclusiveSum(trunkRank_.data(), trunkRank_.size());
        TrunkFacts facts{};
        machine_.readBack(&facts, trunkFacts_.data());
        sorted_ = facts.others;
        trunkLevels_ = static_cast<std::uint32_t>(facts.levels);
        machine_.tiles(
            MakeOtherKeys<Level, kStretchThreads>{image_, pixels_, codes_.data(), trunk(), others.data(), makeKeys()},
            blocks);
    }

    void freeTrunk() {
        trunkFacts_.reset();
        trunkWords_.reset();
        trunkFirst_.reset();
        trunkBelow_.reset();
        trunkRank_.reset();
    }

    /// Pass 6 for a tree: converts the sorted pixels to runs.
    void findRuns() {
        const SortedPixels sorted{keys_.data(), pixelsOfKeys_.data(), layout_};
        const std::uint32_t lastPixel = pixels_ - 1;
        // The sort's second buffer of keys holds one number per key.
        auto* const runsUpTo = reinterpret_cast<std::uint32_t*>(otherKeys_.data());
        std::uint32_t sortedRuns = 0;
        if (sorted_ > 0) {
            machine_.runsUpTo(StartsRun{sorted}, runsUpTo, sorted_);
            machine_.readBack(&sortedRuns, runsUpTo + (sorted_ - 1));
        }
        runs_.runCount = sortedRuns + trunkLevels_;
        runs_.runOfPixel = layout_.isPacked() ? make<std::uint32_t>(pixels_) : std::move(otherPixels_);
        runs_.pixel = make<std::uint32_t>(runs_.runCount);
        runs_.level = make<Level>(runs_.runCount);
        runs_.branch = make<std::uint32_t>(runs_.runCount);
        runs_.first = make<std::uint32_t>(runs_.branchCount);
        runs_.end = make<std::uint32_t>(runs_.branchCount);
        machine_.fill(runs_.first.data(), runs_.branchCount, 0xff);
        machine_.each(WriteRuns<Level>{sorted, runsUpTo, sorted_ - 1, lastPixel, runs_.runOfPixel.data(), runs_.table(),
                                       runs_.first.data(), runs_.end.data()},
                      sorted_);
        if (hasTrunk()) {
            machine_.each(WriteTrunkRuns<Level>{trunk(), trunkRank_.data(), sortedRuns, runs_.table(),
                                                runs_.first.data(), runs_.end.data()},
                          kLevels);
            machine_.each(WriteTrunkPixels<Level>{image_, trunk(), trunkRank_.data(), sortedRuns, lastPixel,
                                                  runs_.runOfPixel.data()},
                          pixels_);
        }
        freeTrunk();
        keys_.reset();
        otherKeys_.reset();
        pixelsOfKeys_.reset();
        machine_.finish("runs");
    }

    /// Pass 7 for a tree.
    void attachBranches() {
        runs_.saddle = make<std::uint32_t>(runs_.branchCount);
        runs_.isAlias = make<std::uint8_t>(runs_.branchCount);
        runs_.attach = make<std::uint32_t>(runs_.branchCount);
        runs_.facts = make<NumberingFacts>(1);
        machine_.fill(runs_.facts.data(), 1, 0);
        machine_.sum(LinkBranches<Level>{runs_.table(), runs_.runOfPixel.data(), pixels_ - 1, hook_.data(),
                                         closedSaddles_.data(), counts_.frozen, runs_.branches()},
                     runs_.branchCount, &runs_.facts.data()->aliases);
        machine_.each(AttachBranches{runs_.branch.data(), runs_.branches()}, runs_.branchCount);
        hook_.reset();
        closedSaddles_.reset();
        runs_.saddle.reset();
    }

    /// Passes 6 to 8 for a parent image.
    [[nodiscard]] Buffer<std::uint32_t> writeParents() {
        const std::uint32_t branches = runs_.branchCount;
        otherKeys_.reset();
        auto parents = layout_.isPacked() ? make<std::uint32_t>(pixels_) : std::move(otherPixels_);
        auto firstPixel = make<std::uint32_t>(branches);
        auto aliasWords = make<std::uint32_t>(AliasPixels::wordCount(pixels_));
        const AliasPixels aliases{aliasWords.data()};
        machine_.fill(firstPixel.data(), branches, 0xff);
        machine_.fill(aliasWords.data(), aliasWords.size(), 0);
        const SortedPixels sorted{keys_.data(), pixelsOfKeys_.data(), layout_};
        if (sorted_ > 0) {
            machine_.tiles(LinkRuns<kStretchThreads>{sorted, sorted_, pixels_ - 1, parents.data(), firstPixel.data()},
                           Stretch::blocks(sorted_));
        }
        if (hasTrunk()) {
            machine_.each(LinkTrunk<Level>{image_, trunk(), pixels_ - 1, parents.data(), firstPixel.data()}, pixels_);
        }
        freeTrunk();
        keys_.reset();
        pixelsOfKeys_.reset();
        machine_.finish("runs");
        machine_.each(LinkBranchPixels<Level>{input_.pixels, hook_.data(), closedSaddles_.data(), counts_.frozen,
                                              pixels_ - 1, firstPixel.data(), parents.data(), aliases},
                      branches);
        machine_.each(SkipAliases{firstPixel.data(), parents.data(), aliases}, branches);
        machine_.finish("nodes");
        machine_.each(ReplaceAliases{parents.data(), aliases}, pixels_);
        machine_.finish("flatten");
        return parents;
    }

    Machine& machine_;
    BranchInput<Level> input_;
    std::uint32_t pixels_;
    RotatedLevels<Level> image_;
    BranchCapacity capacity_;
    BranchCounts counts_{}; ///< as read back after pass 2
    KeyLayout layout_{};
    std::uint32_t sorted_;          ///< number of pixels outside the trunk
    std::uint32_t trunkLevels_ = 0; ///< number of its runs

    Buffer<BranchCounts> countsBuffer_;
    Buffer<std::uint32_t> codes_;
    Buffer<std::uint32_t> closedSaddles_;
    Buffer<std::uint64_t> best_, hook_; ///< with joined_: FrozenComponents
    Buffer<std::uint32_t> joined_;
    Buffer<std::uint64_t> keys_, otherKeys_;
    Buffer<std::uint32_t> pixelsOfKeys_, otherPixels_; ///< empty if keys hold the pixels
    Buffer<TrunkFacts> trunkFacts_;                    ///< this and the next: Trunk
    Buffer<std::uint32_t> trunkWords_, trunkFirst_, trunkBelow_;
    Buffer<std::uint32_t> trunkRank_; ///< per level: lower levels of the trunk
    BranchRuns<Machine, Level> runs_;
};

} // namespace pollard::cuda
