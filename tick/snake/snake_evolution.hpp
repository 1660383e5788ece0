#pragma once

#include "snake/edge_splits.hpp"
#include "snake/joint_moves.hpp"
#include "snake/place_measures.hpp"
#include "snake/snake_team.hpp"
#include "snake/snake_work.hpp"
#include "snake/state_trail.hpp"

#include <cstddef>
#include <cstdint>

#include <cstdio>
namespace pollard::cuda {

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
/// block chooses the moves that are better than both neighbours' and accepts them, or their better half, and so on. As
/// shorter steps are only taken where no longer one is a gain, and nothing has changed by then, a round looks at
/// several lengths of steps where that takes no more time than one.
/// @tparam Team BlockTeam or GridTeam
template <class Image, class Team> class SnakeEvolution {
public:
    /// Works on what is at these places, with all threads of the team.
    /// @param table of the logarithm, the input's or a copy
    POLLARD_DEVICE SnakeEvolution(const SnakeInput<Image>& input, const TableLog::Entry* table,
                                  const SnakeTeamMemory& memory, const SnakeTrail& trail, const Team& team,
                                  const SnakeScratch& scratch, const BlockContour& contour)
        : trail_(trail), work_{input, input.rules, memory, scratch, team, contour}, measures_(work_) {
        work_.rules.energy.table = table;
    }
    SnakeEvolution(const SnakeEvolution&) = delete;
    SnakeEvolution& operator=(const SnakeEvolution&) = delete;

    POLLARD_DEVICE void run() {
        l_=clock64(); takeUp(); tick(8);
        EdgeSplits<Image, Team> splits(work_);
        while (hasRoomFor(work_.contour.count)) {
            if (work_.input.maxRounds != 0 && progress_.round >= work_.input.maxRounds) {
                progress_.finished = 1;
            }
            if (progress_.finished != 0) {
                break;
            }
            if (progress_.halvings < steps_) {
                if (!moveOrShorten()) {
                    break; // the host asks for it
                }
                continue;
            }
            const std::uint32_t most = splits.tryAll();
            if (!hasRoomFor(most)) {
                progress_.wanted = most;
                break;
            }
            const bool did_ = splits.split(most); ++n_[2]; tick(6);
            if (did_) {
                progress_.moved = 0;
                progress_.halvings = 0;
                work_.contour.forget(work_.scratch.threads);
                tell(SnakeStep::split, 0);
            } else if (progress_.moved != 0) {
                progress_.moved = 0;
                progress_.halvings = 0;
            } else {
                progress_.finished = 1;
            }
        }
        putDown(); if(threadOfBlock()==0&&(work_.team.block()==0||tells())) printf("      block %u rounds %u fails %u splits %u kcyc: measure %lld best %lld unite %lld picks %lld joint %lld tell %lld split %lld other %lld up %lld\n",work_.team.block(),n_[0],n_[1],n_[2],t_[0]/1000,t_[1]/1000,t_[2]/1000,t_[3]/1000,t_[4]/1000,t_[5]/1000,t_[6]/1000,t_[7]/1000,t_[8]/1000);
    }

private:
    static constexpr std::uint32_t kStop = 1U << 31U; ///< among the bits that tell at which steps there is a move
    static constexpr std::uint32_t kMostAtOnce = 31;  ///< lengths of steps

    /// The block that talks to the host: if there are fewer nodes than blocks, one that has none.
    [[nodiscard]] POLLARD_DEVICE bool tells() const { return work_.team.block() + 1 == work_.team.blocks(); }

    /// For a next state of so many nodes.
    [[nodiscard]] POLLARD_DEVICE bool hasRoomFor(std::uint32_t nodes) const {
        return nodes <= work_.memory.capacity && written_ + trailWords(nodes) <= trail_.size;
    }

    POLLARD_DEVICE void takeUp() {
        BlockContour& contour = work_.contour;
        progress_ = *work_.memory.progress;
        progress_.wanted = 0;
        contour.count = progress_.count;
        for (std::uint32_t i = threadOfBlock(); i < contour.count; i += work_.scratch.threads) {
            contour.nodes[i] = work_.memory.nodes[i];
        }
        contour.forget(work_.scratch.threads);
        work_.measureEdges(contour.count, [](std::uint32_t edge) { return edge; });
        if (progress_.isNew != 0) {
            progress_.isNew = 0;
            write(SnakeStep::start, 0);
        }
    }
    POLLARD_DEVICE void putDown() {
        if (!tells()) {
            return;
        }
        for (std::uint32_t i = threadOfBlock(); i < work_.contour.count; i += work_.scratch.threads) {
            work_.memory.nodes[i] = work_.contour.nodes[i];
        }
        if (threadOfBlock() == 0) {
            progress_.count = work_.contour.count;
            *work_.memory.progress = progress_;
        }
    }

    /// Blocks that measure a node together, a power of two: 1 unless there are two for every node.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t sharesOf(std::uint32_t count) const {
        std::uint32_t shares = 1;
        while (2 * shares * count <= work_.team.blocks()) {
            shares *= 2;
        }
        return shares;
    }
    /// Lengths of steps that the next round looks at.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t stepsAtOnce(std::uint32_t shares) const {
        const std::uint32_t nodes = (work_.contour.count - 1) / work_.team.blocks() + 1;
        std::uint32_t most = shares > 1 ? 1 : work_.memory.placesAtOnce * work_.scratch.warps() / nodes;
        const std::uint32_t left = steps_ - progress_.halvings;
        most = most < left ? most : left;
        const std::uint32_t room = measures_.roomFrom(progress_.halvings);
        most = most < room ? most : room;
        return most < 1 ? 1 : most < kMostAtOnce ? most : kMostAtOnce;
    }

    /// @return false if the host asks to stop; then nothing changes
    [[nodiscard]] POLLARD_DEVICE bool moveOrShorten() {
        BlockContour& contour = work_.contour;
        const SnakeTeamMemory& memory = work_.memory;
        const std::uint32_t count = contour.count;
        const std::uint32_t block = work_.team.block();
        // Asked for here and used late, as the answer takes a while.
        const std::uint32_t stop = tells() && threadOfBlock() == 0 ? *trail_.stop : 0;
        measures_.prepare(progress_.halvings);
        const std::uint32_t shares = sharesOf(count);
        const std::uint32_t first = block / shares;
        const OwnPlaces own{first,
                            work_.team.blocks(),
                            first < count ? (count - first - 1) / work_.team.blocks() + 1 : 0,
                            {progress_.halvings, stepsAtOnce(shares)}};
        ++n_[0]; tick(7); measures_.measure(own, shares); tick(0);
        SnakePick* const picks = memory.picks + std::size_t{turn_++ % 2} * memory.steps * memory.capacity;
        std::uint32_t gains = 0;
        for (std::uint32_t i = warpOfBlock(); i < own.count() && block % shares == 0; i += work_.scratch.warps()) {
            const std::uint32_t node = own.node(i);
            const std::uint32_t step = own.step(i);
            const SnakePick pick = bestMove(work_.rules, work_.input.forbidden, contour.nodes, count, node,
                                            reachAt(own.steps.first + step), contour.edges,
                                            measures_.at(node, own.steps, step), contour.inside, contour.energy);
            if (laneOfWarp() == 0) {
                picks[std::size_t{step} * memory.capacity + node] = pick;
            }
            gains |= pick.place >= 0 ? 1U << step : 0;
        }
        tick(1);
        gains = work_.team.unite(gains | (stop != 0 ? kStop : 0), work_.scratch);
        tick(2); n_[1]+= gains==0;
        if ((gains & kStop) != 0) {
            return false;
        }
        if (gains == 0) {
            progress_.halvings += own.steps.count;
            return true;
        }
        const auto longest = static_cast<std::uint32_t>(lowestBit(gains));
        progress_.halvings += longest;
        if (move(picks + std::size_t{longest} * memory.capacity)) {
            tick(4); progress_.moved = 1;
            tell(SnakeStep::move, reachAt(progress_.halvings)); tick(5);
        } else {
            ++progress_.halvings;
        }
        return true;
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t reachAt(std::uint32_t halvings) const {
        return work_.input.maxStep >> halvings;
    }

    /// Moves the nodes whose picks are better than both neighbours'. @return whether any moved
    [[nodiscard]] POLLARD_DEVICE bool move(const SnakePick* picks) {
        BlockContour& contour = work_.contour;
        const std::uint32_t count = contour.count;
        for (std::uint32_t i = threadOfBlock(); i < count; i += work_.scratch.threads) {
            contour.takePick(i, picks[i]);
        }
        meetThreads();
        for (std::uint32_t i = threadOfBlock(); i < count; i += work_.scratch.threads) {
            const bool stays =
                contour.places[i] < 0 || isBeaten(i, nodeBefore(i, count)) || isBeaten(i, nodeAfter(i, count));
            contour.rank[i] = stays ? BlockContour::kNone : 0;
        }
        tick(3);
        return moveJointly(work_.rules, work_.team, contour, picks, reachAt(progress_.halvings), work_.scratch);
    }
    [[nodiscard]] POLLARD_DEVICE bool isBeaten(std::uint32_t node, std::uint32_t by) const {
        return work_.contour.places[by] >= 0 && work_.contour.isBetter(by, node);
    }

    /// A change was accepted.
    POLLARD_DEVICE void tell(SnakeStep kind, std::uint32_t reach) {
        ++progress_.round;
        write(kind, reach);
    }
    POLLARD_DEVICE void write(SnakeStep kind, std::uint32_t reach) {
        const BlockContour& contour = work_.contour;
        const StateHead head{kind, progress_.round, reach, contour.count, contour.energy, contour.inside};
        const bool isKept = trail_.last == nullptr || kind == SnakeStep::start;
        if (tells()) {
            writeState(isKept ? trail_.words + written_ : trail_.last, head, contour.nodes, work_.scratch.threads);
        }
        written_ += trail_.last == nullptr ? trailWords(contour.count) : 0;
    }

    long long t_[10]={}; long long l_=0; unsigned n_[6]={};
    POLLARD_DEVICE void tick(int k){ if(threadOfBlock()==0){ long long c=clock64(); t_[k]+=c-l_; l_=c; } }
    const SnakeTrail& trail_;
    SnakeWork<Image, Team> work_;
    PlaceMeasures<Image, Team> measures_;
    SnakeProgress progress_{};
    std::uint32_t steps_ = SnakeTeamMemory::stepsOf(work_.input.maxStep); ///< lengths that there are
    std::uint64_t written_ = 0;                                           ///< words of the trail
    std::uint32_t turn_ = 0;
};

} // namespace pollard::cuda
