#pragma once

#include "attributes/entropy_formulas.hpp"
#include "cuda/device/host_device.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/tree/interval_table.hpp"
#include "cuda/tree/node_plan.hpp"

#include <cstddef>
#include <cstdint>

// Entropy of components without their histograms. H(v) = log2 n - S(v) / n, where S(v) is the sum of c log2 c over the
// counts c of the bins. The nodes are listed by bin, and in a bin by number. From left to right in that list, the
// neighbours i and i + 1 of one bin meet in their lowest common ancestor w, where the a pixels of the bin that lie in w
// up to i come together with the b pixels of the child of w that holds i + 1: c log2 c changes there by the gain
// g(a + b) - g(a) - g(b). Over the pairs that meet in a component the gains telescope, so S(v) is a sum over the nodes
// of the component: of g(own pixels), and of the gains of the pairs that meet in each.

namespace pollard::cuda {

/// Distance of a node's level from the root's.
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

/// Own pixels of the nodes in the order of the list; 0 behind the last.
struct OwnOfListed {
    using Value = std::uint32_t;
    ComponentSum<std::uint32_t> area;
    const std::uint32_t* node;
    std::uint32_t nodeCount;

    [[nodiscard]] POLLARD_HOST_DEVICE Value operator()(std::size_t i) const noexcept {
        return i < nodeCount ? area.own(node[i]) : 0;
    }
};

/// Sums in multiples of 2^-62, in two rows of 64 bits: the upper one counts multiples of 2^32 of the lower one's.
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

/// Starts the sums with what the nodes' own pixels have; 0 behind the last node.
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
    const std::uint32_t* bin;      ///< in the order of the list
    const std::uint32_t* binStart; ///< where each bin starts in the list, and where the last ends
    const std::uint32_t* node;     ///< in the order of the list
    const std::uint32_t* before;   ///< running sum of the own pixels in the order of the list, nodes + 1
    InformationRows rows;

    struct UpTo {
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
        // All that is numbered behind the child that holds v, up to v, has its parent in that child, behind u.
        const std::uint32_t child = parents.lastBefore(v + 1, v, UpTo{u});
        const std::uint32_t meeting = plan.parent[child];
        const std::uint32_t first = firstFrom(left, binStart[key], meeting);
        const std::uint32_t end = endOf(left + 1, binStart[key + 1], plan.subtreeEnd[child]);
        const std::uint32_t a = before[left + 1] - before[first];
        const std::uint32_t b = before[end] - before[left + 1];
        rows.add(meeting, informationOf(a + b) - informationOf(a) - informationOf(b));
    }

private:
    /// The first of the places from @p begin up to @p i, which is one of them, that hold nodes from @p least on.
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
    /// The end of the places from @p i on, which is one of them, and before @p last that hold nodes before @p end.
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
        // At most 8 bits a pixel: below 2^96 for fewer than 2^31 pixels.
        const UInt128 missing = (static_cast<UInt128>(informationOf(pixels)) - sum) & ((UInt128{1} << 96) - 1);
        return entropyOf(static_cast<Int128>(missing), pixels);
    }
};

} // namespace pollard::cuda
