#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>

namespace pollard::cuda {

/// A run of a strip of several rows, or as much of it as lies in one word of the mask, and how it touches the row
/// above.
struct RunPiece {
    std::uint32_t row;      ///< of the strip
    std::uint32_t x;        ///< first column
    std::uint32_t length;   ///< 1 .. 32
    std::uint32_t starts;   ///< 1: the run starts with it, or 0
    std::uint32_t shared;   ///< columns that are set in the row above, too
    std::uint32_t contacts; ///< with runs of the row above, less than kMostContacts

    static constexpr std::uint32_t kMostContacts = 18;
    /// Bits of row and column together: a strip has no more than 2^16 pixels.
    static constexpr std::uint32_t kPlaceBits = 16;

    /// All of it in one word. @param columnBits hold every column of the image
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
