#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>

namespace pollard::cuda {

/// The part of a run in one word of the mask, in a strip of several rows, and its contacts with the row above.
struct RunPiece {
    std::uint32_t row;      ///< in the strip
    std::uint32_t x;        ///< first column
    std::uint32_t length;   ///< 1 .. 32
    std::uint32_t starts;   ///< 1 if the run starts here, else 0
    std::uint32_t shared;   ///< columns that are also set in the row above
    std::uint32_t contacts; ///< with runs of the row above, less than kMostContacts

    static constexpr std::uint32_t kMostContacts = 18;
    /// Bits of row and column together: a strip has at most 2^16 pixels.
    static constexpr std::uint32_t kPlaceBits = 16;

    /// Packs all members into one word. @param columnBits enough for every column of the image
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t packed(std::uint32_t columnBits) const {
        return (row << columnBits | x) | (length - 1) << kPlaceBits | starts << (kPlaceBits + 5) |
               (shared * kMostContacts + contacts) << (kPlaceBits + 6);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static RunPiece unpacked(std::uint32_t word, std::uint32_t columnBits) {
        const std::uint32_t place = word & ((1U << kPlaceBits) - 1);
        const std::uint32_t above = word >> (kPlaceBits + 6);
        const std::uint32_t shared = above / kMostContacts;
        return {place >> columnBits,
                place & ((1U << columnBits) - 1),
                (word >> kPlaceBits & 31U) + 1,
                word >> (kPlaceBits + 5) & 1U,
                shared,
                above - shared * kMostContacts};
    }
};

} // namespace pollard::cuda
