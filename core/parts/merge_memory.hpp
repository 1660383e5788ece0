#pragma once

#include "parts/part_job.hpp"

#include <cstdint>

namespace pollard {

/// Checks the memory of a merge of a row of chunks with all rows before.
/// @param row of @p rows, from 0
/// @param nodes open ones of all parts to merge
/// @param memory allowed, in bytes
/// @throws Error(outOfMemory)
void requireMergeMemory(const PartJob& job, std::uint64_t row, std::uint64_t rows, std::uint64_t nodes,
                        std::uint64_t memory);

} // namespace pollard
