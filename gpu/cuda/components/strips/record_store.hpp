#pragma once

#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/object_record.hpp"

#include <cstdint>
#include <cstring>

namespace pollard::cuda {

/// Stores a record for each thread of the warp that has one. Two threads together store a 32-byte sector, first of the
/// one's record, then of the other's; separate stores would write half sectors.
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

} // namespace pollard::cuda
