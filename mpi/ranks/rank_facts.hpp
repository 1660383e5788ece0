#pragma once

#include "parts/streamed_filter.hpp"

#include <cstdint>

namespace pollard::mpi {

/// Amounts of work of one rank.
struct RankFacts {
    StreamedReport stream;         ///< of its chunks and its merges with other ranks
    std::uint64_t chunks = 0;      ///< of the picture
    std::uint64_t sentBytes = 0;   ///< in messages
    std::uint64_t sentNodes = 0;   ///< open nodes of the part that it sent
    std::uint64_t mergedNodes = 0; ///< vertices of its merges with other ranks
    double processorMilliseconds = 0;
};

} // namespace pollard::mpi
