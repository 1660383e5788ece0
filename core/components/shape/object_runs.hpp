#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Pixels [first, first + length) of an object, in one row.
struct ObjectRun {
    std::uint32_t first = 0; ///< index of the pixel, see Extent
    std::uint32_t length = 0;
};

/// The pixels of a label image by object, as runs in raster order, so that objects can be measured one by one.
class ObjectRuns {
public:
    /// Parallel over rows, then over objects.
    /// @param components with labels, if there are objects
    /// @throws Error(invalidArgument) without labels, Error(outOfMemory); Cancelled
    ObjectRuns(const Components& components, const JobControl& control);

    /// @param label 1 .. count
    [[nodiscard]] std::span<const ObjectRun> of(std::uint32_t label) const noexcept {
        const std::size_t first = label == 1 ? 0 : ends_[label - 2];
        return {runs_.data() + first, ends_[label - 1] - first};
    }

private:
    std::vector<std::uint32_t> ends_; ///< per object (index label - 1)
    Buffer<ObjectRun> runs_;
};

} // namespace pollard
