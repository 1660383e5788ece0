#pragma once

#include "base/error.hpp"
#include "cuda/snake/evolve_independent.hpp"
#include "cuda/snake/snake_field.hpp"
#include "image/image.hpp"
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

/// Contours that evolve together, and the memory for each.
struct IndependentGroup {
    std::size_t count = 0;
    std::uint32_t capacity = 0; ///< nodes
    std::uint32_t steps = 0;    ///< step lengths

    static constexpr std::uint64_t kFewestStates = 2; ///< states that the host memory of a contour holds at least

    /// The longest prefix of the waiting contours whose number and smallest host memory are within the limits of @p
    /// tuning; at least one.
    /// @param one one(i): the group of contour i alone, for i < @p waiting
    template <class One>
    [[nodiscard]] static IndependentGroup firstOf(std::size_t waiting, const One& one, const SnakeTuning& tuning) {
        IndependentGroup group;
        while (group.count < std::min<std::size_t>(waiting, tuning.atOnce)) {
            const IndependentGroup next = one(group.count);
            const std::uint32_t capacity = std::max(group.capacity, next.capacity);
            const std::uint64_t words = (group.count + 1) * kFewestStates * trailWords(capacity);
            if (group.count > 0 && words > tuning.trailWordsIndependent) {
                break;
            }
            group = {group.count + 1, capacity, std::max(group.steps, next.steps)};
        }
        return group;
    }
};

