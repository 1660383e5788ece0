#pragma once

#include "snake/apart_snakes.hpp"
#include "snake/evolve_apart.hpp"
#include "snake/snake_field.hpp"
#include "snake/snake_start.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::cuda {

/// Runs several contours apart from each other, many at once, by EvolveApart (docs/algorithms.md, "one-kernel").
template <class Machine, class Prefix> class ApartEvolution {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    /// @param starts usedStarts()
    ApartEvolution(Machine& machine, const SnakeHostInput& host, const SnakeTuning& tuning,
                   const std::vector<ApartSnake>& snakes, const std::vector<Contour>& starts)
        : machine_(machine), host_(host), tuning_(tuning), snakes_(snakes), starts_(starts) {}

    /// Device memory of those that are under way at once, with as many nodes as there is room for at first, bytes.
    [[nodiscard]] static std::uint64_t firstBytes(const std::vector<ApartSnake>& snakes,
                                                  const std::vector<Contour>& starts, const SnakeSpec& spec,
                                                  const SnakeTuning& tuning) {
        std::uint64_t most = 0;
        for (std::size_t first = 0; first < starts.size(); first += tuning.atOnce) {
            const std::size_t count = std::min<std::size_t>(tuning.atOnce, starts.size() - first);
            std::size_t nodes = 0;
            std::uint32_t steps = 0;
            for (std::size_t i = first; i < first + count; ++i) {
                nodes = std::max(nodes, starts[i].size());
                steps = std::max(steps, stepsOn(snakes[i].part, spec));
            }
            const std::size_t capacity = std::max<std::size_t>(nodes, std::min(tuning.firstNodesApart, spec.maxNodes));
            const std::uint64_t ofNode = sizeof(ContourNode) +
                                         (1 + std::uint64_t{kEdgesOfNode} * steps) * sizeof(RegionSums) +
                                         SnakeTeamMemory::picksOf(1, steps) * sizeof(SnakePick) + sizeof(std::int32_t);
            const std::uint64_t ofSnake = sizeof(PixelRegion) + sizeof(RegionSums) + sizeof(SnakeProgress) +
                                          sizeof(std::uint32_t) + sizeof(ApartSlot<Prefix>) +
                                          BlockContour::bytes(static_cast<std::uint32_t>(capacity));
            most = std::max(most, count * (capacity * ofNode + ofSnake));
        }
        return most;
    }

    /// @param listener may be empty; then states on the way never leave the device
    /// @return the last state of each
    [[nodiscard]] std::vector<SnakeState> run(const SnakeField<Machine, Prefix>& field,
                                              const ApartSnakesListener& listener) {
        listener_ = &listener;
        std::vector<SnakeState> states;
        states.reserve(snakes_.size());
        for (std::size_t first = 0; first < snakes_.size(); first += tuning_.atOnce) {
            take(first, std::min<std::size_t>(tuning_.atOnce, snakes_.size() - first), field);
            evolve();
            for (Member& member : members_) {
                states.push_back(std::move(member.state));
            }
        }
        machine_.finish("evolution");
        return states;
    }

private:
    /// A contour on its way.
    struct Member {
        std::size_t number; ///< in snakes_
        SnakeInput<Prefix> input;
        SnakeSpec spec;
        Contour nodes; ///< to go on with
        SnakeProgress progress;
        SnakeState state; ///< the last one told
        std::uint32_t nextRound;
    };

    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count) {
        return machine_.template make<T>(count, "snakes");
    }
    /// Lengths of steps of a contour on that part.
    [[nodiscard]] static std::uint32_t stepsOn(const PixelRegion& part, const SnakeSpec& spec) noexcept {
        return SnakeTeamMemory::stepsOf(usedSpec(spec, part.width, part.height).maxStep);
    }

    /// Makes the next contours ready.
    void take(std::size_t first, std::size_t count, const SnakeField<Machine, Prefix>& field) {
        const std::vector<RegionSums> sums = sumsOf(first, count, field);
        members_.clear();
        steps_ = 0;
        std::size_t most = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const PixelRegion& part = snakes_[first + i].part;
            Member member{};
            member.number = first + i;
            member.spec = usedSpec(host_.spec, part.width, part.height);
            member.input = field.input();
            member.input.rules = rulesFor(member.spec, sums[i], part, field.input().rules.energy.table);
            member.input.maxStep = member.spec.maxStep;
            member.nodes = starts_[first + i];
            member.progress = {
                static_cast<std::uint32_t>(member.nodes.size()), 0, 0, 0, 1, 0, 0, shorterStep(member.spec.maxStep)};
            steps_ = std::max(steps_, stepsOn(part, host_.spec));
            most = std::max(most, member.nodes.size());
            members_.push_back(std::move(member));
        }
        capacity_ = 0;
        grow(static_cast<std::uint32_t>(std::max<std::size_t>(most, tuning_.firstNodesApart)));
    }

    [[nodiscard]] std::vector<RegionSums> sumsOf(std::size_t first, std::size_t count,
                                                 const SnakeField<Machine, Prefix>& field) {
        std::vector<PixelRegion> parts;
        for (std::size_t i = 0; i < count; ++i) {
            parts.push_back(snakes_[first + i].part);
        }
        auto places = make<PixelRegion>(count);
        auto results = make<RegionSums>(count);
        machine_.upload(places.data(), parts.data(), count);
        machine_.blocks(SumParts<Prefix>{{tuning_.nodeThreads}, field.input().image, places.data(), results.data()},
                        static_cast<std::uint32_t>(count), SnakeScratch::bytes(tuning_.nodeThreads));
        std::vector<RegionSums> sums(count);
        machine_.readBack(sums.data(), results.data(), count);
        return sums;
    }

    /// Lets all contours of members_ go to their ends.
    void evolve() {
        std::vector<std::uint32_t> open(members_.size());
        std::iota(open.begin(), open.end(), 0U);
        while (!open.empty()) {
            machine_.throwIfStopped();
            machine_.upload(open_.data(), open.data(), open.size());
            machine_.blocks(EvolveApart<Prefix>{{tuning_.nodeThreads}, slots_.data(), open_.data()},
                            static_cast<std::uint32_t>(open.size()), bytes_);
            std::vector<SnakeProgress> progress(members_.size());
            machine_.readBack(progress.data(), progress_.data(), progress.size());
            std::vector<std::uint32_t> left;
            std::uint32_t wanted = 0;
            for (const std::uint32_t i : open) {
                members_[i].progress = progress[i];
                read(i);
                if (progress[i].finished == 0) {
                    left.push_back(i);
                    wanted = std::max(wanted, progress[i].wanted);
                }
            }
            open = std::move(left);
            if (wanted > capacity_) {
                keepNodes();
                grow(std::max(wanted, 2 * capacity_));
            }
        }
    }

    /// What a contour has written since it was read.
    void read(std::uint32_t i) {
        Member& member = members_[i];
        const std::uint64_t* const words = trails_.data() + i * wordsOfSlot();
        TrailReader reader(words, *listener_ ? wordsOfSlot() : wordsOfSlot() / 2, member.input.rules.all);
        const auto take = [&](std::optional<SnakeState> state) {
            if (!state) {
                return false;
            }
            if (state->kind == SnakeStep::start) {
                try {
                    requireRoom(state->nodes, state->inside, state->outside, member.spec, host_.forbidden);
                } catch (const Error& error) {
                    throw errorOfSnake(error, member.number, snakes_.size());
                }
            }
            member.nextRound = state->round + 1;
            member.state = std::move(*state);
            if (*listener_) {
                (*listener_)(member.number, member.state);
            }
            return true;
        };
        while (take(reader.read(member.nextRound))) {
        }
        if (!*listener_ && member.progress.round + 1 > member.nextRound) {
            TrailReader last(words + wordsOfSlot() / 2, wordsOfSlot() / 2, member.input.rules.all);
            take(last.read(member.progress.round));
        }
    }

    /// For states of a contour: of many or large contours fewer fit at once.
    [[nodiscard]] std::uint64_t wordsOfSlot() const noexcept {
        const std::uint64_t fitting = tuning_.trailWordsApart / (members_.size() * trailWords(capacity_));
        const std::uint64_t states = *listener_ ? std::min(tuning_.trailStates, fitting) : 0;
        return std::max<std::uint64_t>(states, 2) * trailWords(capacity_);
    }

    void keepNodes() {
        std::vector<ContourNode> all(members_.size() * capacity_);
        machine_.readBack(all.data(), nodes_.data(), all.size());
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * capacity_);
            members_[i].nodes.assign(first, first + static_cast<std::ptrdiff_t>(members_[i].progress.count));
        }
    }

    /// Makes memory for contours of @p wanted nodes each, or as many as there may be, and puts the members there.
    void grow(std::uint32_t wanted) {
        std::uint32_t most = std::min(wanted, host_.spec.maxNodes);
        for (const Member& member : members_) {
            most = std::max(most, static_cast<std::uint32_t>(member.nodes.size()));
        }
        capacity_ = most;
        const std::size_t count = members_.size();
        const std::size_t all = count * capacity_;
        nodes_ = make<ContourNode>(all);
        edges_ = make<RegionSums>(all);
        candidates_ = make<RegionSums>(std::size_t{kEdgesOfNode} * steps_ * all);
        picks_ = make<SnakePick>(SnakeTeamMemory::picksOf(all, steps_));
        progress_ = make<SnakeProgress>(count);
        marks_ = make<std::int32_t>(all);
        open_ = make<std::uint32_t>(count);
        const std::size_t contour = BlockContour::bytes(capacity_);
        bytes_ = EvolveApart<Prefix>::bytes(tuning_.nodeThreads);
        const bool isShared = bytes_ + contour <= machine_.sharedBytes();
        bytes_ += isShared ? contour : 0;
        contours_ = {};
        if (!isShared) {
            contours_ = make<unsigned char>(count * contour);
        }
        trails_ = machine_.template makeHost<std::uint64_t>(count * wordsOfSlot(), "the states of snakes");
        std::vector<ApartSlot<Prefix>> slots;
        std::vector<ContourNode> nodes(all);
        std::vector<SnakeProgress> progress;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t place = i * capacity_;
            std::uint64_t* const words = trails_.data() + i * wordsOfSlot();
            slots.push_back({members_[i].input,
                             {progress_.data() + i, nodes_.data() + place, edges_.data() + place,
                              candidates_.data() + std::size_t{kEdgesOfNode} * steps_ * place, nullptr,
                              picks_.data() + SnakeTeamMemory::picksOf(place, steps_), marks_.data() + place, nullptr,
                              isShared ? nullptr : contours_.data() + i * contour, capacity_, steps_},
                             {words, *listener_ ? wordsOfSlot() : wordsOfSlot() / 2,
                              *listener_ ? nullptr : words + wordsOfSlot() / 2, machine_.stopFlag()}});
            std::ranges::copy(members_[i].nodes, nodes.begin() + static_cast<std::ptrdiff_t>(place));
            progress.push_back(members_[i].progress);
        }
        slots_ = make<ApartSlot<Prefix>>(count);
        machine_.upload(slots_.data(), slots.data(), count);
        machine_.upload(nodes_.data(), nodes.data(), all);
        machine_.upload(progress_.data(), progress.data(), count);
    }

    Machine& machine_;
    SnakeHostInput host_;
    SnakeTuning tuning_;
    const std::vector<ApartSnake>& snakes_;
    const std::vector<Contour>& starts_;
    const ApartSnakesListener* listener_ = nullptr;
    std::vector<Member> members_; ///< that evolve at once
    std::uint32_t capacity_ = 0;  ///< nodes of each
    std::uint32_t steps_ = 0;     ///< lengths of steps of each, at most
    std::size_t bytes_ = 0;       ///< shared memory of a block
    Buffer<ApartSlot<Prefix>> slots_;
    Buffer<std::uint32_t> open_;
    Buffer<SnakeProgress> progress_;
    Buffer<ContourNode> nodes_;
    Buffer<RegionSums> edges_;
    Buffer<RegionSums> candidates_;
    Buffer<SnakePick> picks_;
    Buffer<std::int32_t> marks_;
    Buffer<unsigned char> contours_;
    typename Machine::template HostBuffer<std::uint64_t> trails_;
};

} // namespace pollard::cuda
