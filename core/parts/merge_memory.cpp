#include "parts/merge_memory.hpp"

#include "base/error.hpp"
#include "io/read_support.hpp"

#include <string>

namespace pollard {

namespace {

/// Memory of a merge per vertex besides its summaries: vertices, edges, sets and the step.
constexpr std::uint64_t kVertexBytes = 80;

} // namespace

void requireMergeMemory(const PartJob& job, std::uint64_t row, std::uint64_t rows, std::uint64_t nodes,
                        std::uint64_t memory) {
    const std::uint64_t needed =
        nodes * (kVertexBytes + 2 * job.needs.bytes() + 2 * job.measured.size() * sizeof(double));
    if (needed > memory) {
        throw Error(ErrorCode::outOfMemory,
                    "work in chunks: row " + std::to_string(row + 1) + " of " + std::to_string(rows) + ": " +
                        std::to_string(nodes) + " nodes reach over the seams and need " + sizeText(needed) + ", " +
                        sizeText(memory) + " are allowed; allow more memory, use larger chunks or fewer grey levels");
    }
}

} // namespace pollard
