#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_runs.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Nodes grouped by branch: branch b has the nodes [offset[b], offset[b + 1]), the top of the branch first. Branches
/// that lose all their pixels at a seam have no nodes.
struct BranchNodes {
    Buffer<std::uint32_t> offset;    ///< per branch, and the total
    Buffer<std::uint16_t> level;     ///< per node, descending inside a branch
    Buffer<std::uint32_t> canonical; ///< per node
    Buffer<std::uint32_t> ofRun;     ///< per run: its node

    [[nodiscard]] std::size_t branchCount() const noexcept { return offset.size() - 1; }
    [[nodiscard]] std::size_t nodeCount() const noexcept { return level.size(); }
    [[nodiscard]] std::uint32_t count(std::uint32_t branch) const noexcept {
        return offset[branch + 1] - offset[branch];
    }
    /// The branch's node next to the root.
    [[nodiscard]] std::uint32_t lowest(std::uint32_t branch) const noexcept { return offset[branch + 1] - 1; }
};

/// Stage 3: finds every run's branch in the whole image, and merges the runs with equal branch and level into a node.
/// Frees the runs.
/// @param levels above the highest level of the image's type
[[nodiscard]] BranchNodes collectNodes(BranchRuns& runs, std::size_t levels, const JobControl& control);

/// Child of a node: a branch, or an island of a tile (see TileTree).
class Child {
public:
    static Child branch(std::uint32_t number, std::uint32_t canonical) noexcept { return {number, canonical}; }
    static Child island(std::uint32_t number, std::uint32_t canonical) noexcept {
        return {number | kIslandBit, canonical};
    }

    [[nodiscard]] bool isIsland() const noexcept { return (key_ & kIslandBit) != 0; }
    /// Index among branches or islands. An image has fewer than 2^31 of either, since no two are adjacent.
    [[nodiscard]] std::uint32_t number() const noexcept { return static_cast<std::uint32_t>(key_ & (kIslandBit - 1)); }
    [[nodiscard]] std::uint32_t canonical() const noexcept { return static_cast<std::uint32_t>(key_ >> 32); }
    /// Orders by canonical pixel.
    [[nodiscard]] bool operator<(const Child& other) const noexcept { return key_ < other.key_; }

    Child() = default;

private:
    static constexpr std::uint64_t kIslandBit = std::uint64_t{1} << 31;

    Child(std::uint64_t number, std::uint32_t canonical) noexcept : key_(std::uint64_t{canonical} << 32 | number) {}

    std::uint64_t key_;
};

/// The tree of branches: to which node of which other branch each one is attached. It is shallow, since the other
/// branch has higher priority.
struct BranchTree {
    std::uint32_t root = 0;
    Buffer<std::uint32_t> parent;     ///< per branch: the branch to which it is attached; kNone for the root and for
                                      ///< empty branches
    Buffer<std::uint32_t> attachNode; ///< per branch: the node to which its lowest node is attached
    Buffer<std::uint32_t> childStart; ///< per node, and the total: start of its section of `children`
    Buffer<Child> children;           ///< grouped by node
    Buffer<std::uint32_t> size;       ///< per branch: number of nodes, including attached branches and islands
};

/// Node at which a branch ends.
struct Attachment {
    std::uint32_t branch; ///< kNone for the root
    std::uint32_t node;
};

/// Node to which a non-empty branch is attached.
[[nodiscard]] Attachment attachmentOf(std::uint32_t branch, const BranchNodes& nodes, const BranchForest& forest);

[[nodiscard]] BranchTree buildBranchTree(const BranchNodes& nodes, const BranchRuns& runs, const JobControl& control);

} // namespace pollard::cpu
