#pragma once

#include "cuda/snake/snake_evolution.hpp"
#include "cuda/snake/snake_field.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::cuda {

/// Runs a snake by EvolveSnake (docs/algorithms.md, "one-kernel"): the host reads the states while the kernel writes
/// them.
template <class Machine, class Prefix> class OneKernel {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    static constexpr SnakeMoves kMoves = SnakeMoves::localBest;

    /// Allocates the memory that does not depend on the image.
    /// @param start usedStart()
    OneKernel(Machine& machine, const SnakeHostInput& host, const SnakeTuning& tuning, Contour start)
        : machine_(machine), host_(host), tuning_(tuning), start_(std::move(start)), progress_(make<SnakeProgress>(1)),
          flags_(make<std::uint32_t>(GridTeam::kFlags)), pass_{{tuning.nodeThreads},
                                                               {},
                                                               {},
                                                               {nullptr, 0, nullptr, machine.stopFlag()},
                                                               1} {
        grow(0, std::max(static_cast<std::uint32_t>(start_.size()), tuning.firstNodes));
    }

    /// @param listener see SnakeListener
    /// @return the last state
    [[nodiscard]] SnakeState run(const SnakeField<Machine, Prefix>& field, const SnakeListener& listener) {
        pass_.input = field.input();
        SnakeProgress progress{
            static_cast<std::uint32_t>(start_.size()), 0, 0, 0, 1, 0, 0, shorterStep(host_.spec.maxStep)};
        machine_.upload(nodes_.data(), start_.data(), start_.size());
        machine_.upload(progress_.data(), &progress, 1);
        TrailReader reader(trail_.data(), pass_.trail.size, pass_.input.rules.all);
        try {
            while (progress.finished == 0) {
                if (progress.wanted > pass_.memory.capacity) {
                    grow(progress.count, std::max(progress.wanted, 2 * pass_.memory.capacity));
                    reader = TrailReader(trail_.data(), pass_.trail.size, pass_.input.rules.all);
                }
                reader.rewind();
                machine_.fill(flags_.data(), GridTeam::kFlags, 0);
                machine_.team(pass_, bytes_);
                for (bool isBusy = true; isBusy;) {
                    isBusy = machine_.isBusy(); // states written after this query are read in the next round
                    if (!read(reader, listener)) {
                        machine_.stop();
                        return std::move(state_);
                    }
                }
                machine_.readBack(&progress, progress_.data(), 1);
            }
        } catch (...) {
            machine_.stop();
            throw;
        }
        machine_.finish("evolution");
        return std::move(state_);
    }

private:
    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count) {
        return machine_.template make<T>(count, "a snake");
    }
    /// Reads all complete states. @return whether to continue
    [[nodiscard]] bool read(TrailReader& reader, const SnakeListener& listener) {
        while (std::optional<SnakeState> state = reader.read(nextRound_)) {
            if (state->kind == SnakeStep::start) {
                requireRoom(state->nodes, state->inside, state->outside, host_.spec, host_.forbidden);
            }
            ++nextRound_;
            state_ = std::move(*state);
            if (listener && !listener(0, state_)) {
                return false;
            }
            machine_.throwIfStopped();
        }
        return true;
    }

    /// Grows the capacity to @p wanted nodes, within the limit, and keeps the current @p count nodes.
    void grow(std::uint32_t count, std::uint32_t wanted) {
        const std::uint32_t capacity =
            std::max(std::min(wanted, host_.spec.maxNodes), static_cast<std::uint32_t>(start_.size()));
        auto nodes = make<ContourNode>(capacity);
        if (count != 0) {
            std::vector<ContourNode> kept(count);
            machine_.readBack(kept.data(), nodes_.data(), count);
            machine_.upload(nodes.data(), kept.data(), count);
        }
        nodes_ = std::move(nodes);
        const std::uint32_t steps = SnakeTeamMemory::stepsOf(host_.spec.maxStep);
        edges_ = make<RegionSums>(capacity);
        candidates_ = make<RegionSums>(std::size_t{kEdgesOfNode} * steps * capacity);
        picks_ = make<SnakePick>(SnakeTeamMemory::picksOf(capacity, steps));
        marks_ = make<std::int32_t>(capacity);
        bytes_ = EvolveSnake<Prefix>::bytes(tuning_.nodeThreads);
        const std::size_t contour = BlockContour::bytes(capacity);
        const bool isShared = bytes_ + contour <= machine_.sharedBytes();
        bytes_ += isShared ? contour : 0;
        pass_.blocks = machine_.teamBlocks(pass_, tuning_.teamBlocks, bytes_);
        shares_ = make<RegionSums>(std::size_t{kEdgesOfNode} * steps * pass_.blocks);
        contours_ = {};
        if (!isShared) {
            contours_ = make<unsigned char>(pass_.blocks * contour);
        }
        pass_.trail.size = std::max<std::uint64_t>(tuning_.trailStates, 2) * trailWords(capacity);
        trail_ = machine_.template makeHost<std::uint64_t>(pass_.trail.size, "the states of a snake");
        pass_.trail.words = trail_.data();
        pass_.memory = {progress_.data(),   nodes_.data(),  edges_.data(),
                        candidates_.data(), shares_.data(), picks_.data(),
                        marks_.data(),      flags_.data(),  isShared ? nullptr : contours_.data(),
                        capacity,           steps};
    }

    Machine& machine_;
    SnakeHostInput host_;
    SnakeTuning tuning_;
    Contour start_;
    Buffer<SnakeProgress> progress_;
    Buffer<std::uint32_t> flags_;
    Buffer<ContourNode> nodes_;
    Buffer<RegionSums> edges_;
    Buffer<RegionSums> candidates_;
    Buffer<RegionSums> shares_;
    Buffer<SnakePick> picks_;
    Buffer<std::int32_t> marks_;
    Buffer<unsigned char> contours_;
    typename Machine::template HostBuffer<std::uint64_t> trail_;
    EvolveSnake<Prefix> pass_;
    std::size_t bytes_ = 0; ///< shared memory of a block
    SnakeState state_;
    std::uint32_t nextRound_ = 0;
};

} // namespace pollard::cuda
