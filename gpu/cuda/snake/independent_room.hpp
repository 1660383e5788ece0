#pragma once

#include "base/error.hpp"
#include "cuda/snake/evolve_independent.hpp"
#include "cuda/snake/snake_field.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
template <class Machine, class Prefix> class IndependentRoom {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    using Slot = IndependentSlot<Prefix>;

    /// @param tellsAll all states are reported, not only the first and last one of each contour
    IndependentRoom(Machine& machine, const SnakeTuning& tuning, bool tellsAll)
        : machine_(machine), tuning_(tuning), tellsAll_(tellsAll) {}

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
                makeAnew(group);
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
                {words, sizeOfFirst(), tellsAll_ ? nullptr : words + sizeOfFirst(), machine_.stopFlag()},
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
    [[nodiscard]] bool tellsAll() const noexcept { return tellsAll_; }
    /// Records the words read of the states of contour @p i and of its last one, for clearing.
    void noteRead(std::size_t i, std::uint64_t words, std::uint64_t ofLast) {
        used_[i] = {std::max(used_[i].states, words), std::max(used_[i].last, ofLast)};
    }

private:
    struct Used {
        std::uint64_t states = 0;
        std::uint64_t last = 0;
    };

    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count) {
        return machine_.template make<T>(count, "snakes");
    }
    /// Words for the states read in order.
    [[nodiscard]] std::uint64_t sizeOfFirst() const noexcept { return tellsAll_ ? words_ : words_ / 2; }

    /// Clears the words of the previous contours' states.
    void clearStates() {
        for (std::size_t i = 0; i < used_.size(); ++i) {
            std::uint64_t* const words = states_.data() + i * words_;
            std::fill_n(words, used_[i].states, 0);
            std::fill_n(words + sizeOfFirst(), used_[i].last, 0);
        }
        used_.clear();
    }

    void makeAnew(const IndependentGroup& group) {
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
        const std::uint64_t states = tellsAll_ ? std::min(tuning_.trailStates, fitting) : 0;
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
    bool tellsAll_;
    IndependentGroup room_;   ///< capacity of the current allocation
    std::uint64_t words_ = 0; ///< of the states of one contour
    std::size_t bytes_ = 0;   ///< shared memory of a block
    bool isShared_ = false;   ///< shared memory holds the contour
    EvolveIndependent<Prefix> pass_{};
    std::vector<Used> used_; ///< per contour
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

} // namespace pollard::cuda
