#pragma once

#include "base/table_log.hpp"
#include "cuda/snake/edge_splits.hpp"
#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/prefix_image.hpp"
#include "cuda/snake/snake_team.hpp"
#include "cuda/snake/snake_work.hpp"
#include "cuda/snake/state_trail.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Host memory of a run: the states it writes and the stop flag it polls in every round.
struct SnakeTrail {
    std::uint64_t* words;
    std::uint64_t size;  ///< words; at least trailWords(capacity)
    std::uint64_t* last; ///< null, or `size` words for the last state if `words` holds only the start; written once, at
                         ///< the end of the kernel, to keep intermediate states off the bus
    const volatile std::uint32_t* stop;
};

/// The evolution of one contour by local-best moves, in device code. A kernel runs until the evolution ends, the trail
/// is full, the contour outgrows its memory, or the host requests a stop; the next kernel resumes.
///
/// In a round, warps measure the edges from and to the places around each node for all step lengths (valid measurements
/// are kept; if nodes are few, several blocks share one) and find the node's best move. After a barrier of the team
/// every block selects the moves that are better than the moves of both neighbours, and accepts all of these or their
/// better half, and so on.
/// @tparam Team BlockTeam or GridTeam
template <class Image, class Team> class SnakeEvolution {
public:
    /// Works with all threads of the team. References must outlive the object.
    /// @param table logarithms: the table of the input or a copy
    POLLARD_DEVICE SnakeEvolution(const SnakeInput<Image>& input, const TableLog::Entry* table,
                                  const SnakeTeamMemory& memory, const SnakeTrail& trail, const Team& team,
                                  const SnakeScratch& scratch, const BlockContour& contour)
        : trail_(trail), work_{input, input.rules, memory, scratch, team, contour} {
        work_.rules.energy.table = table;
    }
    SnakeEvolution(const SnakeEvolution&) = delete;
    SnakeEvolution& operator=(const SnakeEvolution&) = delete;

    POLLARD_DEVICE void run() {
        load();
        EdgeSplits<Image, Team> splits(work_);
        while (hasRoomFor(work_.contour.count)) {
            if (work_.input.maxRounds != 0 && progress_.round >= work_.input.maxRounds) {
                progress_.finished = 1;
            }
            if (progress_.finished != 0) {
                break;
            }
            if (progress_.halvings < steps_) {
                if (!moveIfAny()) {
                    break; // the host requests a stop
                }
                continue;
            }
            const std::uint32_t most = splits.tryAll();
            if (!hasRoomFor(most)) {
                progress_.wanted = most;
                break;
            }
            const bool wasShortest = progress_.shortest == 1;
            progress_.shortest = shorterStep(progress_.shortest);
            if (splits.split(most)) {
                progress_.moved = 0;
                progress_.halvings = 0;
                arrange();
                tell(SnakeStep::split, 0);
            } else if (progress_.moved != 0 || !wasShortest) {
                progress_.moved = 0;
                progress_.halvings = 0;
            } else {
                progress_.finished = 1;
            }
        }
        storeProgress();
    }

private:
    static constexpr std::uint32_t kStop = 1U << 31U; ///< the host's stop request, beside the bits of step lengths

    /// Whether contour memory and trail can hold a next state of @p nodes nodes.
    [[nodiscard]] POLLARD_DEVICE bool hasRoomFor(std::uint32_t nodes) const {
        return nodes <= work_.memory.capacity && written_ + trailWords(nodes) <= trail_.size;
    }

    POLLARD_DEVICE void load() {
        BlockContour& contour = work_.contour;
        progress_ = *work_.memory.progress;
        progress_.wanted = 0;
        contour.count = progress_.count;
        for (std::uint32_t i = threadOfBlock(); i < contour.count; i += work_.scratch.threads) {
            contour.nodes[i] = work_.memory.nodes[i];
            contour.slots[i] = i;
        }
        contour.forget(work_.scratch.threads);
        work_.measureEdges(contour.count, [](std::uint32_t edge) { return edge; });
        arrange();
        if (progress_.isNew != 0) {
            progress_.isNew = 0;
            write(SnakeStep::start, 0);
        }
    }
    POLLARD_DEVICE void storeProgress() {
        if (!work_.team.writesToHost()) {
            return;
        }
        for (std::uint32_t i = threadOfBlock(); i < work_.contour.count; i += work_.scratch.threads) {
            work_.memory.nodes[i] = work_.contour.nodes[i];
        }
        if (threadOfBlock() == 0) {
            progress_.count = work_.contour.count;
            *work_.memory.progress = progress_;
        }
        if (trail_.last != nullptr && hasChanged_) {
            writeState(trail_.last, head(lastKind_, lastReach_), work_.contour.nodes, work_.scratch.threads);
        }
    }

    /// Distributes the nodes over the blocks.
    POLLARD_DEVICE void arrange() {
        const std::uint32_t count = work_.contour.count;
        const std::uint32_t workers = work_.team.workers();
        shares_ = 1;
        while (2 * shares_ * count <= workers) {
            shares_ *= 2;
        }
        const std::uint32_t first = work_.team.block() / shares_;
        const bool works = first < count && work_.team.block() < workers;
        own_ = {first, workers, works ? (count - first - 1) / workers + 1 : 0, {}};
    }

    /// Moves nodes, or makes the next split due if no move gains.
    /// @return false if the host requests a stop; then nothing changes
    [[nodiscard]] POLLARD_DEVICE bool moveIfAny() {
        BlockContour& contour = work_.contour;
        const SnakeTeamMemory& memory = work_.memory;
        const std::uint32_t count = contour.count;
        const std::uint32_t stop = work_.team.writesToHost() && threadOfBlock() == 0 ? *trail_.stop : 0;
        own_.steps = {progress_.halvings,
                      steps_ - SnakeTeamMemory::stepsOf(progress_.shortest) + 1 - progress_.halvings};
        PlaceMeasures::measure(work_, own_, shares_);
        SnakePick* const picks = memory.picks + std::size_t{turn_++ % 2} * memory.capacity;
        const std::uint32_t chosen = choosePicks(picks);
        SnakePick first{-1, 0, 0, {}, {}}; // of the thread's first node
        const std::uint32_t gains = work_.team.unite(chosen | (stop != 0 ? kStop : 0), work_.scratch, [&] {
            if (threadOfBlock() < count) {
                first = picks[threadOfBlock()];
            }
        });
        if ((gains & kStop) != 0) {
            return false;
        }
        if (gains == 0) {
            progress_.halvings = steps_;
            return true;
        }
        progress_.halvings += static_cast<std::uint32_t>(lowestBit(gains));
        if (move(picks, first)) {
            progress_.moved = 1;
            tell(SnakeStep::move, reachAt(progress_.halvings));
        } else {
            progress_.halvings = steps_;
        }
        return true;
    }
    /// Finds the best move of each of the block's nodes: one warp per node and step length, then one warp per node.
    /// @param picks of all nodes
    /// @return a bit for each step length chosen by a node of the warp
    [[nodiscard]] POLLARD_DEVICE std::uint32_t choosePicks(SnakePick* picks) const {
        const BlockContour& contour = work_.contour;
        const SnakeTeamMemory& memory = work_.memory;
        if (work_.team.block() % shares_ != 0) {
            return 0;
        }
        SnakePick* const ofSteps = memory.picks + std::size_t{2} * memory.capacity;
        for (std::uint32_t i = warpOfBlock(); i < own_.count(); i += work_.scratch.warps()) {
            const std::uint32_t node = own_.node(i);
            const std::uint32_t step = own_.step(i);
            const SnakePick pick =
                bestMove(work_.rules, work_.input.forbidden, contour, node, reachAt(own_.steps.first + step),
                         PlaceMeasures::at(memory, contour.slots[node], own_.steps, step));
            if (laneOfWarp() == 0) {
                ofSteps[std::size_t{step} * memory.capacity + node] = pick;
            }
        }
        meetThreads();
        std::uint32_t chosen = 0;
        for (std::uint32_t i = warpOfBlock(); i < own_.nodes; i += work_.scratch.warps()) {
            const std::uint32_t node = own_.first + i * own_.stride;
            const std::uint32_t step = bestLength(ofSteps + node, own_.steps.count, memory.capacity);
            chosen |= step < kWarpThreads ? 1U << step : 0;
            if (laneOfWarp() == 0) {
                picks[node] = ofSteps[std::size_t{step < kWarpThreads ? step : 0} * memory.capacity + node];
            }
        }
        return chosen;
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t reachAt(std::uint32_t halvings) const {
        return work_.input.maxStep >> halvings;
    }

    /// Moves the nodes whose picks are better than the picks of both neighbours.
    /// @param first pick of the thread's first node
    /// @return whether any node moved
    [[nodiscard]] POLLARD_DEVICE bool move(const SnakePick* picks, const SnakePick& first) {
        BlockContour& contour = work_.contour;
        const std::uint32_t count = contour.count;
        const std::uint32_t thread = threadOfBlock();
        if (thread < count) {
            contour.takePick(thread, first);
        }
        for (std::uint32_t i = thread + work_.scratch.threads; i < count; i += work_.scratch.threads) {
            contour.takePick(i, picks[i]);
        }
        meetThreads();
        for (std::uint32_t i = thread; i < count; i += work_.scratch.threads) {
            const bool stays =
                contour.places[i] < 0 || isBeaten(i, nodeBefore(i, count)) || isBeaten(i, nodeAfter(i, count));
            contour.rank[i] = stays ? BlockContour::kNone : 0;
        }
        const std::uint32_t moved = moveJointly(work_.rules, work_.team, contour, picks, work_.scratch);
        for (std::uint32_t i = thread; i < count; i += work_.scratch.threads) {
            if (contour.rank[i] < moved) {
                storeSame(contour.known + contour.slots[nodeBefore(i, count)], 0U);
                storeSame(contour.known + contour.slots[i], 0U);
                storeSame(contour.known + contour.slots[nodeAfter(i, count)], 0U);
            }
        }
        meetThreads();
        return moved != 0;
    }
    [[nodiscard]] POLLARD_DEVICE bool isBeaten(std::uint32_t node, std::uint32_t by) const {
        return work_.contour.places[by] >= 0 && work_.contour.isBetter(by, node);
    }

    /// Counts and reports an accepted change.
    POLLARD_DEVICE void tell(SnakeStep kind, std::uint32_t reach) {
        ++progress_.round;
        write(kind, reach);
    }
    POLLARD_DEVICE void write(SnakeStep kind, std::uint32_t reach) {
        if (trail_.last != nullptr && kind != SnakeStep::start) {
            hasChanged_ = true;
            lastKind_ = kind;
            lastReach_ = reach;
            return;
        }
        if (work_.team.writesToHost()) {
            writeState(trail_.words + written_, head(kind, reach), work_.contour.nodes, work_.scratch.threads);
        }
        written_ += trail_.last == nullptr ? trailWords(work_.contour.count) : 0;
    }
    [[nodiscard]] POLLARD_DEVICE StateHead head(SnakeStep kind, std::uint32_t reach) const {
        const BlockContour& contour = work_.contour;
        return {kind, progress_.round, reach, contour.count, contour.energy, contour.inside};
    }

    const SnakeTrail& trail_;
    SnakeWork<Image, Team> work_;
    SnakeProgress progress_{};
    std::uint32_t steps_ = SnakeTeamMemory::stepsOf(work_.input.maxStep); ///< number of step lengths
    std::uint64_t written_ = 0;                                           ///< words of the trail in use
    SnakeStep lastKind_ = SnakeStep::start;                               ///< of the last state, if trail_.last is set
    std::uint32_t lastReach_ = 0;
    bool hasChanged_ = false; ///< since the start of the kernel, if trail_.last is set
    std::uint32_t turn_ = 0;
    std::uint32_t shares_ = 1; ///< blocks that measure a node together: a power of two, 1 unless nodes are few
    OwnPlaces own_{};
};

/// Copies the table of logarithms to shared memory. Called by all threads, which need a barrier before they use it.
POLLARD_DEVICE inline const TableLog::Entry* nearTable(const TableLog::Entry* table, std::uint32_t* memory,
                                                       std::uint32_t threads) {
    auto* const near = reinterpret_cast<TableLog::Entry*>(memory);
    for (std::uint32_t i = threadOfBlock(); i < TableLog::kSize; i += threads) {
        near[i] = table[i];
    }
    return near;
}
inline constexpr std::size_t kTableBytes = TableLog::kSize * sizeof(TableLog::Entry);

/// The evolution of one contour by local-best moves in one cooperative kernel; see SnakeEvolution.
template <class Image> struct EvolveSnake {
    PassThreads state;
    SnakeInput<Image> input;
    SnakeTeamMemory memory;
    SnakeTrail trail;
    std::uint32_t blocks; ///< resident at once, so that they can meet

    /// Shared memory of a block without the contour, bytes.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t bytes(std::uint32_t threads) noexcept {
        return kTableBytes + SnakeScratch::bytes(threads);
    }

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        const TableLog::Entry* const table = nearTable(input.rules.energy.table, shared, state.threads);
        const SnakeScratch scratch(shared + kTableBytes / sizeof(std::uint32_t), state.threads);
        auto* const contours = memory.contours != nullptr
                                   ? memory.contours + std::size_t{blockOfGrid()} * BlockContour::bytes(memory.capacity)
                                   : reinterpret_cast<unsigned char*>(shared) + bytes(state.threads);
        SnakeEvolution<Image, GridTeam>(input, table, memory, trail, GridTeam(blocks, memory.flags), scratch,
                                        BlockContour::in(contours, memory.capacity))
            .run();
    }
};

} // namespace pollard::cuda
