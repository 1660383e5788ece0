#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Pixels of a word of 32 whose left neighbour is not set: the starts of runs.
/// @param left the word on the left, 0 at the image's border
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t startsOfRuns(std::uint32_t word, std::uint32_t left) {
    return word & ~(word << 1U | left >> 31U);
}

/// The first pixels in a row of a word that has any: from the lowest bit that is set up to the one before the next that
/// is not.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t firstRunOf(std::uint32_t word) {
    return word & ~(word + (word & (0U - word)));
}

/// 32 pixels of a row and those on their left.
struct RowWord {
    std::uint32_t word;
    std::uint32_t left;
};

/// Where runs of two rows touch, in the columns of one word. Every pair of touching runs has one bit in one word of the
/// row: the first column in which both are (8-connectivity: in which one is, and in this or the column on the left the
/// other). The run of either row that a bit means is the last one that starts in its column or on the left of it.
struct RowContacts {
    std::uint32_t lowerStarts, upperStarts;
    std::uint32_t all;
    /// Of each run of the lower row that starts in this word the first one: nothing else joins such a run to the upper
    /// row yet, so that it can be linked by a plain store.
    std::uint32_t first;
};

template <bool kEight>
[[nodiscard]] POLLARD_HOST_DEVICE inline RowContacts contactsOf(const RowWord& lower, const RowWord& upper) {
    RowContacts contacts{startsOfRuns(lower.word, lower.left), startsOfRuns(upper.word, upper.left), 0, 0};
    // A run reaches one column further to the right where corners join.
    const std::uint32_t lowerReach = kEight ? lower.word | lower.word << 1U | lower.left >> 31U : lower.word;
    const std::uint32_t upperReach = kEight ? upper.word | upper.word << 1U | upper.left >> 31U : upper.word;
    contacts.all = (contacts.lowerStarts & upperReach) | (contacts.upperStarts & lowerReach);
    // The carry of a start runs along its run up to the first contact, or to the pixel behind the run.
    contacts.first = contacts.all & ((lower.word & ~contacts.all) + contacts.lowerStarts);
    return contacts;
}

} // namespace pollard::cuda
