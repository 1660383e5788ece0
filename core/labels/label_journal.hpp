#pragma once

#include "image/image.hpp"
#include "labels/label_edit.hpp"
#include "labels/label_runs.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pollard {

// A journal has the edits of a label image since it was stored, so that an edit is kept without storing the image
// again: a start with the size of the image, then a record for each edit. A record has its length and a checksum
// (CRC-32), both little-endian, and the runs of changed pixels with their numbers after the edit, 7 bits a byte. A
// journal may also begin with edits that the stored image has.

/// The start of the journal of an image.
[[nodiscard]] std::string journalStart(const Extent& extent);
/// The record of an edit. @param after the numbers after the edit, else those before it
/// @param numberOf number of a label in files
[[nodiscard]] std::string journalRecord(const LabelEdit& edit, bool after,
                                        const std::function<std::uint32_t(std::uint32_t)>& numberOf);
/// A record with these runs.
[[nodiscard]] std::string framedRecord(std::string_view runs);

/// Makes the edits of a journal. The first record that is not whole, and all after it, are left out.
/// @param labels complete @returns records that were applied; 0 for a journal of an image of another size
/// @throws std::bad_alloc
std::size_t replayJournal(std::string_view journal, LabelRuns& labels);

} // namespace pollard
