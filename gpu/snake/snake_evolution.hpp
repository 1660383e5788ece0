#pragma once

#include "snake/block_contour.hpp"
#include "snake/joint_moves.hpp"
#include "snake/node_moves.hpp"
#include "snake/snake_team.hpp"
#include "snake/state_trail.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Where a run stands, kept in device memory between kernels. The nodes are kept beside it.
struct SnakeProgress {
    std::uint32_t count;    ///< nodes
    std::uint32_t round;    ///< accepted changes
    std::uint32_t reach;    ///< px; 0: split next
    std::uint32_t moved;    ///< since the last split
    std::uint32_t isNew;    ///< nobody has been told of the start
    std::uint32_t finished; ///< nothing moves and nothing is split
    std::uint32_t wanted;   ///< nodes that there has to be room for before it goes on
};

/// What the blocks of a team share, in device memory.
struct SnakeTeamMemory {
    SnakeProgress* progress;
    ContourNode* nodes;         ///< at the start and at the end of the kernel
    RegionSums* edges;          ///< sums of new edges on their way to all blocks
    RegionSums* candidates;     ///< kEdgesOfNode a node; only the node's block uses them
    RegionSums* shares;         ///< kEdgesOfNode a block: what it measured of a node that several blocks share
    SnakePick* picks;           ///< of this round and of the one before, `capacity` each
    std::uint32_t* flags;       ///< of the GridTeam
    std::uint32_t* stops;       ///< whether to stop, for this round and the one before
    unsigned char* contours;    ///< a BlockContour for every block; null: in shared memory
    std::uint32_t capacity = 0; ///< nodes
};

/// Where a run writes its states, and what it looks at in every round, in memory of the host.
struct SnakeTrail {
    std::uint64_t* words;
    std::uint64_t size;  ///< words, trailWords(capacity) at least
    std::uint64_t* last; ///< as many words again for the last state, if `words` is for the start alone; else null
    const volatile std::uint32_t* stop;
};

