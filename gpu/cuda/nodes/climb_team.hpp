#pragma once

#include "base/error.hpp"
#include "cuda/device/host_device.hpp"
#include "cuda/kernels/grid_threads.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The root is nobody's child.
inline constexpr std::uint32_t kNoChild = 0;

/// Applies a law to all nodes, the children before their parent: rank by rank, in blocks that are at work at once and
/// wait for each other between ranks. A Law has
///  - Value, a function that says how what comes up a path leaves a node, and
///    `static Value join(Value first, Value then)`, which is associative;
///  - `Value of(std::uint32_t node, std::uint32_t child)`, child: the one below on the path, or kNoChild; then the
///    function must ignore what comes;
///  - `void finish(std::uint32_t node, Value joined, bool endsPath)`, given all functions of the path up to the node
///    joined, which may write what is the node's, and pass on (step_atomics.hpp) what is the parent's at a path's end.
///
/// A block joins the functions of a stretch of the rank's list, whole chunks one after another; where a rank is more
/// than one block's work, the blocks then wait for each other and join what comes before their stretch.
/// @tparam kThreadCount threads of a block
template <class Law, std::uint32_t kThreadCount> struct ClimbTeam {
    using Value = typename Law::Value;
    static constexpr std::uint32_t kThreads = kThreadCount;

    struct Memory {
        Value joined[2][kThreads];
    };

    Law law;
    const std::uint32_t* parent;
    const std::uint32_t* nodes; ///< of RankedNodes
    RankStarts start;
    Value* values;        ///< as many as a rank may have nodes
    Value* totals;        ///< a block
    std::uint32_t blocks; ///< at most kThreads

    POLLARD_DEVICE void operator()(Memory& memory) const {
        // The leaves are paths of one node.
        for (std::size_t i = std::size_t{blockOfGrid()} * kThreads + threadOfBlock(); i < start.of[1];
             i += std::size_t{blocks} * kThreads) {
            law.finish(nodes[i], law.of(nodes[i], kNoChild), true);
        }
        for (std::uint32_t k = 1; k < kRankCount; ++k) {
            if (const std::uint32_t count = start.of[k + 1] - start.of[k]; count > 0) {
                meetGrid(); // nodes of smaller rank are done
                climbRank(memory, {nodes + start.of[k], count});
            }
        }
    }

private:
    // Neighbours that a thread joins by itself, where there are enough for all threads.
    static constexpr std::uint32_t kMostNeighbours = 4;

    struct Rank {
        const std::uint32_t* nodes;
        std::uint32_t count;
    };
    /// What is joined so far, if anything is.
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
    /// Joins the functions of a chunk, which is @p carry behind; leaves all of them in the carry.
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
        // What threads without a function leave there comes behind all that is used.
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

    /// What the blocks before this one have joined.
    [[nodiscard]] POLLARD_DEVICE Carry joinTotals(Memory& memory, std::uint32_t block, std::uint32_t atWork) const {
        const Value* const upTo = joinThreads(memory, totals[least(threadOfBlock(), atWork - 1)]);
        return block > 0 ? Carry{upTo[block - 1], true} : Carry{{}, false};
    }

    /// Of each thread the values of all up to it, joined.
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

/// Applies a law to all nodes, the children before their parent; see ClimbTeam.
/// @throws Error(deviceFailed) where the machine cannot have a block at work that waits for others
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

} // namespace pollard::cuda
