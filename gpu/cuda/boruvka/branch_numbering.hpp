#pragma once

#include "cuda/boruvka/node_order.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// State of a build after its pixels are runs and its branches are attached to each other: the tree before numbering.
/// In device memory.
template <class Machine, class Level> struct BranchRuns {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

    std::uint32_t pixelCount = 0;
    std::uint32_t runCount = 0;
    std::uint32_t branchCount = 0;
    Buffer<std::uint32_t> runOfPixel;    ///< by image pixel, not rotated
    Buffer<std::uint32_t> pixel, branch; ///< this and the next: RunTable
    Buffer<Level> level;
    Buffer<std::uint32_t> first, end, saddle, attach; ///< this and the next: BranchTable
    Buffer<std::uint8_t> isAlias;
    Buffer<NumberingFacts> facts; ///< one; aliases are counted

    [[nodiscard]] std::uint32_t lastPixel() const noexcept { return pixelCount - 1; }
    [[nodiscard]] RunTable<Level> table() { return {pixel.data(), level.data(), branch.data()}; }
    [[nodiscard]] BranchTable branches() {
        return {first.data(), end.data(), saddle.data(), isAlias.data(), attach.data()};
    }
};

/// A tree in device memory, with the arrays of a ComponentTree.
template <class Machine> struct BranchTree {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

    std::uint32_t nodes, leaves, depth;
    std::uint16_t rootLevel;
    Buffer<std::uint32_t> pixelNode;                     ///< per pixel
    Buffer<std::uint32_t> parent, subtreeEnd, canonical; ///< per node
    Buffer<std::uint16_t> level;
};

