#pragma once

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The root is never a child.
inline constexpr std::uint32_t kNoChild = 0;

/// Applies a law to all nodes, children before their parent: rank by rank, in resident blocks that meet between ranks.
/// A Law has
///  - Value, a function that maps the result of the node below on the path to the result of a node, and
///    `static Value join(Value first, Value then)`, their composition, which is associative;
///  - `Value of(std::uint32_t node, std::uint32_t child)`, where child is the node below on the path or kNoChild, for
///    which the function must ignore its argument;
///  - `void finish(std::uint32_t node, Value joined, bool endsPath)`, given the joined functions of the path up to the
///    node. It may write data of the node and, at the end of a path, update data of the parent (step_atomics.hpp).
///
/// A block joins the functions of a range of the rank's list, one chunk after another. If a rank takes several blocks,
/// they then meet and join the totals of earlier ranges.
/// @tparam kThreadCount threads per block
template <class Law, std::uint32_t kThreadCount> struct ClimbTeam {
    using Value = typename Law::Value;
    static constexpr std::uint32_t kThreads = kThreadCount;

    struct Memory {
        Value joined[2][kThreads];
    };

    Law law;
    const std::uint32_t* parent;
    const std::uint32_t* nodes; ///< of RankedNodes, sorted by rank
    RankStarts start;
    Value* values;        ///< one per node of the largest rank
    Value* totals;        ///< one per block
    std::uint32_t blocks; ///< at most kThreads

    POLLARD_DEVICE void operator()(Memory& memory) const {
        // Each leaf is a path of one node.
        for (std::size_t i = std::size_t{blockOfGrid()} * kThreads + threadOfBlock(); i < start.of[1];
             i += std::size_t{blocks} * kThreads) {
            law.finish(nodes[i], law.of(nodes[i], kNoChild), true);
        }
        for (std::uint32_t k = 1; k < kRankCount; ++k) {
            if (const std::uint32_t count = start.of[k + 1] - start.of[k]; count > 0) {
                meetGrid(); // nodes of smaller rank are finished
                climbRank(memory, {nodes + start.of[k], count});
            }
        }
    }

private:
    // Adjacent functions joined by one thread, if there are enough for all threads.
    static constexpr std::uint32_t kMostNeighbours = 4;

    struct Rank {
        const std::uint32_t* nodes;
        std::uint32_t count;
    };
    /// The functions joined so far, if any.
    struct Carry {
        Value value;
        bool isSomething;

        [[nodiscard]] POLLARD_DEVICE Value before(const Value& then) const {
            return isSomething ? Law::join(value, then) : then;
        }
    };

    POLLARD_DEVICE void climbRank(Memory& memory, const Rank& rank) const {
        const std::uint32_t neighbours = least(kMostNeighbours, (rank.count - 1) / (blocks * kThreads) + 1);
        const std::uint32_t chunk = neighbours * kThreads;
        const std::uint32_t stretch = ((rank.count - 1) / chunk / blocks + 1) * chunk;
        const std::uint32_t atWork = (rank.count - 1) / stretch + 1;
        const std::uint32_t block = blockOfGrid();
        const bool isAlone = atWork == 1;
        Carry carry{{}, false};
        if (block < atWork) {
            const std::uint32_t end = least(rank.count - block * stretch, stretch) + block * stretch;
            for (std::uint32_t at = block * stretch; at < end; at += chunk) {
                joinChunk(memory, rank, {at, least(end - at, chunk), neighbours}, isAlone, carry);
            }
        }
        if (isAlone) {
            return;
        }
        if (block < atWork && threadOfBlock() == 0) {
            totals[block] = carry.value;
        }
        meetGrid();
        if (block < atWork) {
            const std::uint32_t end = least(rank.count - block * stretch, stretch) + block * stretch;
            const Carry before = joinTotals(memory, block, atWork);
            for (std::uint32_t i = block * stretch + threadOfBlock(); i < end; i += kThreads) {
                finish(rank, i, before.before(values[i]));
            }
        }
    }

    struct Chunk {
        std::uint32_t begin, count, neighbours;
    };
    /// Appends the functions of a chunk to the functions in @p carry.
    POLLARD_DEVICE void joinChunk(Memory& memory, const Rank& rank, const Chunk& chunk, bool isAlone,
                                  Carry& carry) const {
        const std::uint32_t thread = threadOfBlock();
        const std::uint32_t mine = thread * chunk.neighbours;
        const std::uint32_t own = mine < chunk.count ? least(chunk.neighbours, chunk.count - mine) : 0;
        Value joined[kMostNeighbours]{};
        Carry total{{}, false};
        for (std::uint32_t j = 0; j < kMostNeighbours; ++j) {
            if (j < own) {
                total = {total.before(functionOf(rank, chunk.begin + mine + j)), true};
                joined[j] = total.value;
            }
        }
        // Values of threads without a function follow all that are used.
        const Value* const upTo = joinThreads(memory, total.value);
        const Carry before = thread > 0 ? Carry{carry.before(upTo[thread - 1]), true} : carry;
        for (std::uint32_t j = 0; j < kMostNeighbours; ++j) {
            if (j < own) {
                const std::uint32_t i = chunk.begin + mine + j;
                const Value all = before.before(joined[j]);
                if (isAlone) {
                    finish(rank, i, all);
                } else {
                    values[i] = all;
                }
            }
        }
        carry = {carry.before(upTo[(chunk.count - 1) / chunk.neighbours]), true};
        meetThreads();
    }

    /// The joined functions of all earlier blocks.
    [[nodiscard]] POLLARD_DEVICE Carry joinTotals(Memory& memory, std::uint32_t block, std::uint32_t atWork) const {
        const Value* const upTo = joinThreads(memory, totals[least(threadOfBlock(), atWork - 1)]);
        return block > 0 ? Carry{upTo[block - 1], true} : Carry{{}, false};
    }

    /// Inclusive scan over the threads of the block.
    [[nodiscard]] POLLARD_DEVICE static const Value* joinThreads(Memory& memory, const Value& own) {
        const std::uint32_t thread = threadOfBlock();
        std::uint32_t at = 0;
        Value all = own;
        memory.joined[at][thread] = all;
        meetThreads();
        for (std::uint32_t distance = 1; distance < kThreads; distance *= 2) {
            if (thread >= distance) {
                all = Law::join(memory.joined[at][thread - distance], all);
            }
            at = 1 - at;
            memory.joined[at][thread] = all;
            meetThreads();
        }
        return memory.joined[at];
    }

    [[nodiscard]] POLLARD_DEVICE Value functionOf(const Rank& rank, std::uint32_t i) const {
        const std::uint32_t node = rank.nodes[i];
        return law.of(node, i > 0 && parent[rank.nodes[i - 1]] == node ? rank.nodes[i - 1] : kNoChild);
    }
    POLLARD_DEVICE void finish(const Rank& rank, std::uint32_t i, const Value& joined) const {
        const std::uint32_t node = rank.nodes[i];
        law.finish(node, joined, i + 1 == rank.count || parent[node] != rank.nodes[i + 1]);
    }

    [[nodiscard]] POLLARD_DEVICE static std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
};

