#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "parts/part_job.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Which nodes of a chunk's tree are open, see part.hpp. They are numbered in the order of the tree.
class OpenNodes {
public:
    OpenNodes(const PartJob& job, std::uint64_t chunk, const ComponentTree& tree, const JobControl& control);

    [[nodiscard]] std::size_t count() const noexcept { return list_.size(); }
    /// The open nodes by their numbers.
    [[nodiscard]] std::span<const std::uint32_t> list() const noexcept { return list_; }
    [[nodiscard]] bool isOpen(std::size_t node) const noexcept { return open_[node] != 0; }
    /// Number of the nearest open node among a node and its ancestors; Part::kNone if all are closed.
    [[nodiscard]] std::uint32_t nearest(std::size_t node) const noexcept { return nearest_[node]; }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return nearest_.bytes() + open_.bytes() + list_.size() * sizeof(std::uint32_t);
    }

    /// Calls visit(node, number of the nearest open ancestor) for the closed nodes but the root.
    template <class Visit> void forEachClosed(Visit&& visit) const {
        for (std::size_t i = 1; i < open_.size(); ++i) {
            if (open_[i] == 0) {
                visit(i, nearest_[i]);
            }
        }
    }
    /// Calls visit(node, number of the parent) for the closed children of open nodes.
    template <class Visit> void forEachClosedChild(const ComponentTree& tree, Visit&& visit) const {
        forEachClosed([&](std::size_t i, std::uint32_t to) {
            if (open_[tree.parent[i]] != 0) {
                visit(i, to);
            }
        });
    }

private:
    Buffer<std::uint32_t> nearest_; ///< per node
    Buffer<std::uint8_t> open_;     ///< per node 1 if it is open
    std::vector<std::uint32_t> list_;
};

} // namespace pollard
