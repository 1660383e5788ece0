#pragma once

#include "cuda/snake/seed_passes.hpp"
#include "cuda/snake/snake_field.hpp"
#include "snake/snake_job.hpp"
#include "snake/snake_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

namespace pollard::cuda {

/// Runs a snake as in Perrot's slides (docs/algorithms.md, "seed-gpu"): the host loops over step lengths, classes of
/// nodes and splits, and waits after each class to learn whether it moved.
template <class Machine, class Prefix> class SeedLoop {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    static constexpr SnakeMoves kMoves = SnakeMoves::parity;

    /// Allocates the memory that does not depend on the image.
    /// @param start usedStart()
    SeedLoop(Machine& machine, const SnakeHostInput& host, const SnakeTuning& tuning, Contour start)
        : machine_(machine), host_(host), tuning_(tuning),
          contour_(make<unsigned char>(BlockContour::bytes(host.spec.maxNodes))),
          picks_(make<SnakePick>(host.spec.maxNodes)),
          trail_(machine.template makeHost<std::uint64_t>(trailWords(host.spec.maxNodes), "the state of a snake")) {
        state_.nodes = std::move(start);
    }

    /// @param listener see SnakeListener
    /// @return the last state
    [[nodiscard]] SnakeState run(const SnakeField<Machine, Prefix>& field, const SnakeListener& listener) {
        input_ = field.input();
        try {
            state_ = setContour(state_.nodes, SnakeStep::start, 0);
            requireRoom(state_.nodes, state_.inside, state_.outside, host_.spec, host_.forbidden);
            while ((!listener || listener(0, state_)) && advance()) {
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
    [[nodiscard]] static std::size_t bytes(std::uint32_t threads) noexcept { return SnakeScratch::bytes(threads); }
    [[nodiscard]] SeedContour contour() noexcept {
        return {contour_.data(), host_.spec.maxNodes, static_cast<std::uint32_t>(state_.nodes.size()),
                state_.inside,   state_.energy,       host_.spec.lengthPrice != 0 ? fineLength(state_.nodes) : 0};
    }

    [[nodiscard]] bool advance() {
        if (host_.spec.maxRounds != 0 && state_.round >= host_.spec.maxRounds) {
            return false;
        }
        for (;;) {
            if (reach_ > 0) {
                if (moveSome()) {
                    moved_ = true;
                    return true;
                }
                reach_ /= 2;
            } else if (split()) {
                moved_ = false;
                return true;
            } else if (std::exchange(moved_, false)) {
                reach_ = host_.spec.maxStep;
            } else {
                return false;
            }
        }
    }

    /// Tries one class after another until one moves or none can.
    [[nodiscard]] bool moveSome() {
        const auto count = static_cast<std::uint32_t>(state_.nodes.size());
        const std::uint32_t classes = count % 2 == 0 ? 2 : 3;
        const std::uint32_t warps = SnakeScratch::warpsOf(tuning_.nodeThreads);
        for (std::uint32_t resting = 0; resting < classes; ++resting) {
            const NodeClass nodes{class_};
            class_ = (class_ + 1) % classes;
            require(sums_, std::size_t{kEdgesOfNode} * nodes.size(count));
            measure(nodes, reach_, nodes.size(count) * kEdgesOfNode, sums_.data());
            machine_.blocks(
                EvaluateMoves<Prefix>{
                    {tuning_.nodeThreads}, input_, contour(), nodes, reach_, sums_.data(), picks_.data()},
                (nodes.size(count) + warps - 1) / warps, bytes(tuning_.nodeThreads));
            trail_.data()[0] = 0;
            machine_.blocks(MoveClass<Prefix>{{tuning_.nodeThreads},
                                              input_,
                                              contour(),
                                              nodes,
                                              reach_,
                                              state_.round + 1,
                                              picks_.data(),
                                              trail_.data()},
                            1, bytes(tuning_.nodeThreads));
            machine_.wait();
            if (std::optional<SnakeState> state = readState(state_.round + 1)) {
                state_ = std::move(*state);
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool split() {
        SplitContour split = splitLongEdges(state_.nodes, host_.spec, host_.forbidden);
        if (split.nodes.size() == state_.nodes.size()) {
            return false;
        }
        SnakeState before = state_;
        state_ = setContour(std::move(split.nodes), SnakeStep::split, state_.round + 1);
        if (state_.energy >= SnakeRules::kTooSmall) { // rounding removed the last pixels of a small region
            static_cast<void>(setContour(before.nodes, before.kind, before.round));
            state_ = std::move(before);
            reach_ = 0;
            return false;
        }
        return true;
    }

    /// Uploads a new contour and returns its state.
    [[nodiscard]] SnakeState setContour(Contour nodes, SnakeStep kind, std::uint32_t round) {
        state_.nodes = std::move(nodes);
        const auto count = static_cast<std::uint32_t>(state_.nodes.size());
        const BlockContour view = BlockContour::in(contour_.data(), host_.spec.maxNodes);
        machine_.upload(view.nodes, state_.nodes.data(), count);
        measure({}, 0, count, view.edges);
        trail_.data()[0] = 0;
        machine_.blocks(WriteNewContour<Prefix>{{tuning_.nodeThreads}, input_, contour(), kind, round, trail_.data()},
                        1, bytes(tuning_.nodeThreads));
        machine_.wait();
        reach_ = host_.spec.maxStep;
        class_ = 0;
        return *readState(round);
    }

    /// Runs kernel1 and kernel2.
    /// @param reach px; 0: measures the edges
    void measure(NodeClass nodes, std::uint32_t reach, std::uint32_t segments, RegionSums* sums) {
        const std::uint32_t chunks = mostRows(nodes, reach) / tuning_.segmentThreads + 1;
        require(parts_, std::size_t{segments} * chunks);
        machine_.blocks(
            MeasureSegments<Prefix>{{tuning_.segmentThreads}, input_, contour(), nodes, reach, chunks, parts_.data()},
            segments * chunks, bytes(tuning_.segmentThreads));
        machine_.each(SumSegments{parts_.data(), chunks, sums}, segments);
    }
    void require(Buffer<RegionSums>& buffer, std::size_t count) {
        if (buffer.size() < count) {
            buffer = {};
            buffer = make<RegionSums>(count);
        }
    }
    /// Upper bound of the rows of the longest segment.
    [[nodiscard]] std::uint32_t mostRows(NodeClass nodes, std::uint32_t reach) const {
        const auto count = static_cast<std::uint32_t>(state_.nodes.size());
        std::uint32_t most = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t next = nodeAfter(i, count);
            if (reach == 0 || NodeClass::of(i, count) == nodes.number || NodeClass::of(next, count) == nodes.number) {
                const std::int32_t rows = std::abs(state_.nodes[i].y - state_.nodes[next].y);
                most = std::max(most, static_cast<std::uint32_t>(rows) + reach);
            }
        }
        return most;
    }
    [[nodiscard]] std::optional<SnakeState> readState(std::uint32_t round) {
        return TrailReader(trail_.data(), trailWords(host_.spec.maxNodes), input_.rules.all).read(round);
    }

    Machine& machine_;
    SnakeInput<Prefix> input_;
    SnakeHostInput host_;
    SnakeTuning tuning_;
    Buffer<unsigned char> contour_;
    Buffer<SnakePick> picks_;
    Buffer<RegionSums> parts_;
    Buffer<RegionSums> sums_;
    typename Machine::template HostBuffer<std::uint64_t> trail_;
    SnakeState state_;
    std::uint32_t reach_ = 0;
    std::uint32_t class_ = 0; ///< next class to try
    bool moved_ = false;      ///< since the last split
};

} // namespace pollard::cuda
