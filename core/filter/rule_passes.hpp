#pragma once

#include "base/buffer.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

// The passes of the rules over a tree, each O(nodes) in the order of indices. A watcher is called after each node; the
// default costs nothing.

namespace pollard {

/// Ignores all calls.
struct Unwatched {
    template <class... Facts> constexpr void operator()(const Facts&...) const noexcept {}
};

/// From the root: removes the descendants of removed nodes.
/// @param watch (node)
template <class Watch = Unwatched>
void keepUnderKept(const ComponentTree& tree, Buffer<std::uint8_t>& keep, Watch&& watch = {}) {
    for (std::size_t i = 1; i < keep.size(); ++i) {
        keep[i] = static_cast<std::uint8_t>(keep[i] & keep[tree.parent[i]]);
        watch(i);
    }
}

/// From the leaves: flags the ancestors of flagged nodes.
/// @param watch (node), called after the node's flag was passed to its parent
template <class Watch = Unwatched>
void raiseToAncestors(const ComponentTree& tree, Buffer<std::uint8_t>& flags, Watch&& watch = {}) {
    for (std::size_t i = flags.size(); i-- > 1;) {
        std::uint8_t& up = flags[tree.parent[i]];
        up = static_cast<std::uint8_t>(up | flags[i]);
        watch(i);
    }
}

/// Excess of a node without its children: cost of keeping it, in changed decisions, less that of removing it.
[[nodiscard]] constexpr std::int64_t excessAlone(std::uint8_t keep) noexcept { return keep != 0 ? -1 : 1; }

/// From the leaves, dynamic programming: keeps a node, provided that its parent is kept, if this costs no more than
/// removing it with its descendants.
/// @param excess excessAlone() of every node; becomes that of its component
/// @param watch (node, its excess)
template <class Watch = Unwatched> void keepWhereCheaper(const ComponentTree& tree, Buffer<std::int64_t>& excess,
                                                         Buffer<std::uint8_t>& keep, Watch&& watch = {}) {
    for (std::size_t i = tree.nodeCount(); i-- > 1;) {
        excess[tree.parent[i]] += std::min<std::int64_t>(excess[i], 0);
        keep[i] = excess[i] <= 0 ? 1 : 0;
        watch(i, excess[i]);
    }
}

/// From the root: filteredLevels().
/// @param watch (node, level of its pixels)
template <class Watch = Unwatched> [[nodiscard]] Buffer<std::uint16_t>
levelsFromRoot(const ComponentTree& tree, Rule rule, const Buffer<std::uint8_t>& keep, Watch&& watch = {}) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint16_t> out(n);
    out[0] = tree.level[0];
    watch(std::size_t{0}, out[0]);
    if (rule == Rule::subtractive) {
        for (std::size_t i = 1; i < n; ++i) {
            const std::uint32_t p = tree.parent[i];
            const int step = keep[i] != 0 ? tree.level[i] - tree.level[p] : 0;
            out[i] = static_cast<std::uint16_t>(out[p] + step);
            watch(i, out[i]);
        }
    } else {
        for (std::size_t i = 1; i < n; ++i) {
            out[i] = keep[i] != 0 ? tree.level[i] : out[tree.parent[i]];
            watch(i, out[i]);
        }
    }
    return out;
}

} // namespace pollard
