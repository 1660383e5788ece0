#pragma once

#include "components/components.hpp"
#include "cuda/components/object_atomics.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pollard::cuda {

/// A ComponentRecord during accumulation by kernels. Both have the same bytes on little-endian machines.
struct alignas(16) ObjectRecord { // stored in six pieces
    std::uint64_t area;
    std::uint32_t left, top, right, bottom;
    std::uint64_t sumX, sumY, sumXX, sumXY, sumYY;
    std::uint64_t greySum;
    std::uint32_t greyRange; ///< smallest level in the lower half, largest in the upper half
    std::uint32_t unused;
    std::uint64_t perimeter; ///< modulo 2^64 until all parts are added
    std::uint64_t holes;     ///< modulo 2^64 until all parts are added
};
static_assert(sizeof(ObjectRecord) == sizeof(ComponentRecord) &&
              offsetof(ObjectRecord, bottom) == offsetof(ComponentRecord, bottom) &&
              offsetof(ObjectRecord, sumYY) == offsetof(ComponentRecord, sumYY) &&
              offsetof(ObjectRecord, greyRange) == offsetof(ComponentRecord, greyMin) &&
              offsetof(ObjectRecord, greyRange) + 2 == offsetof(ComponentRecord, greyMax) &&
              offsetof(ObjectRecord, holes) == offsetof(ComponentRecord, holes));

/// A part of an object other than its first, in a strip of one row.
struct ObjectPart {
    ObjectRecord sums;
    std::uint32_t label;

    [[nodiscard]] POLLARD_HOST_DEVICE const ObjectRecord& record() const { return sums; }
};

/// Union of two grey ranges: the smallest level, and the largest in the upper half.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t joinedRange(std::uint32_t one, std::uint32_t other) {
    const std::uint32_t smallest = (one & 0xffffU) < (other & 0xffffU) ? one & 0xffffU : other & 0xffffU;
    const std::uint32_t largest = one >> 16U > other >> 16U ? one >> 16U : other >> 16U;
    return largest << 16U | smallest;
}

/// Extends a grey range atomically.
POLLARD_DEVICE inline void widenRange(std::uint32_t* range, std::uint32_t by) {
    std::uint32_t known = loadFresh(range);
    while (true) {
        const std::uint32_t wanted = joinedRange(known, by);
        const std::uint32_t before = wanted == known ? known : replaced(range, known, wanted);
        if (before == known) {
            return;
        }
        known = before;
    }
}

/// Stores a record for each thread of the warp that has one. Pairs of threads store 32-byte sectors together, first of
/// the even thread's record, then of the odd thread's; separate stores would write half sectors.
/// @param to null: no record. Called by all threads of the warp
POLLARD_DEVICE inline void storeTogether(const ObjectRecord& record, ObjectRecord* to) {
    constexpr std::uint32_t kWordsOfSector = 8;
    constexpr std::uint32_t kSectors = sizeof(ObjectRecord) / (4 * kWordsOfSector);
    FourWords halves[2 * kSectors];
    std::memcpy(halves, &record, sizeof(record));
    const std::uint32_t lane = threadOfBlock() % 32;
    const bool odd = lane % 2 != 0;
    const auto mine = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(to));
    const std::uint64_t others = fromLane(mine, lane ^ 1U);
    const auto store = [](std::uint64_t address, std::uint32_t at, const FourWords& half) {
        if (address != 0) {
            storeFour(reinterpret_cast<FourWords*>(static_cast<std::uintptr_t>(address)) + at, half);
        }
    };
    for (std::uint32_t sector = 0; sector < kSectors; ++sector) {
        FourWords even; // from the even thread's record
        FourWords other;
        for (std::uint32_t word = 0; word < 4; ++word) { // word by word, else the compiler spills to local memory
            const std::uint32_t lower = halves[2 * sector].words[word];
            const std::uint32_t upper = halves[2 * sector + 1].words[word];
            const std::uint32_t keep = odd ? upper : lower;
            const std::uint32_t taken = fromLane(odd ? lower : upper, lane ^ 1U);
            even.words[word] = odd ? taken : keep;
            other.words[word] = odd ? keep : taken;
        }
        const std::uint32_t at = 2 * sector + (odd ? 1 : 0);
        store(odd ? others : mine, at, even);
        store(odd ? mine : others, at, other);
    }
}

/// A hash table in shared memory that groups the parts of one object in a strip: the first part to insert its label
/// owns it. If no place is free, parts stay separate.
struct PartSlots {
    static constexpr std::uint32_t kProbes = 8; ///< places tried for a label
    static constexpr std::uint32_t kNowhere = 0xffff'ffffU;

    std::uint32_t* memory; ///< words(bits)
    std::uint32_t bits;    ///< 2^bits places

    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t words(std::uint32_t bits) { return std::size_t{2} << bits; }

    /// Called by all threads of the block, which need a barrier afterwards.
    POLLARD_DEVICE void clear(std::uint32_t threads) const {
        for (std::uint32_t i = threadOfBlock(); i < 1U << bits; i += threads) {
            memory[i] = 0;
        }
    }
    /// Claims a label for @p part unless it is taken.
    /// @return its place, whose owner() is valid after a barrier; kNowhere if none is free
    [[nodiscard]] POLLARD_DEVICE std::uint32_t claim(std::uint32_t label, std::uint32_t part) const {
        const std::uint32_t first = label * 2654435761U >> (32 - bits);
        for (std::uint32_t probe = 0; probe < kProbes; ++probe) {
            const std::uint32_t place = (first + probe) & ((1U << bits) - 1);
            const std::uint32_t before = replaced(memory + place, 0, label);
            if (before == 0) {
                memory[(std::size_t{1} << bits) + place] = part;
            }
            if (before == 0 || before == label) {
                return place;
            }
        }
        return kNowhere;
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t owner(std::uint32_t place) const {
        return memory[(std::size_t{1} << bits) + place];
    }
    /// Owner of a claimed label, or kNowhere.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t find(std::uint32_t label) const {
        const std::uint32_t first = label * 2654435761U >> (32 - bits);
        for (std::uint32_t probe = 0; probe < kProbes; ++probe) {
            const std::uint32_t place = (first + probe) & ((1U << bits) - 1);
            if (memory[place] == label) {
                return owner(place);
            }
        }
        return kNowhere;
    }
};

} // namespace pollard::cuda
