#pragma once

#include "base/compiler.hpp"
#include "components/objects/object_rule.hpp"
#include "cuda/device/device_image.hpp"

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

/// Pixels of a 32-pixel word whose left neighbour is clear: the starts of runs.
/// @param left the word on the left, 0 at the image's edge
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t startsOfRuns(std::uint32_t word, std::uint32_t left) {
    return word & ~(word << 1U | left >> 31U);
}

/// The first run of a nonempty word: from the lowest set bit to the one before the next clear bit.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t firstRunOf(std::uint32_t word) {
    return word & ~(word + (word & (0U - word)));
}

/// 32 pixels of a row, and the 32 to their left.
struct RowWord {
    std::uint32_t word;
    std::uint32_t left;
};

/// Contacts between runs of two rows in the columns of one word. Each pair of touching runs has one bit in one word of
/// the row: the first column in which both are set (8-connectivity: in which one is set and the other is set in this
/// column or in the column to its left). In either row, the run of a bit is the last run that starts in its column or
/// further to the left.
struct RowContacts {
    std::uint32_t lowerStarts, upperStarts;
    std::uint32_t all;
    /// The first contact of each run of the lower row that starts in this word: no other contact joins such a run to
    /// the upper row yet, so a plain store can link it.
    std::uint32_t first;
};

template <bool kEight>
[[nodiscard]] POLLARD_HOST_DEVICE inline RowContacts contactsOf(const RowWord& lower, const RowWord& upper) {
    RowContacts contacts{startsOfRuns(lower.word, lower.left), startsOfRuns(upper.word, upper.left), 0, 0};
    // With 8-connectivity a run reaches one column further to the right.
    const std::uint32_t lowerReach = kEight ? lower.word | lower.word << 1U | lower.left >> 31U : lower.word;
    const std::uint32_t upperReach = kEight ? upper.word | upper.word << 1U | upper.left >> 31U : upper.word;
    contacts.all = (contacts.lowerStarts & upperReach) | (contacts.upperStarts & lowerReach);
    // The carry of a start propagates along its run to the first contact, or to the pixel after the run.
    contacts.first = contacts.all & ((lower.word & ~contacts.all) + contacts.lowerStarts);
    return contacts;
}

} // namespace pollard::cuda
