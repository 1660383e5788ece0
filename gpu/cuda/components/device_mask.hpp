#pragma once

#include "components/objects/object_rule.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The set pixels of an image in device memory, one bit each, in the layout of a host Mask (two of these words are one
/// of its words): every row starts at a word with an even index, and bits beyond the width are 0.
struct DeviceMask {
    const std::uint32_t* words;  ///< aligned to 256 bytes
    std::uint32_t width, height; ///< px

    /// Words between the starts of two rows; even.
    [[nodiscard]] POLLARD_HOST_DEVICE std::size_t stride() const { return (std::size_t{width} + 63) / 64 * 2; }
    /// Words of a row that hold pixels.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t wordsOfRow() const { return (width - 1) / 32 + 1; }
    /// Pixels 32 @p x .. 32 @p x + 31 of row @p y, the first in the lowest bit.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t word(std::uint32_t x, std::uint32_t y) const {
        return words[y * stride() + x];
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool isSet(std::uint32_t x, std::uint32_t y) const {
        return (word(x / 32, y) >> (x % 32) & 1U) != 0;
    }
};

/// Source of a mask: the pixels of an image whose levels are in a range.
struct MaskedLevels {
    DeviceImage image;
    LevelRange range;
    std::uint32_t* words; ///< of the DeviceMask
};

} // namespace pollard::cuda