/// Applies a law to all nodes, children before their parent; see ClimbTeam.
/// @throws Error(deviceFailed) if the machine cannot run blocks that wait for each other
template <class Machine, class NodeBuffer, class Law>
void climb(Machine& machine, const RankedNodes<NodeBuffer>& ranked, const std::uint32_t* parent, const Law& law) {
    using Team = ClimbTeam<Law, Machine::kClimbThreads>;
    const std::uint32_t most = ranked.mostOfRank();
    const std::uint32_t useful = std::max(most, ranked.start.of[1]) / Team::kThreads + 1;
    const std::uint32_t room = machine.template climbBlocks<Team>();
    if (room == 0) {
        throw Error(ErrorCode::deviceFailed, "climb the tree: the GPU cannot run blocks that wait for each other");
    }
    const std::uint32_t blocks = std::min({room, Team::kThreads, useful});
    auto values = machine.template make<typename Law::Value>(std::max<std::size_t>(1, most), "functions of nodes");
    auto totals = machine.template make<typename Law::Value>(blocks, "functions of nodes");
    machine.climb(Team{law, parent, ranked.nodes.data(), ranked.start, values.data(), totals.data(), blocks});
}

/// x -> min(x + shift, cap): the excess of a node as a function of the excess of its child on the path.
struct PruningCost {
    std::int64_t shift;
    std::int64_t cap;
};

/// Rule::viterbi as a law of climb(). The excess of a node is the cost of keeping it, given that its parent is kept,
/// minus the cost of removing it with all its descendants: (criteria keep it ? -1 : 1) + the sum of min(excess(child),
/// 0). A node is kept if its excess is not positive.
struct PruningLaw {
    using Value = PruningCost;

    /// Shift of a function that ignores its argument: exceeds any sum of excesses, whose absolute value is below 2^33.
    static constexpr std::int64_t kIgnores = std::int64_t{1} << 40U;

