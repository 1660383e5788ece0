#pragma once

#include "cuda/components/object_atomics.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

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
