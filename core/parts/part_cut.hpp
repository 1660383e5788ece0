#pragma once

#include "base/buffer.hpp"
#include "parts/part.hpp"
#include "parts/part_job.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

// A filter whose criteria are lower bounds of increasing attributes keeps all ancestors of a node that it keeps, by any
// rule. The pixels of a component that are in a part then give lower bounds of its attributes: an open node for which
// these meet the criteria is kept, with all its ancestors, whatever the other parts have. A cut drops such nodes except
// those that others hang on: the parents of nodes that are not decided, and the nodes of pixels at seams. These become
// roots, whose summaries are those of all their pixels in the part. So a criterion area >= a leaves at most a open
// nodes for each pixel at a seam, whatever the grey levels. (Pollard)

/// Whether cutPart() leaves all results of a job as they are.
[[nodiscard]] bool canBeCut(const PartJob& job) noexcept;

/// A part without the nodes that a cut drops, and the new numbers of its open nodes.
struct CutPart {
    Part part;
    Buffer<std::uint32_t> nodeOf; ///< per open node of the whole part; Part::kNone for those that are dropped

    /// Memory that cutPart() takes for a part with so many open nodes, at most, in bytes.
    [[nodiscard]] static std::uint64_t bytesFor(const PartJob& job, std::uint64_t nodes) noexcept {
        constexpr std::uint64_t kNodeBytes = 11; // states, numbers, heights and parents
        return nodes * (kNodeBytes + 2 * job.needs.bytes());
    }
    /// The result of a node that is dropped: the root is kept, too, and with it one component. @param height of the
    /// node
    [[nodiscard]] static NodeResult resultOfDropped(std::uint16_t height) noexcept {
        return {height, NodeResult::kStays | NodeResult::kMarked, FirstPixel::kOfRoot};
    }
};

/// Drops the open nodes of a part that the filter keeps in any case, for a job that canBeCut().
/// @throws std::bad_alloc
[[nodiscard]] CutPart cutPart(const PartJob& job, const Part& part);

} // namespace pollard
