#pragma once

#include "base/job_control.hpp"
#include "chunks/image_chunks.hpp"
#include "ranks.hpp"

#include <cstdint>
#include <vector>

namespace pollard::mpi {

/// Amounts of work of one rank.
struct RankFacts {
    ChunkCounts counts;            ///< of its chunks and its merges with other ranks
    std::uint64_t chunks = 0;      ///< of the image
    std::uint64_t sentBytes = 0;   ///< in messages
    std::uint64_t sentNodes = 0;   ///< open nodes of the part that the rank sent
    std::uint64_t mergedNodes = 0; ///< vertices of its merges with other ranks
    double processorMilliseconds = 0;
};

struct RanksReport {
    ChunkReport total; ///< sums of all ranks
    std::vector<RankFacts> ranks;
};

/// Plans the job in rank 0 and sends the plan to the other ranks. @throws as ImageChunks in rank 0
[[nodiscard]] ImageChunks planOverRanks(const ChunkRequest& request, Ranks& ranks, const JobControl& control);

/// Filters an image as filterImage(), by all ranks together; the file has the same bytes. Each rank has a block of
/// the chunks, see chunksOfBlock(), and streams it into one part. The parts are merged in a binary reduction: in round
/// s, rank r with bit s sends its part to rank r - 2^s. Values of nodes and results are sent back the same way; in
/// between, decisions that depend on such values are merged upwards once more. Each rank filters its chunks into a
/// store of its own in the working folder, which all ranks share, and copies its tiles into the file, whose directories
/// rank 0 writes.
///
/// The merged part of a rank and the steps stay in memory; all other data are in its working folder.
/// @param chunks of planOverRanks()
/// @return in rank 0; elsewhere without `ranks`
/// @throws as ImageChunks, ChunkedFilter, mergeParts() and writeTiledTiff(); Cancelled. Errors are not sent to other
/// ranks.
[[nodiscard]] RanksReport filterOverRanks(const ChunkRequest& request, const ImageChunks& chunks, Ranks& ranks,
                                          const JobControl& control);

} // namespace pollard::mpi
