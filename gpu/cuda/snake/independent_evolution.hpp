#pragma once

#include "base/error.hpp"
#include "cuda/snake/evolve_independent.hpp"
#include "cuda/snake/independent_room.hpp"
#include "cuda/snake/snake_field.hpp"
#include "image/pixel_region.hpp"
#include "snake/snake_job.hpp"
#include "snake/snake_start.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::cuda {

/// Runs several independent contours, many at once, by EvolveIndependent (docs/algorithms.md, "one-kernel").
template <class Machine, class Prefix> class IndependentEvolution {
    using Room = IndependentRoom<Machine, Prefix>;

public:
    /// @param starts usedStarts(), one per part
    IndependentEvolution(Machine& machine, const SnakeHostInput& host, const SnakeTuning& tuning,
                         const std::vector<PixelRegion>& parts, const std::vector<Contour>& starts)
        : machine_(machine), host_(host), tuning_(tuning), parts_(parts), starts_(starts) {}

    /// Smallest device memory for a run, bytes: tables of one block, and the initial capacity of nodes. Contours that
    /// outgrow it run fewer at a time if memory is short.
    [[nodiscard]] static std::uint64_t leastBytes(const std::vector<PixelRegion>& parts,
                                                  const std::vector<Contour>& starts, const SnakeSpec& spec,
                                                  const SnakeTuning& tuning) {
        std::uint64_t most = parts.size() * (sizeof(PixelRegion) + sizeof(RegionSums));
        for (std::size_t first = 0; first < starts.size();) {
            const IndependentGroup group = IndependentGroup::firstOf(
                starts.size() - first,
                [&](std::size_t i) {
                    return alone(parts[first + i], starts[first + i].size(), tuning.firstNodesIndependent, spec);
                },
                tuning);
            most = std::max(most, Room::bytesOf(group, 1, false));
            first += group.count;
        }
        return most;
    }

    /// @param listener may be empty; then intermediate states never leave the device
    /// @return the last state of each contour
    [[nodiscard]] std::vector<SnakeState> run(const SnakeField<Machine, Prefix>& field, const SnakeListener& listener) {
        listener_ = &listener;
        const std::vector<RegionSums> sums = sumsOfParts(field);
        members_.clear();
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            members_.push_back(memberOf(i, sums[i]));
        }
        Room room(machine_, tuning_, static_cast<bool>(listener));
        std::vector<std::size_t> waiting(parts_.size());
        std::iota(waiting.begin(), waiting.end(), std::size_t{0});
        while (!waiting.empty() && !isEnded_) { // contours that outgrow their memory wait until all others have ended
            std::vector<std::size_t> outgrown;
            for (std::size_t first = 0; first < waiting.size() && !isEnded_;) {
                const std::size_t last = std::min<std::size_t>(waiting.size(), first + tuning_.atOnce);
                group_.assign(waiting.begin() + static_cast<std::ptrdiff_t>(first),
                              waiting.begin() + static_cast<std::ptrdiff_t>(last));
                place(room, field);
                evolve(room, outgrown);
                first += group_.size();
            }
            waiting = std::move(outgrown);
        }
        machine_.finish("evolution");
        std::vector<SnakeState> states;
        states.reserve(members_.size());
        for (Member& member : members_) {
            states.push_back(std::move(member.state));
        }
        return states;
    }

