#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_nodes.hpp"
#include "cpu/branch_runs.hpp"

#include <cstdint>

namespace pollard::cpu {

/// What hangs on a node: a branch, or an island of a tile (see TileTree).
class Child {
public:
    static Child branch(std::uint32_t number, std::uint32_t canonical) noexcept { return {number, canonical}; }
    static Child island(std::uint32_t number, std::uint32_t canonical) noexcept {
        return {number | kIslandBit, canonical};
    }

    [[nodiscard]] bool isIsland() const noexcept { return (key_ & kIslandBit) != 0; }
    /// Of all branches or of all islands. An image has fewer than 2^31 of either: none has a neighbour among its like.
    [[nodiscard]] std::uint32_t number() const noexcept { return static_cast<std::uint32_t>(key_ & (kIslandBit - 1)); }
    [[nodiscard]] std::uint32_t canonical() const noexcept { return static_cast<std::uint32_t>(key_ >> 32); }
    /// By canonical pixel.
    [[nodiscard]] bool operator<(const Child& other) const noexcept { return key_ < other.key_; }

    Child() = default;

private:
    static constexpr std::uint64_t kIslandBit = std::uint64_t{1} << 31;

    Child(std::uint64_t number, std::uint32_t canonical) noexcept : key_(std::uint64_t{canonical} << 32 | number) {}

    std::uint64_t key_;
};

/// The tree of branches: which node of which other branch each one hangs on. It is shallow, since a branch hangs on one
/// of higher priority.
struct BranchTree {
    std::uint32_t root = 0;
    Buffer<std::uint32_t> parent;     ///< per branch: the branch it hangs on; kNone for the root and for empty branches
    Buffer<std::uint32_t> attachNode; ///< per branch: the node its lowest node hangs on
    Buffer<std::uint32_t> childStart; ///< per node, and one more: its part of `children`
    Buffer<Child> children;           ///< what hangs on each node
    Buffer<std::uint32_t> size;       ///< per branch: number of nodes of it and of all that hangs on it
};

/// Where a branch ends.
struct Attachment {
    std::uint32_t branch; ///< kNone for the root
    std::uint32_t node;
};

/// What @p branch, which has nodes, hangs on.
[[nodiscard]] Attachment attachmentOf(std::uint32_t branch, const BranchNodes& nodes, const BranchForest& forest);

[[nodiscard]] BranchTree buildBranchTree(const BranchNodes& nodes, const BranchRuns& runs, const JobControl& control);

} // namespace pollard::cpu
