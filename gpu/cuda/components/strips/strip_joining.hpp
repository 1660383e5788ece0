#pragma once

#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/strip_state.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

inline constexpr std::uint32_t kNoComponent = 0xffff'ffffU;

/// Joins the trees of two nodes while other threads do so, in a forest in which every node points to itself or to an
/// earlier one; halves the paths that it walks. Linking the later root to any earlier node of the other tree keeps the
/// order. Entries are only lowered, so no link is lost.
/// @return the root that became a child, so each is returned once; kNoComponent if the nodes were in one tree
POLLARD_DEVICE inline std::uint32_t joinTrees(std::uint32_t* parents, std::uint32_t one, std::uint32_t other) {
    // Most nodes point to their root, and most that touch have one already. Both parents are loaded together.
    const std::uint32_t parentOfOne = loadFresh(parents + one);
    const std::uint32_t parentOfOther = loadFresh(parents + other);
    one = parentOfOne;
    other = parentOfOther;
    while (one != other) {
        if (one < other) {
            const std::uint32_t swapped = one;
            one = other;
            other = swapped;
        }
        const std::uint32_t parent = loadFresh(parents + one);
        if (parent == other) {
            break; // path halving would skip this node, and climb to the root
        }
        if (parent != one) {
            const std::uint32_t above = loadFresh(parents + parent);
            if (above != parent) {
                lowerTo(parents + one, above);
            }
            one = above;
            continue;
        }
        const std::uint32_t before = lowered(parents + one, other);
        if (before == one) {
            return one;
        }
        one = before; // another thread linked it first: its tree remains to be joined
    }
    return kNoComponent;
}

/// Root of a tree: its first node.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootOf(const std::uint32_t* parents, std::uint32_t node) {
    std::uint32_t parent = loadFresh(parents + node);
    while (parent != node) {
        node = parent;
        parent = loadFresh(parents + node);
    }
    return node;
}

/// Root of a node in global memory, with path halving, if no thread joins trees meanwhile. Loads may be stale: any
/// ancestor is correct.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootByHalving(std::uint32_t* parents, std::uint32_t node) {
    std::uint32_t parent = loadCached(parents + node);
    while (parent != node) {
        const std::uint32_t above = loadCached(parents + parent);
        if (above == parent) {
            return parent;
        }
        storeFresh(parents + node, above); // any ancestor is correct, so concurrent stores need no order
        node = above;
        parent = loadCached(parents + node);
    }
    return node;
}

/// A selection of borders between strips: the borders above strips step, 2 step, ..., except above group, 2 group, ...
/// Borders are joined within groups of strips first, then between groups, and so on: an object that crosses all strips
/// forms a chain of as many nodes as a group has strips, then a chain of groups. Many threads would walk a chain of all
/// strips repeatedly.
struct StripBorders {
    std::uint32_t step;
    std::uint32_t group;    ///< a multiple of step, or 0: no exception
    std::uint32_t partBits; ///< a word of a border is split into 2^partBits parts of at least one bit

    [[nodiscard]] static std::uint32_t count(std::uint32_t strips, std::uint32_t step) { return (strips - 1) / step; }
};

/// Joins the components of runs that touch in the columns @p columns of word @p x of two rows. Contacts are processed
/// in sequence, each a chain of dependent loads.
template <bool kEight, class Number>
POLLARD_DEVICE inline void joinRows(const StripState<Number>& state, std::uint32_t x, std::uint32_t lowerRow,
                                    std::uint32_t upperRow, std::uint32_t columns) {
    const RowContacts contacts = contactsOf<kEight>(state.at(x, lowerRow), state.at(x, upperRow));
    std::uint32_t left = contacts.all & columns;
    if (left == 0) {
        return;
    }
    const std::uint32_t lowerRun = state.firstRuns[state.wordAt(x, lowerRow)] - 1;
    const std::uint32_t upperRun = state.firstRuns[state.wordAt(x, upperRow)] - 1;
    std::uint32_t lastLower = kNoComponent;
    std::uint32_t lastUpper = kNoComponent;
    for (; left != 0; left &= left - 1) {
        const std::uint32_t upTo = bitsUpTo(static_cast<std::uint32_t>(lowestBit(left)));
        const std::uint32_t lower = state.nodeOf(lowerRow, lowerRun + countBits(contacts.lowerStarts & upTo));
        const std::uint32_t upper = state.nodeOf(upperRow, upperRun + countBits(contacts.upperStarts & upTo));
        if (lower != lastLower || upper != lastUpper) {
            if (const std::uint32_t child = joinTrees(state.parents, lower, upper); child != kNoComponent) {
                static_cast<void>(addTo(&state.counts[child / state.runsOfStrip].links, 1));
            }
        }
        lastLower = lower;
        lastUpper = upper;
    }
}

/// Pass 2, one step per part of a word of each border: joins the components of the strips on both sides. More steps are
/// faster, see joinRows().
template <class Number, bool kEight> struct JoinStrips {
    StripState<Number> state;
    StripBorders borders;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto word = static_cast<std::uint32_t>(i >> borders.partBits); // less than 2^32
        const std::uint32_t bits = 32U >> borders.partBits;
        const std::uint32_t firstBit = static_cast<std::uint32_t>(i) % (1U << borders.partBits) * bits;
        const std::uint32_t x = word % state.wordsOfRow;
        const std::uint32_t strip = (word / state.wordsOfRow + 1) * borders.step;
        if (borders.group != 0 && strip % borders.group == 0) {
            return;
        }
        const std::uint32_t y = strip << state.rowBits;
        joinRows<kEight>(state, x, y, y - 1, bitsUpTo(bits - 1) << firstBit);
    }
};

/// Before the borders of a step, one step per node of the strips above them: links the node to its root.
template <class Number> struct ShortenAboveBorders {
    StripState<Number> state;
    std::uint32_t step;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t strip = (static_cast<std::uint32_t>(i / state.runsOfStrip) + 1) * step - 1;
        const auto node = static_cast<std::uint32_t>(i % state.runsOfStrip);
        if (node < state.counts[strip].components) {
            const std::uint32_t number = strip * state.runsOfStrip + node;
            storeFresh(state.parents + number, rootByHalving(state.parents, number));
        }
    }
};

} // namespace pollard::cuda