/// The memory of a group of contours and of the blocks that evolve them, reused from group to group.
template <class Machine, class Prefix> class IndependentBuffers {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    using Slot = IndependentSlot<Prefix>;

    /// @param reportsAllStates all states are reported, not only the first and last one of each contour
    IndependentBuffers(Machine& machine, const SnakeTuning& tuning, bool reportsAllStates)
        : machine_(machine), tuning_(tuning), reportsAllStates_(reportsAllStates) {}

    /// Device memory of a group with tables for @p blocks blocks, bytes. @param inShared as for
    /// IndependentTables::bytesOf()
    [[nodiscard]] static std::uint64_t bytesOf(const IndependentGroup& group, std::uint64_t blocks,
                                               bool inShared) noexcept {
        const std::uint64_t ofContour = sizeof(Slot) + std::uint64_t{group.capacity} * sizeof(ContourNode) +
                                        sizeof(SnakeProgress) + sizeof(std::uint32_t);
        return group.count * ofContour + sizeof(std::uint32_t) +
               blocks * IndependentTables::bytesOf(group.capacity, group.steps, inShared);
    }

    /// Allocates memory for a group of at least one contour, with tables for as many blocks as memory allows.
    /// @throws Error(outOfMemory) if not even one block fits; then no memory is held
    void make(const IndependentGroup& group) {
        clearStates();
        if (group.count > room_.count || group.capacity > room_.capacity || group.steps > room_.steps) {
            release();
            try {
                makeBuffers(group);
            } catch (...) {
                release();
                throw;
            }
        }
    }

    [[nodiscard]] std::uint32_t capacity() const noexcept { return room_.capacity; } ///< nodes per contour

    /// The slot of contour @p i of the group.
    [[nodiscard]] Slot slot(std::size_t i, const SnakeInput<Prefix>& input) {
        std::uint64_t* const words = states_.data() + i * words_;
        return {input,
                {words, sizeOfFirst(), reportsAllStates_ ? nullptr : words + sizeOfFirst(), machine_.stopFlag()},
                progress_.data() + i,
                nodes_.data() + i * room_.capacity};
    }
    /// Uploads contours to their slots. @param nodes of all contours, @ref capacity() each
    void fill(const std::vector<Slot>& slots, const std::vector<ContourNode>& nodes,
              const std::vector<SnakeProgress>& progress) {
        machine_.upload(slots_.data(), slots.data(), slots.size());
        machine_.upload(nodes_.data(), nodes.data(), nodes.size());
        machine_.upload(progress_.data(), progress.data(), progress.size());
        used_.assign(slots.size(), {});
    }

    /// Evolves contours of the group until each has ended or needs memory. @param open their indices
    void evolve(const std::vector<std::uint32_t>& open) {
        const auto count = static_cast<std::uint32_t>(open.size());
        machine_.upload(open_.data(), open.data(), open.size());
        machine_.fill(taken_.data(), 1, 0);
        pass_.count = count;
        machine_.blocks(pass_, std::min(count, pass_.blocks), bytes_);
    }
    [[nodiscard]] std::vector<SnakeProgress> progressOf(std::size_t count) {
        std::vector<SnakeProgress> progress(count);
        machine_.readBack(progress.data(), progress_.data(), count);
        return progress;
    }
    /// Laid out as for fill().
    [[nodiscard]] std::vector<ContourNode> nodesOf(std::size_t count) {
        std::vector<ContourNode> nodes(count * room_.capacity);
        machine_.readBack(nodes.data(), nodes_.data(), nodes.size());
        return nodes;
    }

    /// Reader of the states that contour @p i wrote in the last kernel, in order.
    [[nodiscard]] TrailReader statesOf(std::size_t i, const RegionSums& all) {
        return {states_.data() + i * words_, sizeOfFirst(), all};
    }
    /// Reader of the last state, unless all states are reported.
    [[nodiscard]] TrailReader lastOf(std::size_t i, const RegionSums& all) {
        return {states_.data() + i * words_ + sizeOfFirst(), words_ - sizeOfFirst(), all};
    }
    [[nodiscard]] bool reportsAllStates() const noexcept { return reportsAllStates_; }
    /// Records the words read of the states of contour @p i and of its last one, for clearing.
    void noteRead(std::size_t i, std::uint64_t words, std::uint64_t ofLast) {
        used_[i] = {std::max(used_[i].states, words), std::max(used_[i].last, ofLast)};
    }

private:
    struct UsedWords {
        std::uint64_t states = 0;
        std::uint64_t last = 0;
    };

    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count) {
        return machine_.template make<T>(count, "snakes");
    }
    /// Words for the states read in order.
    [[nodiscard]] std::uint64_t sizeOfFirst() const noexcept { return reportsAllStates_ ? words_ : words_ / 2; }

    /// Clears the words of the previous contours' states.
    void clearStates() {
        for (std::size_t i = 0; i < used_.size(); ++i) {
            std::uint64_t* const words = states_.data() + i * words_;
            std::fill_n(words, used_[i].states, 0);
            std::fill_n(words + sizeOfFirst(), used_[i].last, 0);
        }
        used_.clear();
    }

    void makeBuffers(const IndependentGroup& group) {
        room_ = group;
        slots_ = make<Slot>(group.count);
        nodes_ = make<ContourNode>(group.count * group.capacity);
        progress_ = make<SnakeProgress>(group.count);
        open_ = make<std::uint32_t>(group.count);
        taken_ = make<std::uint32_t>(1);
        words_ = wordsOfSlot();
        states_ = machine_.template makeHost<std::uint64_t>(group.count * words_, "the states of snakes");
        makeTables();
    }
    /// Words for the states of a contour: fewer states the more or the larger the contours.
    [[nodiscard]] std::uint64_t wordsOfSlot() const noexcept {
        const std::uint64_t ofState = trailWords(room_.capacity);
        const std::uint64_t fitting = tuning_.trailWordsIndependent / (room_.count * ofState);
        const std::uint64_t states = reportsAllStates_ ? std::min(tuning_.trailStates, fitting) : 0;
        return std::max(states, IndependentGroup::kFewestStates) * ofState;
    }

    /// If there are more contours than resident blocks, uses the dense kernel: fewer registers, more resident blocks.
    /// @return number of resident blocks
    [[nodiscard]] std::uint32_t chooseBlocks() {
        const auto count = static_cast<std::uint32_t>(room_.count);
        pass_ = {{tuning_.nodeThreads}, slots_.data(), open_.data(), 0, taken_.data(), {}, 0, false};
        bytes_ = EvolveIndependent<Prefix>::bytes(tuning_.nodeThreads);
        const std::size_t contour = BlockContour::bytes(room_.capacity);
        isShared_ = bytes_ + contour <= machine_.sharedBytes();
        bytes_ += isShared_ ? contour : 0;
        const std::uint32_t blocks = machine_.teamBlocks(pass_, count, bytes_);
        pass_.isDense = blocks < count;
        return pass_.isDense ? machine_.teamBlocks(pass_, count, bytes_) : blocks;
    }

    /// Allocates tables for all resident blocks, or for fewer where memory is short.
    void makeTables() {
        const std::uint32_t useful = chooseBlocks();
        const std::uint64_t ofBlock = IndependentTables::bytesOf(room_.capacity, room_.steps, isShared_);
        const std::uint64_t affordable = std::max<std::uint64_t>(tuning_.tableBytesIndependent / ofBlock, 1);
        for (auto blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(affordable, useful));;
             blocks = (blocks + 1) / 2) {
            try {
                makeTables(blocks);
                return;
            } catch (const Error& error) {
                releaseTables();
                if (error.code() != ErrorCode::outOfMemory || blocks == 1) {
                    throw;
                }
            }
        }
    }
    void makeTables(std::uint32_t blocks) {
        const std::size_t nodes = std::size_t{blocks} * room_.capacity;
        edges_ = make<RegionSums>(nodes);
        candidates_ = make<RegionSums>(IndependentTables::candidatesOf(nodes, room_.steps));
        picks_ = make<SnakePick>(SnakeTeamMemory::picksOf(nodes, room_.steps));
        marks_ = make<std::int32_t>(nodes);
        if (!isShared_) {
            contours_ = make<unsigned char>(blocks * BlockContour::bytes(room_.capacity));
        }
        pass_.blocks = blocks;
        pass_.tables = {
            edges_.data(),  candidates_.data(), picks_.data(), marks_.data(), isShared_ ? nullptr : contours_.data(),
            room_.capacity, room_.steps};
    }

    /// Frees memory before other memory is allocated.
    void release() {
        room_ = {};
        slots_ = {};
        nodes_ = {};
        progress_ = {};
        open_ = {};
        taken_ = {};
        states_ = {};
        releaseTables();
    }
    void releaseTables() {
        edges_ = {};
        candidates_ = {};
        picks_ = {};
        marks_ = {};
        contours_ = {};
    }

    Machine& machine_;
    SnakeTuning tuning_;
    bool reportsAllStates_;
    IndependentGroup room_;   ///< capacity of the current allocation
    std::uint64_t words_ = 0; ///< of the states of one contour
    std::size_t bytes_ = 0;   ///< shared memory of a block
    bool isShared_ = false;   ///< shared memory holds the contour
    EvolveIndependent<Prefix> pass_{};
    std::vector<UsedWords> used_; ///< per contour
    Buffer<Slot> slots_;
    Buffer<ContourNode> nodes_;
    Buffer<SnakeProgress> progress_;
    Buffer<std::uint32_t> open_;
    Buffer<std::uint32_t> taken_;
    Buffer<RegionSums> edges_;
    Buffer<RegionSums> candidates_;
    Buffer<SnakePick> picks_;
    Buffer<std::int32_t> marks_;
    Buffer<unsigned char> contours_;
    typename Machine::template HostBuffer<std::uint64_t> states_;
};

/// Runs several independent contours, many at once, by EvolveIndependent (docs/algorithms.md, "one-kernel").
template <class Machine, class Prefix> class IndependentEvolution {
    using Room = IndependentBuffers<Machine, Prefix>;

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
        if (!room.reportsAllStates() && member.progress.round + 1 > member.nextRound) {
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