    const std::uint32_t* parent;
    std::uint64_t* below; ///< per node: sum of min(excess, 0) of children of smaller rank; 0 at the start
    std::uint8_t* keep;   ///< decision by the criteria, then by the costs

    [[nodiscard]] POLLARD_HOST_DEVICE static Value join(const Value& first, const Value& then) noexcept {
        const std::int64_t shift = first.shift + then.shift;
        const std::int64_t cap = first.cap + then.shift;
        return {shift < kIgnores ? shift : kIgnores, cap < then.cap ? cap : then.cap};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE Value of(std::uint32_t node, std::uint32_t child) const noexcept {
        const std::int64_t own = (keep[node] != 0 ? -1 : 1) + static_cast<std::int64_t>(below[node]);
        return {child == kNoChild ? kIgnores : own, own};
    }
    POLLARD_HOST_DEVICE void finish(std::uint32_t node, const Value& joined, bool endsPath) const noexcept {
        const std::int64_t excess = joined.cap; // the path's first function ignores its argument
        keep[node] = excess <= 0 ? 1 : 0;
        if (endsPath && node > 0 && excess < 0) {
            addInStep(below + parent[node], static_cast<std::uint64_t>(excess));
        }
    }
};

// Extinction values for a measure that grows from a node to its parent (Vachier, Meyer 1995), defined as in core: when
// components meet, the component with the largest measure survives; among equal components, the component whose
// surviving leaf has the smallest canonical pixel.

/// Finds the largest measure among the children of each node.
template <class T> struct RaiseToMeasure {
    const std::uint32_t* parent;
    const T* measure;
    T* largest; ///< per node; 0 at the start

    POLLARD_HOST_DEVICE void operator()(std::size_t child) const noexcept {
        raiseInStep(largest + parent[child + 1], measure[child + 1]); // skips the root, which has no parent
    }
};

/// x -> min(x, leaf), or the constant leaf.
struct SurvivorChoice {
    std::uint32_t leaf;
    std::uint32_t ignores; ///< 1: the constant function
};

/// A law of climb(): finds the canonical pixel of the leaf that survives in each node. The children with the largest
/// measure compete.
template <class T> struct SurvivorLaw {
    using Value = SurvivorChoice;

    const std::uint32_t* parent;
    const std::uint32_t* subtreeEnd;
    const std::uint32_t* canonical;
    const T* measure;
    const T* largest;    ///< among a node's children
    std::uint32_t* leaf; ///< 0xffffffff (larger than every pixel) at the start; the best of the children of smaller
                         ///< rank until the node is finished

    [[nodiscard]] POLLARD_HOST_DEVICE static Value join(const Value& first, const Value& then) noexcept {
        if (then.ignores != 0) {
            return then;
        }
        return {first.leaf < then.leaf ? first.leaf : then.leaf, first.ignores};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE Value of(std::uint32_t node, std::uint32_t child) const noexcept {
        if (subtreeEnd[node] == node + 1) {
            return {canonical[node], 1};
        }
        // If another child is larger than the one on the path, its leaf is already stored.
        const bool competes = child != kNoChild && measure[child] == largest[node];
        return {leaf[node], competes ? 0U : 1U};
    }
    POLLARD_HOST_DEVICE void finish(std::uint32_t node, const Value& joined, bool endsPath) const noexcept {
        leaf[node] = joined.leaf;
        if (endsPath && node > 0 && measure[node] == largest[parent[node]]) {
            lowerInStep(leaf + parent[node], joined.leaf);
        }
    }
};

/// A component whose leaf does not survive in its parent assigns its measure to its leaf; so does the root.
template <class T> struct WriteLeafExtinction {
    const std::uint32_t* parent;
    const std::uint32_t* pixelNode;
    const std::uint32_t* leaf; ///< surviving leaf of each node
    const T* measure;
    T* extinction; ///< per node; each leaf's entry is written once

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (node == 0 || leaf[parent[node]] != leaf[node]) {
            extinction[pixelNode[leaf[node]]] = measure[node];
        }
    }
};
/// A node has the value of the leaf that survives in it.
template <class T> struct ExtinctionOf {
    using Value = T;
    const std::uint32_t* pixelNode;
    const std::uint32_t* leaf;
    const T* extinction; ///< per leaf

    [[nodiscard]] POLLARD_HOST_DEVICE Value operator()(std::size_t node) const noexcept {
        return extinction[pixelNode[leaf[node]]];
    }
};

} // namespace pollard::cuda
