#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>

namespace pollard::cuda {

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
/// column or the one to its left). In either row, a bit's run is the last one that starts in its column or to the left
/// of it.
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