/// Pass 8 of `boruvka` for a tree: runs the steps of node_order.hpp and frees memory as early as possible.
/// Ends the stages "nodes" and "numbering".
template <class Machine, class Level> class BranchNumbering {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    /// @param flip see BranchInput
    BranchNumbering(Machine& machine, BranchRuns<Machine, Level> runs, Level flip)
        : machine_(machine), runs_(std::move(runs)),
          flip_(flip), key_{static_cast<std::uint32_t>(std::bit_width(runs_.lastPixel() | 1U))} {}

    [[nodiscard]] BranchTree<Machine> run() {
        listBranches();
        sumSizes();
        placeBranches();
        return writeTree();
    }

private:
    template <class T> [[nodiscard]] Buffer<T> make(std::uint64_t count) {
        return machine_.template make<T>(static_cast<std::size_t>(count), "the nodes of the tree");
    }
    [[nodiscard]] const std::uint32_t* branchOfRun() { return runs_.branch.data(); }
    [[nodiscard]] ListSums sums() { return {entriesBelow_.data(), sizes_.data(), earlier_.data()}; }

    void listBranches() {
        const std::uint32_t branches = runs_.branchCount;
        NumberingFacts* const found = runs_.facts.data();
        size_ = make<std::uint32_t>(branches);
        depth_ = make<std::uint8_t>(branches);
        list_ = make<std::uint64_t>(branches);
        machine_.maximum(MeasureBranchDepths{branchOfRun(), runs_.attach.data(), depth_.data()}, branches,
                         &found->branchDepth);
        machine_.sum(
            ListBranches{runs_.pixel.data(), runs_.branches(), runs_.lastPixel(), key_, size_.data(), list_.data()},
            branches, &found->listed);
        machine_.finish("nodes");
        auto otherList = make<std::uint64_t>(branches);
        machine_.sort(list_, otherList, branches,
                      {0, static_cast<int>(key_.pixelBits) + static_cast<int>(std::bit_width(runs_.runCount))});
        machine_.readBack(&facts_, found);
        listed_ = static_cast<std::uint32_t>(facts_.listed);
    }

    void sumSizes() {
        branch_ = make<std::uint32_t>(listed_);
        entriesBelow_ = make<std::uint32_t>(std::uint64_t{runs_.runCount} + 1);
        sizes_ = make<std::uint32_t>(std::uint64_t{listed_} + 1);
        earlier_ = make<std::uint32_t>(std::uint64_t{listed_} + 1);
        auto depthOfEntry = make<std::uint8_t>(listed_);
        machine_.fill(entriesBelow_.data(), std::size_t{runs_.runCount} + 1, 0);
        machine_.sum(ReadList{list_.data(), listed_, key_, runs_.runOfPixel.data(), branchOfRun(), runs_.end.data(),
                              depth_.data(), branch_.data(), depthOfEntry.data(), entriesBelow_.data()},
                     listed_, &runs_.facts.data()->ridges);
        for (auto depth = static_cast<std::uint32_t>(facts_.branchDepth); depth > 0; --depth) {
            machine_.each(
                AddSizes{list_.data(), key_, branch_.data(), depthOfEntry.data(), depth, branchOfRun(), size_.data()},
                listed_);
        }
        depth_.reset();
        machine_.each(ListSizes{list_.data(), key_, branch_.data(), size_.data(), runs_.pixel.data(), runs_.branches(),
                                branchOfRun(), runs_.lastPixel(), sizes_.data(), earlier_.data()},
                      listed_);
        size_.reset();
        machine_.fill(sizes_.data() + listed_, 1, 0);
        machine_.fill(earlier_.data() + listed_, 1, 0);
        machine_.exclusiveMaximum(entriesBelow_.data(), entriesBelow_.size());
        machine_.exclusiveSum(sizes_.data(), sizes_.size());
        machine_.exclusiveSum(earlier_.data(), earlier_.size());
    }

    void placeBranches() {
        const std::uint32_t branches = runs_.branchCount;
        offset_ = make<std::uint32_t>(branches);
        total_ = make<std::uint32_t>(branches);
        auto numbers = make<std::uint32_t>(branches);
        auto edges = make<std::uint32_t>(branches);
        machine_.each(PlaceBranches{list_.data(), key_, branch_.data(), runs_.pixel.data(), branchOfRun(),
                                    runs_.branches(), runs_.lastPixel(), sums(), numbers.data(), edges.data()},
                      listed_);
        machine_.maximum(NumberBranches{branchOfRun(), runs_.branches(), numbers.data(), edges.data(), sums(),
                                        offset_.data(), total_.data()},
                         branches, &runs_.facts.data()->depth);
        list_.reset();
        branch_.reset();
    }

    [[nodiscard]] BranchTree<Machine> writeTree() {
        BranchTree<Machine> tree{};
        tree.nodes = runs_.runCount - static_cast<std::uint32_t>(facts_.aliases);
        tree.subtreeEnd = make<std::uint32_t>(tree.nodes);
        std::uint32_t* const number = entriesBelow_.data(); // reuses its memory
        machine_.each(NumberRuns{branchOfRun(), runs_.branches(), sums(), offset_.data(), total_.data(), number,
                                 tree.subtreeEnd.data()},
                      runs_.runCount);
        sizes_.reset();
        earlier_.reset();
        offset_.reset();
        total_.reset();
        tree.parent = make<std::uint32_t>(tree.nodes);
        machine_.each(WriteNodeParents{branchOfRun(), runs_.branches(), number, tree.parent.data()}, runs_.runCount);
        runs_.branch.reset();
        runs_.end.reset();
        tree.canonical = make<std::uint32_t>(tree.nodes);
        tree.level = make<std::uint16_t>(tree.nodes);
        machine_.each(WriteNodeLevels<Level>{runs_.table(), number, runs_.lastPixel(), flip_, tree.canonical.data(),
                                             tree.level.data(), runs_.facts.data()},
                      runs_.runCount);
        machine_.each(NumberAliases{runs_.branches(), number}, runs_.branchCount);
        machine_.each(WriteNodesOfPixels{number, runs_.runOfPixel.data()}, runs_.pixelCount);
        tree.pixelNode = std::move(runs_.runOfPixel);
        machine_.finish("numbering");
        machine_.readBack(&facts_, runs_.facts.data());
        // The highest run of a branch is a leaf unless other branches are attached to it.
        tree.leaves = listed_ + 1 - static_cast<std::uint32_t>(facts_.ridges);
        tree.depth = static_cast<std::uint32_t>(facts_.depth);
        tree.rootLevel = static_cast<std::uint16_t>(facts_.rootLevel);
        return tree;
    }

    Machine& machine_;
    BranchRuns<Machine, Level> runs_;
    Level flip_;
    ListKey key_;
    NumberingFacts facts_{}; ///< as last read back
    std::uint32_t listed_ = 0;

    Buffer<std::uint32_t> size_;                           ///< per branch: nodes, later with all branches attached to
                                                           ///< it
    Buffer<std::uint8_t> depth_;                           ///< per branch
    Buffer<std::uint64_t> list_;                           ///< ListKey
    Buffer<std::uint32_t> branch_;                         ///< per entry of the list
    Buffer<std::uint32_t> entriesBelow_, sizes_, earlier_; ///< ListSums
    Buffer<std::uint32_t> offset_, total_;                 ///< see NumberBranches
};

} // namespace pollard::cuda
