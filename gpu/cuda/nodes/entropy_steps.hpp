#pragma once

#include "attributes/formulas.hpp"
#include "base/compiler.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/tree/interval_table.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <cstddef>
#include <cstdint>

// Entropy of components without their histograms. H(v) = log2 n - S(v) / n, where S(v) is the sum of c log2 c over the
// counts c of the bins. The nodes are listed by bin, and within a bin by number. From left to right in that list, the
// neighbours i and i + 1 of one bin meet in their lowest common ancestor w: the a pixels of the bin in w up to i join
// the b pixels in the child of w that contains i + 1, which changes c log2 c by the gain g(a + b) - g(a) - g(b), with
// g(c) = c log2 c. Over the pairs that meet in a component the gains telescope, so S(v) is a sum over the nodes of the
// component: of g(own pixels), and of the gains of the pairs that meet in each.

namespace pollard::cuda {

/// Distance between a node's level and the root's.
struct LevelDistance {
    NodePlan plan;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        return NodePlan::distance(plan.level[node], plan.level[0]);
    }
};

/// Key and value for a stable sort that lists the nodes by bin.
struct ListByBin {
    LevelDistance distance;
    const unsigned long long* farthest; ///< the largest distance
    std::uint32_t* bin;
    std::uint32_t* node;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        bin[i] = EntropyBins{static_cast<std::uint32_t>(*farthest) + 1}.of(distance(i));
        node[i] = static_cast<std::uint32_t>(i);
    }
};

/// Own pixels of the nodes in list order; 0 after the last.
struct OwnOfListed {
    using Value = std::uint32_t;
    ComponentSum<std::uint32_t> area;
    const std::uint32_t* node;
    std::uint32_t nodeCount;

    [[nodiscard]] POLLARD_HOST_DEVICE Value operator()(std::size_t i) const noexcept {
        return i < nodeCount ? area.own(node[i]) : 0;
    }
};

/// Sums in multiples of 2^-62, as two arrays of 64-bit words: the upper one counts multiples of 2^32 of the lower one's
/// unit.
struct InformationRows {
    std::uint64_t* upper;
    std::uint64_t* lower;

    POLLARD_HOST_DEVICE void set(std::size_t node, Int128 value) const noexcept {
        upper[node] = static_cast<std::uint64_t>(value >> 32);
        lower[node] = static_cast<std::uint32_t>(value);
    }
    POLLARD_HOST_DEVICE void add(std::size_t node, Int128 value) const noexcept {
        addInStep(upper + node, static_cast<std::uint64_t>(value >> 32));
        addInStep(lower + node, static_cast<std::uint32_t>(value));
    }
};

/// Starts the sums with the nodes' own pixels; 0 after the last node.
struct StartInformation {
    ComponentSum<std::uint32_t> area;
    std::uint32_t nodeCount;
    InformationRows rows;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        rows.set(node, node < nodeCount ? informationOf(area.own(node)) : 0);
    }
};

/// Adds the gain of the pair (i, i + 1) to the node where it meets.
struct MeetInBin {
    NodePlan plan;
    IntervalTable<Smallest<std::uint32_t>> parents;
    const std::uint32_t* bin;      ///< in list order
    const std::uint32_t* binStart; ///< first index of each bin in the list, and the end of the last bin
    const std::uint32_t* node;     ///< in list order
    const std::uint32_t* before;   ///< exclusive prefix sum of the own pixels in list order, nodes + 1
    InformationRows rows;

    struct IsUpTo {
        std::uint32_t limit;
        POLLARD_HOST_DEVICE bool operator()(std::uint32_t parent) const noexcept { return parent <= limit; }
    };

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const auto left = static_cast<std::uint32_t>(i);
        const std::uint32_t key = bin[left];
        if (bin[left + 1] != key) {
            return;
        }
        const std::uint32_t u = node[left];
        const std::uint32_t v = node[left + 1];
        // Nodes numbered after the child that contains v, up to v, have their parent in that child, so after u.
        const std::uint32_t child = parents.lastBefore(v + 1, v, IsUpTo{u});
        const std::uint32_t meeting = plan.parent[child];
        const std::uint32_t first = firstFrom(left, binStart[key], meeting);
        const std::uint32_t end = endOf(left + 1, binStart[key + 1], plan.subtreeEnd[child]);
        const std::uint32_t a = before[left + 1] - before[first];
        const std::uint32_t b = before[end] - before[left + 1];
        rows.add(meeting, informationOf(a + b) - informationOf(a) - informationOf(b));
    }

private:
    /// The first index in [begin, i] whose node is at least @p least; index i qualifies, and qualifying indices are
    /// contiguous.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t firstFrom(std::uint32_t i, std::uint32_t begin,
                                                              std::uint32_t least) const noexcept {
        std::uint32_t step = 1;
        while (step <= i - begin && node[i - step] >= least) {
            i -= step;
            step *= 2;
        }
        while ((step /= 2) > 0) {
            if (step <= i - begin && node[i - step] >= least) {
                i -= step;
            }
        }
        return i;
    }
    /// One past the last index in [i, last) whose node is less than @p end; index i qualifies, and qualifying indices
    /// are contiguous.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t endOf(std::uint32_t i, std::uint32_t last,
                                                          std::uint32_t end) const noexcept {
        std::uint32_t step = 1;
        while (step < last - i && node[i + step] < end) {
            i += step;
            step *= 2;
        }
        while ((step /= 2) > 0) {
            if (step < last - i && node[i + step] < end) {
                i += step;
            }
        }
        return i + 1;
    }
};

struct EntropyOf {
    using Value = double;
    ComponentSum<std::uint32_t> area;
    ComponentSum<std::uint64_t> upper;
    ComponentSum<std::uint64_t> lower;

    [[nodiscard]] POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        const std::uint32_t pixels = area(node);
        const UInt128 sum = (UInt128{upper(node)} << 32) + lower(node);
        // At most 8 bits per pixel: below 2^96 for fewer than 2^31 pixels.
        const UInt128 missing = (static_cast<UInt128>(informationOf(pixels)) - sum) & ((UInt128{1} << 96) - 1);
        return entropyOf(static_cast<Int128>(missing), pixels);
    }
};

} // namespace pollard::cuda