private:
    /// A contour during the run.
    struct Member {
        RegionSums all; ///< of the pixels of its part
        Contour nodes;  ///< nodes to continue with
        SnakeProgress progress;
        std::uint32_t needed;    ///< nodes that must fit for it to continue
        std::uint32_t wanted;    ///< nodes that it gets memory for if there is enough
        std::uint32_t nextRound; ///< of the next state to report
        SnakeState state;        ///< the last one reported
    };

    /// The group of one contour of @p nodes nodes: capacity for at least these and for up to @p wanted.
    [[nodiscard]] static IndependentGroup alone(const PixelRegion& part, std::size_t nodes, std::uint32_t wanted,
                                                const SnakeSpec& spec) noexcept {
        return {1, std::max(static_cast<std::uint32_t>(nodes), std::min(wanted, spec.maxNodes)),
                SnakeTeamMemory::stepsOf(usedSpec(spec, part.width, part.height).maxStep)};
    }

    [[nodiscard]] Member memberOf(std::size_t number, const RegionSums& all) const {
        const PixelRegion& part = parts_[number];
        const Contour& start = starts_[number];
        const std::uint32_t longest = usedSpec(host_.spec, part.width, part.height).maxStep;
        const auto count = static_cast<std::uint32_t>(start.size());
        return {all,
                start,
                {count, 0, 0, 0, 1, 0, 0, shorterStep(longest)},
                tuning_.firstNodesIndependent,
                tuning_.firstNodesIndependent,
                0,
                {}};
    }

    [[nodiscard]] std::vector<RegionSums> sumsOfParts(const SnakeField<Machine, Prefix>& field) {
        const std::size_t count = parts_.size();
        auto places = machine_.template make<PixelRegion>(count, "snakes");
        auto results = machine_.template make<RegionSums>(count, "snakes");
        machine_.upload(places.data(), parts_.data(), count);
        machine_.blocks(SumParts<Prefix>{{tuning_.nodeThreads}, field.input().image, places.data(), results.data()},
                        static_cast<std::uint32_t>(count), SnakeScratch::bytes(tuning_.nodeThreads));
        std::vector<RegionSums> sums(count);
        machine_.readBack(sums.data(), results.data(), count);
        return sums;
    }

    [[nodiscard]] SnakeInput<Prefix> inputOf(std::size_t number, const SnakeField<Machine, Prefix>& field) const {
        const PixelRegion& part = parts_[number];
        const SnakeSpec spec = usedSpec(host_.spec, part.width, part.height);
        SnakeInput<Prefix> input = field.input();
        input.rules = rulesFor(spec, members_[number].all, part, field.input().rules.energy.table);
        input.maxStep = spec.maxStep;
        return input;
    }

    /// Allocates memory for the first contours of group_, as many as fit, and removes the others from group_.
    void makeRoom(Room& room) {
        for (bool generous = true;;) {
            const auto one = [this, generous](std::size_t i) {
                const Member& member = members_[group_[i]];
                return alone(parts_[group_[i]], member.nodes.size(), generous ? member.wanted : member.needed,
                             host_.spec);
            };
            const IndependentGroup group = IndependentGroup::firstOf(group_.size(), one, tuning_);
            group_.resize(group.count);
            try {
                room.make(group);
                return;
            } catch (const Error& error) {
                if (error.code() != ErrorCode::outOfMemory || (group.count == 1 && !generous)) {
                    throw;
                }
                generous = group.count > 1;
                group_.resize((group.count + 1) / 2);
            }
        }
    }

    /// Uploads the contours that makeRoom() has left in group_.
    void place(Room& room, const SnakeField<Machine, Prefix>& field) {
        makeRoom(room);
        std::vector<typename Room::Slot> slots;
        std::vector<ContourNode> nodes(group_.size() * room.capacity());
        std::vector<SnakeProgress> progress;
        for (std::size_t i = 0; i < group_.size(); ++i) {
            const Member& member = members_[group_[i]];
            slots.push_back(room.slot(i, inputOf(group_[i], field)));
            std::ranges::copy(member.nodes, nodes.begin() + static_cast<std::ptrdiff_t>(i * room.capacity()));
            progress.push_back(member.progress);
        }
        room.fill(slots, nodes, progress);
    }

    /// Runs the contours of group_ until each has ended or outgrown its memory.
    void evolve(Room& room, std::vector<std::size_t>& outgrown) {
        std::vector<std::uint32_t> open(group_.size());
        std::iota(open.begin(), open.end(), 0U);
        std::vector<std::uint32_t> larger;
        while (!open.empty() && !isEnded_) {
            machine_.throwIfStopped();
            room.evolve(open);
            const std::vector<SnakeProgress> progress = room.progressOf(group_.size());
            std::vector<std::uint32_t> left;
            for (const std::uint32_t i : open) {
                members_[group_[i]].progress = progress[i];
                read(room, i);
                if (progress[i].finished == 0) {
                    (progress[i].wanted > room.capacity() ? larger : left).push_back(i);
                }
            }
            open = std::move(left);
        }
        keep(room, larger);
        for (const std::uint32_t i : larger) {
            outgrown.push_back(group_[i]);
        }
    }

    /// Keeps the nodes of contours of group_ that have outgrown their memory.
    void keep(Room& room, const std::vector<std::uint32_t>& larger) {
        const std::vector<ContourNode> nodes =
            larger.empty() ? std::vector<ContourNode>() : room.nodesOf(group_.size());
        for (const std::uint32_t i : larger) {
            Member& member = members_[group_[i]];
            const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * room.capacity());
            member.nodes.assign(first, first + static_cast<std::ptrdiff_t>(member.progress.count));
            member.needed = member.progress.wanted;
            member.wanted = std::max(member.needed, 2 * room.capacity());
        }
    }

    /// Reads the states that contour @p i of group_ wrote in the last kernel.
    void read(Room& room, std::uint32_t i) {
        Member& member = members_[group_[i]];
        TrailReader reader = room.statesOf(i, member.all);
        while (!isEnded_ && take(group_[i], reader.read(member.nextRound))) {
        }
        TrailReader last = room.lastOf(i, member.all);
        if (!room.tellsAll() && member.progress.round + 1 > member.nextRound) {
            take(group_[i], last.read(member.progress.round));
        }
        room.noteRead(i, reader.position(), last.position());
    }
    /// @return whether there was a state
    bool take(std::size_t number, std::optional<SnakeState> state) {
        if (!state) {
            return false;
        }
        Member& member = members_[number];
        if (state->kind == SnakeStep::start) {
            const PixelRegion& part = parts_[number];
            try {
                requireRoom(state->nodes, state->inside, state->outside, usedSpec(host_.spec, part.width, part.height),
                            host_.forbidden);
            } catch (const Error& error) {
                throw errorOfSnake(error, number, parts_.size());
            }
        }
        member.nextRound = state->round + 1;
        member.state = std::move(*state);
        isEnded_ = *listener_ && !(*listener_)(number, member.state);
        return true;
    }

    Machine& machine_;
    SnakeHostInput host_;
    SnakeTuning tuning_;
    const std::vector<PixelRegion>& parts_;
    const std::vector<Contour>& starts_;
    const SnakeListener* listener_ = nullptr;
    bool isEnded_ = false;           ///< by the listener
    std::vector<Member> members_;    ///< of all contours
    std::vector<std::size_t> group_; ///< indices of the contours that evolve at once
};

} // namespace pollard::cuda
