#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/global_hooking.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/hierarchy/basin_steps.hpp"
#include "cuda/hierarchy/chain_steps.hpp"
#include "cuda/hierarchy/edge_grid.hpp"
#include "hierarchy/hierarchy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// A hierarchy in device memory, with the members of Hierarchy.
template <class Machine> struct BuiltHierarchy {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

    Buffer<std::uint32_t> basins; ///< per pixel
    Buffer<std::uint32_t> into;   ///< per basin
    Buffer<std::uint64_t> joinedAt;
    Buffer<std::uint64_t> strengths; ///< ascending
    Buffer<std::uint8_t> hasData;    ///< per basin
    std::uint32_t pixelCount = 0;
    std::uint32_t basinCount = 0;
    std::uint32_t withData = 0; ///< basins
    std::uint32_t merges = 0;   ///< number of strengths
};

/// Makes the hierarchy of makeHierarchy(). The machine is as for a BranchBuild, and has:
///
///     requireMemory(bytes)   throws if the device has less
///     inclusiveScan(data, count)   data[k] becomes T::join() of data[0] ... data[k], for ChainSums and RunMaximum
///
/// @tparam kJoinThreads of the block that joins the last components
template <class Machine, class Level, std::uint32_t kJoinThreads> class HierarchyBuild {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    HierarchyBuild(Machine& machine, const EdgeGrid<Level>& grid, Strength strength)
        : machine_(machine), grid_(grid), strength_(strength), pixels_(grid.pixelCount()) {
        made_.pixelCount = pixels_;
    }

    [[nodiscard]] BuiltHierarchy<Machine> make() {
        findBasins();
        spanBasins();
        if (strength_ == Strength::altitude) {
            sortAltitudes();
        } else {
            findChains();
            measureChains();
            spanStrengths();
        }
        return std::move(made_);
    }

private:
    static constexpr const char* kWhat = "the hierarchy";
    static constexpr std::uint32_t kRoundsAtOnce = 4;
    static constexpr std::uint32_t kPixelsPerEdge = 16; ///< of images with few edges

    struct EdgeBuffers {
        Buffer<std::uint32_t> one, other;
        Buffer<std::uint64_t> key;

        [[nodiscard]] EdgeList list() { return {one.data(), other.data(), key.data()}; }
    };

    template <class T> [[nodiscard]] Buffer<T> make(std::uint64_t count) {
        return machine_.template make<T>(static_cast<std::size_t>(std::max<std::uint64_t>(count, 1)), kWhat);
    }
    template <class T> [[nodiscard]] Buffer<T> makeFilled(std::uint64_t count, int byte) {
        auto buffer = make<T>(count);
        machine_.fill(buffer.data(), buffer.size(), byte);
        return buffer;
    }
    [[nodiscard]] EdgeBuffers makeEdges(std::uint64_t count) {
        return {make<std::uint32_t>(count), make<std::uint32_t>(count), make<std::uint64_t>(count)};
    }
    struct MarkedEdges {
        Buffer<std::uint16_t> marks;
        Buffer<std::uint32_t> places;
        std::uint32_t count;
    };
    /// Marks edges, and requires memory for them. @param otherBytes that are needed beside lists of edges
    template <class Edges> [[nodiscard]] MarkedEdges mark(const Edges& edges, std::uint64_t otherBytes) {
        constexpr std::uint64_t kPixel = 6;
        constexpr std::uint64_t kEdge = 2 * 16;
        const bool isTooLarge = std::uint64_t{pixels_} * grid_.ways.count > 0xffff'fffe;
        machine_.requireMemory(isTooLarge ? ~std::uint64_t{0} : kPixel * pixels_);
        MarkedEdges found{make<std::uint16_t>(pixels_), make<std::uint32_t>(std::uint64_t{pixels_} + 1), 0};
        machine_.fill(found.places.data() + pixels_, 1, 0);
        machine_.each(MarkEdges<Level, Edges>{grid_, edges, found.marks.data(), found.places.data()}, pixels_);
        machine_.exclusiveSum(found.places.data(), found.places.size());
        machine_.readBack(&found.count, found.places.data() + pixels_);
        machine_.requireMemory(kEdge * found.count + otherBytes);
        return found;
    }
    /// @param ends component of each pixel @param count receives the number of edges
    [[nodiscard]] EdgeBuffers list(MarkedEdges marked, const std::uint32_t* ends, std::uint32_t* count) {
        EdgeBuffers found = makeEdges(marked.count);
        machine_.each(ListEdges<Level>{grid_, ends, marked.marks.data(), marked.places.data(), found.list(), count},
                      pixels_);
        return found;
    }

    void findBasins() {
        constexpr std::uint64_t kPixel = 16;
        machine_.requireMemory(kPixel * pixels_);
        made_.basins = make<std::uint32_t>(pixels_);
        ownWeight_ = make<std::uint16_t>(pixels_);
        const PixelLinks links{made_.basins.data(), ownWeight_.data()};
        machine_.each(LinkFirstEdges<Level>{grid_, strength_ == Strength::altitude, links}, pixels_);
        machine_.each(RootPairs{links}, pixels_);
        follow();
        machine_.finish("pixels");
        joinPlateaus(links);
        machine_.finish("plateaus");
        numberBasins(links);
        machine_.finish("basins");
    }
    /// Links all pixels to roots.
    void follow() {
        unsigned long long open = 1;
        for (auto total = make<unsigned long long>(1); open > 0;) {
            machine_.fill(total.data(), 1, 0);
            machine_.sum(FollowLinks{made_.basins.data()}, pixels_, total.data());
            machine_.readBack(&open, total.data());
        }
    }
    void joinPlateaus(const PixelLinks& links) {
        constexpr std::uint64_t kPixel = 16;
        MarkedEdges marked = mark(PlateauEdges{links.to, links.weight}, kPixel * pixels_);
        std::uint32_t left = marked.count;
        if (left == 0) {
            return;
        }
        auto listed = make<std::uint32_t>(1);
        EdgeBuffers some = list(std::move(marked), links.to, listed.data());
        EdgeBuffers others = makeEdges(left);
        auto best = make<std::uint64_t>(pixels_);
        auto hook = make<std::uint64_t>(pixels_);
        auto counts = makeFilled<BranchCounts>(1, 0);
        const FrozenComponents components{best.data(), hook.data(), links.to};
        EdgeList now = some.list();
        EdgeList next = others.list();
        std::uint32_t* const carried = counts.data()->edges;
        // Of few edges, only the ends are visited, not all pixels.
        const bool areFew = left < pixels_ / kPixelsPerEdge;
        if (areFew) {
            machine_.each(StartEnds{now, components}, left);
        } else {
            machine_.each(StartPlateaus{components}, pixels_);
        }
        machine_.each(CarryPlateaus{now, next, carried, components, links.weight}, left);
        std::swap(now, next);
        for (std::uint32_t round = 0; left > 0 && round < BranchCounts::kMostRounds;) {
            const std::uint32_t end = std::min(round + kRoundsAtOnce, BranchCounts::kMostRounds);
            for (; round < end; ++round) {
                machine_.eachOf(HookComponents{now, components}, carried + round, left);
                if (areFew) {
                    machine_.eachOf(SettleEnds{now, components}, carried + round, left);
                } else {
                    machine_.each(SettleComponents{components}, pixels_);
                }
                machine_.eachOf(CarryPlateaus{now, next, carried + round + 1, components, links.weight},
                                carried + round, left);
                std::swap(now, next);
            }
            machine_.readBack(&left, carried + round);
        }
        follow();
    }
    void numberBasins(const PixelLinks& links) {
        auto first = makeFilled<std::uint32_t>(pixels_, 0xff);
        auto number = make<std::uint32_t>(std::uint64_t{pixels_} + 1);
        auto withData = makeFilled<unsigned long long>(1, 0);
        machine_.fill(number.data() + pixels_, 1, 0);
        machine_.each(FindFirstPixels{links.to, first.data()}, pixels_);
        machine_.sum(MarkFirstPixels<Level>{grid_, links.to, first.data(), number.data()}, pixels_, withData.data());
        machine_.exclusiveSum(number.data(), number.size());
        machine_.readBack(&made_.basinCount, number.data() + pixels_);
        unsigned long long counted = 0;
        machine_.readBack(&counted, withData.data());
        made_.withData = static_cast<std::uint32_t>(counted);
        weightOfBasin_ = make<std::uint16_t>(made_.basinCount);
        made_.hasData = make<std::uint8_t>(made_.basinCount);
        machine_.each(
            NoteBasins<Level>{grid_, links, first.data(), number.data(), weightOfBasin_.data(), made_.hasData.data()},
            pixels_);
        machine_.each(NumberPixels{first.data(), links.to}, pixels_);
    }

    /// Finds a minimum spanning forest of basins: best_ is unused, hook_ and joined_ as left by joinComponents().
    void spanBasins() {
        constexpr std::uint64_t kBasin = 24;
        MarkedEdges marked = mark(BasinEdges{made_.basins.data()}, kBasin * made_.basinCount);
        const std::uint32_t found = marked.count;
        auto counts = makeFilled<BranchCounts>(1, 0);
        EdgeBuffers listed = list(std::move(marked), made_.basins.data(), counts.data()->edges);
        machine_.finish("edges");
        span(listed, found, counts.data());
        machine_.finish("boruvka");
    }
    /// @param counts as for joinComponents()
    void span(EdgeBuffers& edges, std::uint32_t count, BranchCounts* counts) {
        const std::uint32_t basins = made_.basinCount;
        auto best = make<std::uint64_t>(basins);
        hook_ = make<std::uint64_t>(basins);
        joined_ = make<std::uint32_t>(basins);
        EdgeBuffers others = makeEdges(count);
        joinComponents<kJoinThreads>(machine_, edges.list(), others.list(), count, counts,
                                     {best.data(), hook_.data(), joined_.data()}, basins);
        made_.into = make<std::uint32_t>(basins);
        machine_.each(LinkBranchOfHook{hook_.data(), joined_.data(), made_.into.data()}, basins);
    }

    void sortAltitudes() {
        constexpr int kBits = 16;
        made_.joinedAt = make<std::uint64_t>(made_.basinCount);
        made_.strengths = make<std::uint64_t>(made_.basinCount);
        auto others = make<std::uint64_t>(made_.basinCount);
        auto counted = makeFilled<std::uint32_t>(1, 0);
        machine_.each(NoteAltitudes{hook_.data(), made_.joinedAt.data(), made_.strengths.data(), counted.data()},
                      made_.basinCount);
        machine_.readBack(&made_.merges, counted.data());
        if (made_.merges > 0) {
            machine_.sort(made_.strengths, others, made_.merges, {0, kBits});
        }
        machine_.finish("strengths");
    }

    [[nodiscard]] BasinLinks links() { return {hook_.data(), made_.into.data()}; }
    [[nodiscard]] MergeChains chains() {
        return {keys_.data(), ends_.data(), first_.data(), end_.data(), made_.merges, branchBits_};
    }

    /// Lists the merges by chains.
    void findChains() {
        constexpr std::uint64_t kPixel = 8;
        constexpr std::uint64_t kBasin = 136;
        machine_.requireMemory(kPixel * pixels_ + kBasin * made_.basinCount);
        branchBits_ = std::bit_width(std::max(made_.basinCount, 2U) - 1);
        auto marks = makeFilled<std::uint32_t>(pixels_, 0);
        auto places = make<std::uint32_t>(std::uint64_t{pixels_} + 1);
        machine_.fill(places.data() + pixels_, 1, 0);
        machine_.each(MarkHooks{hook_.data(), marks.data()}, made_.basinCount);
        machine_.each(CountMarks{marks.data(), places.data()}, pixels_);
        machine_.exclusiveSum(places.data(), places.size());
        machine_.readBack(&made_.merges, places.data() + pixels_);
        keys_ = make<std::uint64_t>(made_.merges);
        ends_ = make<std::uint32_t>(made_.merges);
        machine_.each(ListMerges{links(), marks.data(), places.data(), branchBits_, keys_.data(), ends_.data()},
                      made_.basinCount);
        sortMerges(keys_, MergeKey::kWeightBits + branchBits_ + MergeKey::kLevelBits);
        first_ = makeFilled<std::uint32_t>(made_.basinCount, 0);
        end_ = makeFilled<std::uint32_t>(made_.basinCount, 0);
        auto begins = makeFilled<std::uint32_t>(MergeKey::kMostLevels, 0xff);
        machine_.each(FindChains{chains(), begins.data()}, made_.merges);
        machine_.readBack(levelBegins_.data(), begins.data(), MergeKey::kMostLevels);
        machine_.finish("chains");
    }
    /// Sorts keys, and ends_ with them.
    void sortMerges(Buffer<std::uint64_t>& keys, int bits) {
        if (made_.merges > 0) {
            auto otherKeys = make<std::uint64_t>(made_.merges);
            auto otherEnds = make<std::uint32_t>(made_.merges);
            machine_.sort(keys, otherKeys, ends_, otherEnds, made_.merges, {0, bits});
        }
    }

    /// Finds the strength of each merge.
    void measureChains() {
        const std::uint64_t slots = std::uint64_t{made_.merges} + made_.basinCount;
        Buffer<std::uint32_t> area;
        Buffer<std::uint64_t> weight;
        OwnWeightSums sums{};
        if (strength_ != Strength::dynamics) {
            area = makeFilled<std::uint32_t>(slots, 0);
            sums.area = area.data();
            if (strength_ == Strength::volume) {
                weight = makeFilled<std::uint64_t>(slots, 0);
                sums.weight = weight.data();
            }
            machine_.each(AddPixels{made_.basins.data(), ownWeight_.data(), links(), chains(), sums}, pixels_);
        }
        ownWeight_.reset();
        machine_.finish("measures");
        auto totals = make<BranchTotal>(made_.basinCount);
        machine_.each(StartTotals{sums, made_.merges, weightOfBasin_.data(), totals.data()}, made_.basinCount);
        std::uint32_t widest = 0;
        forEachLevel([&](std::uint32_t, std::uint32_t size) { widest = std::max(widest, size); });
        auto sumsUpTo = make<ChainSums>(widest);
        auto largestUpTo = make<RunMaximum>(widest);
        made_.strengths = make<std::uint64_t>(made_.merges);
        forEachLevel([&](std::uint32_t begin, std::uint32_t size) {
            const LevelOfChains level{chains(),
                                      sums,
                                      weightOfBasin_.data(),
                                      strength_,
                                      totals.data(),
                                      begin,
                                      sumsUpTo.data(),
                                      largestUpTo.data(),
                                      made_.strengths.data()};
            machine_.each(GatherLevel{level}, size);
            machine_.inclusiveScan(sumsUpTo.data(), size);
            machine_.each(StartRuns{level}, size);
            machine_.inclusiveScan(largestUpTo.data(), size);
            machine_.each(EndLevel{level}, size);
        });
        machine_.finish("levels");
    }
    /// Calls work(begin, size) for each level of branches, from the leaves to the root.
    template <class Work> void forEachLevel(const Work& work) const {
        std::uint32_t end = made_.merges;
        for (std::size_t level = levelBegins_.size(); level-- > 0;) {
            if (const std::uint32_t begin = levelBegins_[level]; begin < end) {
                work(begin, end - begin);
                end = begin;
            }
        }
    }

    /// Sorts the strengths, and links the basins by them.
    void spanStrengths() {
        const int pixelBits = static_cast<int>(std::bit_width(pixels_));
        constexpr int kLevelBits = 16;
        sortMerges(made_.strengths, strength_ == Strength::dynamics ? kLevelBits
                                    : strength_ == Strength::area   ? pixelBits
                                                                    : pixelBits + kLevelBits);
        machine_.finish("strengths");
        keys_.reset();
        first_.reset();
        end_.reset();
        EdgeBuffers ranks = makeEdges(made_.merges);
        auto counts = makeFilled<BranchCounts>(1, 0);
        machine_.each(ListRanks<Level>{grid_, made_.basins.data(), hook_.data(), ends_.data(), made_.merges,
                                       ranks.list(), counts.data()->edges},
                      made_.merges);
        span(ranks, made_.merges, counts.data());
        made_.joinedAt = make<std::uint64_t>(made_.basinCount);
        machine_.each(NoteStrengths{hook_.data(), made_.strengths.data(), made_.merges, made_.joinedAt.data()},
                      made_.basinCount);
        machine_.finish("links");
    }

    Machine& machine_;
    EdgeGrid<Level> grid_;
    Strength strength_;
    std::uint32_t pixels_;
    BuiltHierarchy<Machine> made_;
    Buffer<std::uint16_t> ownWeight_;     ///< of pixels, see PixelLinks
    Buffer<std::uint16_t> weightOfBasin_; ///< of basins
    Buffer<std::uint64_t> hook_;          ///< of basins, see FrozenComponents
    Buffer<std::uint32_t> joined_;
    int branchBits_ = 0;
    Buffer<std::uint64_t> keys_; ///< this and the next: MergeChains
    Buffer<std::uint32_t> ends_, first_, end_;
    std::array<std::uint32_t, MergeKey::kMostLevels> levelBegins_{};
};

} // namespace pollard::cuda