/// The evolution of one contour by local-best moves, in device code. Goes on until the run ends, the trail is full, the
/// contour outgrows its memory, or the host asks it to stop; a later one goes on from there.
///
/// A round: warps measure the edges from and to the places around each node (what was measured is kept as long as it
/// holds; while there are few nodes, several blocks share one) and find the node's best move; the team meets; every
/// block chooses the moves that are better than both neighbours' and accepts them, or their better half, and so on. The
/// blocks share only the search for touching edges.
/// @tparam Team BlockTeam or GridTeam
template <class Image, class Team> class SnakeEvolution {
public:
    /// Works on what is at these places, with all threads of the team.
    POLLARD_DEVICE SnakeEvolution(const SnakeInput<Image>& input, const SnakeTeamMemory& memory,
                                  const SnakeTrail& trail, const Team& team, const SnakeScratch& scratch,
                                  const BlockContour& contour)
        : input_(input), memory_(memory), trail_(trail), scratch_(scratch), team_(team), contour_(contour) {}

    POLLARD_DEVICE void run() {
        takeUp();
        while (hasRoomFor(contour_.count)) {
            if (input_.maxRounds != 0 && progress_.round >= input_.maxRounds) {
                progress_.finished = 1;
            }
            if (progress_.finished != 0) {
                break;
            }
            if (progress_.reach > 0) {
                if (!moveOrShorten()) {
                    break; // the host asks for it
                }
                continue;
            }
            const std::uint32_t most = countAtOnce();
            if (!hasRoomFor(most)) {
                progress_.wanted = most;
                break;
            }
            if (splitEdges(most)) {
                progress_.moved = 0;
                tell(SnakeStep::split, 0);
            } else if (progress_.moved != 0) {
                progress_.moved = 0;
                setReach(input_.maxStep);
            } else {
                progress_.finished = 1;
            }
        }
        putDown();
    }

private:
    /// For a next state of so many nodes.
    [[nodiscard]] POLLARD_DEVICE bool hasRoomFor(std::uint32_t nodes) const {
        return nodes <= memory_.capacity && written_ + trailWords(nodes) <= trail_.size;
    }

    POLLARD_DEVICE void takeUp() {
        progress_ = *memory_.progress;
        progress_.wanted = 0;
        contour_.count = progress_.count;
        for (std::uint32_t i = threadOfBlock(); i < contour_.count; i += scratch_.threads) {
            contour_.nodes[i] = memory_.nodes[i];
            contour_.known[i] = 0;
        }
        meetThreads();
        measureEdges(contour_.count, [](std::uint32_t edge) { return edge; });
        if (progress_.isNew != 0) {
            progress_.isNew = 0;
            write(SnakeStep::start, 0);
        }
    }
    POLLARD_DEVICE void putDown() {
        if (team_.block() != 0) {
            return;
        }
        for (std::uint32_t i = threadOfBlock(); i < contour_.count; i += scratch_.threads) {
            memory_.nodes[i] = contour_.nodes[i];
        }
        if (threadOfBlock() == 0) {
            progress_.count = contour_.count;
            *memory_.progress = progress_;
        }
    }

    /// The sums to the left of @p edges edges, those that edgeOf(0), edgeOf(1) ... name, and what depends on them. A
    /// group of warps an edge.
    template <class EdgeOf> POLLARD_DEVICE void measureEdges(std::uint32_t edges, const EdgeOf& edgeOf) {
        const std::uint32_t count = contour_.count;
        const std::uint32_t first = team_.block();
        const std::uint32_t own = first < edges ? (edges - first - 1) / team_.blocks() + 1 : 0;
        std::uint32_t group = 1; // warps
        while (2 * group * own <= scratch_.warps() && own != 0) {
            group *= 2;
        }
        for (std::uint32_t item = warpOfBlock() / group; item < own; item += scratch_.warps() / group) {
            const std::uint32_t edge = edgeOf(first + item * team_.blocks());
            const RegionSums sum = sumOfLanes(
                input_.image.leftOf(contour_.nodes[edge], contour_.nodes[nodeAfter(edge, count)],
                                    warpOfBlock() % group * kWarpThreads + laneOfWarp(), group * kWarpThreads),
                1);
            if (laneOfWarp() == 0) {
                (group == 1 ? memory_.edges[edge] : scratch_.parts[warpOfBlock()]) = sum;
            }
        }
        if (group > 1) {
            meetThreads();
            if (threadOfBlock() < own) {
                RegionSums sum;
                for (std::uint32_t warp = 0; warp < group; ++warp) {
                    sum += scratch_.parts[threadOfBlock() * group + warp];
                }
                memory_.edges[edgeOf(first + threadOfBlock() * team_.blocks())] = sum;
            }
        }
        team_.meet();
        for (std::uint32_t i = threadOfBlock(); i < edges; i += scratch_.threads) {
            contour_.edges[edgeOf(i)] = memory_.edges[edgeOf(i)];
        }
        meetThreads();
        RegionSums inside;
        for (std::uint32_t i = threadOfBlock(); i < count; i += scratch_.threads) {
            inside += contour_.edges[i];
        }
        contour_.inside = sumOfBlock(inside, scratch_);
        contour_.energy = input_.rules.energyOf(contour_.inside);
    }

    POLLARD_DEVICE void setReach(std::uint32_t reach) {
        progress_.reach = reach;
        for (std::uint32_t i = threadOfBlock(); i < contour_.count; i += scratch_.threads) {
            contour_.known[i] = 0;
        }
        meetThreads();
    }

    /// @return false if the host asks to stop; then nothing changes
    [[nodiscard]] POLLARD_DEVICE bool moveOrShorten() {
        const std::uint32_t count = contour_.count;
        const std::uint32_t turn = turn_++ % 2;
        SnakePick* const picks = memory_.picks + std::size_t{turn} * memory_.capacity;
        if (team_.block() == 0 && threadOfBlock() == 0) {
            memory_.stops[turn] = *trail_.stop;
        }
        const std::uint32_t shares = sharesOf(count);
        measureNodes(shares);
        if (team_.block() % shares == 0) {
            for (std::uint32_t i = team_.block() / shares + team_.blocks() * warpOfBlock(); i < count;
                 i += team_.blocks() * scratch_.warps()) {
                const SnakePick pick =
                    bestMove(input_, contour_.nodes, count, i, progress_.reach, contour_.edges,
                             memory_.candidates + std::size_t{kEdgesOfNode} * i, contour_.inside, contour_.energy);
                if (laneOfWarp() == 0) {
                    picks[i] = pick;
                }
            }
        }
        team_.meet();
        if (memory_.stops[turn] != 0) {
            return false;
        }
        for (std::uint32_t i = threadOfBlock(); i < count; i += scratch_.threads) {
            contour_.takePick(i, picks[i]);
        }
        meetThreads();
        for (std::uint32_t i = threadOfBlock(); i < count; i += scratch_.threads) {
            const bool stays =
                contour_.places[i] < 0 || isBeaten(i, nodeBefore(i, count)) || isBeaten(i, nodeAfter(i, count));
            contour_.rank[i] = stays ? BlockContour::kNone : 0;
        }
        meetThreads();
        if (moveJointly(input_, team_, contour_, picks, progress_.reach, scratch_)) {
            progress_.moved = 1;
            tell(SnakeStep::move, progress_.reach);
        } else {
            setReach(progress_.reach / 2);
        }
        return true;
    }
    [[nodiscard]] POLLARD_DEVICE bool isBeaten(std::uint32_t node, std::uint32_t by) const {
        return contour_.places[by] >= 0 && contour_.isBetter(by, node);
    }

    /// Blocks that measure a node together, a power of two: 1 unless there are two for every node.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t sharesOf(std::uint32_t count) const {
        std::uint32_t shares = 1;
        while (2 * shares * count <= team_.blocks()) {
            shares *= 2;
        }
        return shares;
    }
    /// The sums to the left of the edges to and from the eight places around each node of the block that are not
    /// known: a group of warps a node and side, its lanes four parts of the rows of eight edges.
    POLLARD_DEVICE void measureNodes(std::uint32_t shares) {
        constexpr std::uint32_t kParts = kWarpThreads / kPlaces;
        const std::uint32_t count = contour_.count;
        const std::uint32_t share = team_.block() % shares;
        const std::uint32_t first = team_.block() / shares;
        const std::uint32_t lane = laneOfWarp();
        RegionSums* const shared = memory_.shares + std::size_t{kEdgesOfNode} * team_.block();
        bool measured = false;
        for (std::size_t base = first; base < count; base += std::size_t{kWarpThreads} * team_.blocks()) {
            const std::size_t own = base + std::size_t{lane} * team_.blocks();
            const std::uint32_t open = ballot(own < count && contour_.known[own] == 0);
            const std::uint32_t items = 2 * countBits(open);
            std::uint32_t group = 1; // warps
            while (2 * group * items <= scratch_.warps() && items != 0) {
                group *= 2;
            }
            const auto sumsOf = [&](std::uint32_t item) {
                const std::size_t node = base + std::size_t{setBitAfter(open, item / 2)} * team_.blocks();
                return (shares == 1 ? memory_.candidates + kEdgesOfNode * node : shared) + item % 2 * kPlaces;
            };
            for (std::uint32_t item = warpOfBlock() / group; item < items; item += scratch_.warps() / group) {
                const auto node =
                    static_cast<std::uint32_t>(base + std::size_t{setBitAfter(open, item / 2)} * team_.blocks());
                const std::uint32_t part = (share * group + warpOfBlock() % group) * kParts + lane / kPlaces;
                const RegionSums sum =
                    sumOfLanes(partOfEdge(node, item % 2 == 0, lane % kPlaces, part, shares * group * kParts), kPlaces);
                if (lane < kPlaces) {
                    (group == 1 ? sumsOf(item) : scratch_.parts + warpOfBlock() * kPlaces)[lane] = sum;
                }
            }
            meetThreads();
            if (group > 1) {
                for (std::uint32_t i = threadOfBlock(); i < items * kPlaces; i += scratch_.threads) {
                    RegionSums sum;
                    for (std::uint32_t warp = 0; warp < group; ++warp) {
                        sum += scratch_.parts[(i / kPlaces * group + warp) * kPlaces + i % kPlaces];
                    }
                    sumsOf(i / kPlaces)[i % kPlaces] = sum;
                }
                meetThreads();
            }
            if (threadOfBlock() < kWarpThreads && own < count) {
                contour_.known[own] = 1;
            }
            measured = measured || items != 0;
        }
        if (shares == 1) {
            return;
        }
        team_.meet();
        if (share == 0 && measured && threadOfBlock() < kEdgesOfNode) {
            RegionSums sum;
            for (std::uint32_t i = 0; i < shares; ++i) {
                sum += shared[i * kEdgesOfNode + threadOfBlock()];
            }
            memory_.candidates[kEdgesOfNode * std::size_t{first} + threadOfBlock()] = sum;
        }
        meetThreads();
    }
    /// What one thread measures of an edge to or from a place around a node.
    [[nodiscard]] POLLARD_DEVICE RegionSums partOfEdge(std::uint32_t node, bool to, std::uint32_t place,
                                                       std::uint32_t part, std::uint32_t parts) const {
        const ContourNode around = placeAround(contour_.nodes[node], progress_.reach, place);
        if (!input_.rules.isInImage(around)) {
            return {};
        }
        return to ? input_.image.leftOf(contour_.nodes[nodeBefore(node, contour_.count)], around, part, parts)
                  : input_.image.leftOf(around, contour_.nodes[nodeAfter(node, contour_.count)], part, parts);
    }

    /// @param most what countAtOnce() returned
    [[nodiscard]] POLLARD_DEVICE bool splitEdges(std::uint32_t most) {
        const std::uint32_t count = contour_.count;
        const RegionSums inside = contour_.inside;
        const double energy = contour_.energy;
        const std::uint32_t split = most == count || isFree(most) ? most : splitOneByOne();
        if (split == count) {
            return false;
        }
        takeSplit(split);
        if (contour_.energy >= SnakeRules::kTooSmall) { // rounding took the last pixels of a small region
            changePlaces();
            contour_.count = count;
            contour_.inside = inside;
            contour_.energy = energy;
            return false;
        }
        setReach(input_.maxStep);
        return true;
    }
    /// Goes on with `tried`, of which rank tells what became of each edge.
    POLLARD_DEVICE void takeSplit(std::uint32_t split) {
        std::uint32_t* const places = contour_.known; // of the first edge of each that was split
        for (std::uint32_t i = threadOfBlock(); i < contour_.count; i += scratch_.threads) {
            const std::uint32_t place = contour_.rank[i] / 2;
            if (contour_.rank[i] % 2 == 0) {
                contour_.changes[place] = contour_.edges[i];
            } else {
                places[place - i] = place;
            }
        }
        meetThreads();
        const std::uint32_t added = split - contour_.count;
        changePlaces();
        contour_.count = split;
        measureEdges(2 * added, [places](std::uint32_t edge) { return places[edge / 2] + edge % 2; });
    }
    /// What is tried becomes what is, and the other way round.
    POLLARD_DEVICE void changePlaces() {
        ContourNode* const nodes = contour_.nodes;
        contour_.nodes = contour_.tried;
        contour_.tried = nodes;
        RegionSums* const edges = contour_.edges;
        contour_.edges = contour_.changes;
        contour_.changes = edges;
    }
    [[nodiscard]] POLLARD_DEVICE bool isLong(const ContourNode* nodes, std::uint32_t count, std::uint32_t i) const {
        return extentOf(nodes[i], nodes[nodeAfter(i, count)]) > static_cast<std::int64_t>(input_.minLength);
    }

    /// All long edges split at once into `tried`, as many as may be and as fit; rank becomes twice the new number of
    /// each node, and 1 more if a node follows. @return number of nodes, fitting or not
    [[nodiscard]] POLLARD_DEVICE std::uint32_t countAtOnce() {
        const std::uint32_t count = contour_.count;
        const std::uint32_t most = input_.maxNodes - count;
        std::uint32_t before = 0; // long edges
        for (std::uint32_t base = 0; base < count; base += scratch_.threads) {
            const std::uint32_t i = base + threadOfBlock();
            const bool isOneOfThem = i < count && isLong(contour_.nodes, count, i);
            const std::uint32_t longOnes = ballot(isOneOfThem);
            if (laneOfWarp() == 0) {
                scratch_.counts[warpOfBlock()] = countBits(longOnes);
            }
            meetThreads();
            std::uint32_t own = before + countBits(longOnes & ((1U << laneOfWarp()) - 1));
            for (std::uint32_t warp = 0; warp < scratch_.warps(); ++warp) {
                own += warp < warpOfBlock() ? scratch_.counts[warp] : 0;
                before += scratch_.counts[warp];
            }
            meetThreads();
            if (i < count) {
                const bool splits = isOneOfThem && own < most;
                const std::uint32_t place = i + (own < most ? own : most);
                contour_.rank[i] = 2 * place + (splits ? 1 : 0);
                if (place < memory_.capacity) {
                    contour_.tried[place] = contour_.nodes[i];
                }
                if (splits && place + 1 < memory_.capacity) {
                    contour_.tried[place + 1] = middleOf(contour_.nodes[i], contour_.nodes[nodeAfter(i, count)]);
                }
            }
        }
        meetThreads();
        return count + (before < most ? before : most);
    }
    /// Whether no new node of `tried` touches anything, whichever edges are split and whichever not: then the order
    /// does not matter.
    [[nodiscard]] POLLARD_DEVICE bool isFree(std::uint32_t split) {
        const std::uint32_t count = contour_.count;
        bool isFree = true;
        for (std::uint32_t i = team_.block() + team_.blocks() * warpOfBlock(); i < count;
             i += team_.blocks() * scratch_.warps()) {
            const std::uint32_t rank = contour_.rank[i];
            if (rank % 2 == 0) {
                continue;
            }
            const std::uint32_t place = rank / 2 + 1;
            const ContourNode node = contour_.tried[place];
            isFree = isFree && mayJoin(input_.forbidden, contour_.nodes, count, i, nodeAfter(i, count), node) &&
                     mayJoin(RowCountsView{}, contour_.tried, split, place - 1, nodeAfter(place, split), node);
        }
        return !team_.anyOf(!isFree);
    }
    /// One long edge after another, each with the nodes that were put in before; rank as countAtOnce() makes it.
    /// @return number of nodes
    [[nodiscard]] POLLARD_DEVICE std::uint32_t splitOneByOne() {
        ContourNode* const nodes = contour_.tried;
        std::uint32_t count = contour_.count;
        for (std::uint32_t i = threadOfBlock(); i < count; i += scratch_.threads) {
            nodes[i] = contour_.nodes[i];
        }
        meetThreads();
        for (std::uint32_t old = 0; old < contour_.count; ++old) {
            const std::uint32_t i = old + (count - contour_.count);
            const std::uint32_t next = nodeAfter(i, count);
            const ContourNode place = middleOf(nodes[i], nodes[next]);
            const bool splits = count < input_.maxNodes && isLong(nodes, count, i) &&
                                mayJoin(input_.forbidden, nodes, count, i, next, place);
            if (threadOfBlock() == 0) {
                contour_.rank[old] = 2 * i + (splits ? 1 : 0);
            }
            if (!splits) {
                continue;
            }
            for (std::uint32_t end = count; end > i + 1;) {
                const std::uint32_t first = end - i - 1 > scratch_.threads ? end - scratch_.threads : i + 1;
                const std::uint32_t own = first + threadOfBlock();
                const ContourNode node = own < end ? nodes[own] : ContourNode{};
                meetThreads();
                if (own < end) {
                    nodes[own + 1] = node;
                }
                meetThreads();
                end = first;
            }
            if (threadOfBlock() == 0) {
                nodes[i + 1] = place;
            }
            ++count;
            meetThreads();
        }
        meetThreads();
        return count;
    }

    /// A change was accepted.
    POLLARD_DEVICE void tell(SnakeStep kind, std::uint32_t reach) {
        ++progress_.round;
        write(kind, reach);
    }
    POLLARD_DEVICE void write(SnakeStep kind, std::uint32_t reach) {
        const StateHead head{kind, progress_.round, reach, contour_.count, contour_.energy, contour_.inside};
        const bool isKept = trail_.last == nullptr || kind == SnakeStep::start;
        if (team_.block() == 0) {
            writeState(isKept ? trail_.words + written_ : trail_.last, head, contour_.nodes, scratch_.threads);
        }
        written_ += trail_.last == nullptr ? trailWords(contour_.count) : 0;
    }

    const SnakeInput<Image>& input_;
    const SnakeTeamMemory& memory_;
    const SnakeTrail& trail_;
    SnakeScratch scratch_;
    Team team_;
    BlockContour contour_;
    SnakeProgress progress_{};
    std::uint64_t written_ = 0; ///< words of the trail
    std::uint32_t turn_ = 0;
};

} // namespace pollard::cuda
