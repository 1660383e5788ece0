#pragma once

#include "analysis/spectrum.hpp"

#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace pollard {

/// Shares of a spectrum per distinct value, or pair of values, as long as there are few.
class DistinctShares {
public:
    using Values = std::array<double, 2>; ///< the second one is 0 for a single attribute

    /// @param bytes of memory for all threads @param threads at most
    DistinctShares(std::uint64_t bytes, int threads)
        : most_(static_cast<std::size_t>(bytes / kEntryBytes) / static_cast<std::size_t>(threads)) {}

    /// Adds a node, on any thread.
    void add(const Values& values, const SpectrumShare& share) {
        if (isComplete()) {
            Table& table = tables_.local();
            table[{std::bit_cast<std::uint64_t>(values[0]), std::bit_cast<std::uint64_t>(values[1])}] += share;
            if (table.size() > most_) {
                complete_.store(false, std::memory_order_relaxed);
            }
        }
    }

    /// Whether no node was left out.
    [[nodiscard]] bool isComplete() const noexcept { return complete_.load(std::memory_order_relaxed); }

    /// Calls visit(values, share), for a value several times if several threads have added it.
    template <class Visit> void forEach(Visit&& visit) const {
        for (const Table& table : tables_) {
            for (const auto& [key, share] : table) {
                visit(Values{std::bit_cast<double>(key[0]), std::bit_cast<double>(key[1])}, share);
            }
        }
    }
    void clear() { tables_.clear(); }

private:
    using Key = std::array<std::uint64_t, 2>; ///< bits of the values: NaN equals NaN
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept {
            std::uint64_t bits = key[0] + key[1] * 0x9e37'79b9'7f4a'7c15ULL;
            bits = (bits ^ (bits >> 32U)) * 0xd6e8'feb8'6659'fd93ULL;
            return static_cast<std::size_t>(bits ^ (bits >> 32U));
        }
    };
    using Table = std::unordered_map<Key, SpectrumShare, Hash>;
    static constexpr std::uint64_t kEntryBytes = 80; ///< with those of the table

    std::size_t most_;
    std::atomic<bool> complete_{true};
    tbb::enumerable_thread_specific<Table> tables_;
};

} // namespace pollard
