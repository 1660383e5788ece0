#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/nodes/climb_team.hpp"

#include <cstdint>

namespace pollard::cuda {

/// x -> min(x + shift, cap): the excess of a node as a function of the excess of its child on the path.
struct PruningCost {
    std::int64_t shift;
    std::int64_t cap;
};

/// Rule::viterbi as a law of climb(). The excess of a node is the cost of keeping it, given that its parent is kept,
/// minus the cost of removing it with all its descendants: (criteria keep it ? -1 : 1) + the sum of min(excess(child),
/// 0). A node is kept if its excess is not positive.
struct PruningLaw {
    using Value = PruningCost;

    /// Shift of a function that ignores its argument: exceeds any sum of excesses, whose absolute value is below 2^33.
    static constexpr std::int64_t kIgnores = std::int64_t{1} << 40U;

    const std::uint32_t* parent;
    std::uint64_t* below; ///< per node: sum of min(excess, 0) of children of smaller rank; 0 at the start
    std::uint8_t* keep;   ///< decision by the criteria, then by the costs

    [[nodiscard]] POLLARD_HOST_DEVICE static Value join(const Value& first, const Value& then) noexcept {
        const std::int64_t shift = first.shift + then.shift;
        const std::int64_t cap = first.cap + then.shift;
        return {shift < kIgnores ? shift : kIgnores, cap < then.cap ? cap : then.cap};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE Value of(std::uint32_t node, std::uint32_t child) const noexcept {
        const std::int64_t own = (keep[node] != 0 ? -1 : 1) + static_cast<std::int64_t>(below[node]);
        return {child == kNoChild ? kIgnores : own, own};
    }
    POLLARD_HOST_DEVICE void finish(std::uint32_t node, const Value& joined, bool endsPath) const noexcept {
        const std::int64_t excess = joined.cap; // the path's first function ignores its argument
        keep[node] = excess <= 0 ? 1 : 0;
        if (endsPath && node > 0 && excess < 0) {
            addInStep(below + parent[node], static_cast<std::uint64_t>(excess));
        }
    }
};

} // namespace pollard::cuda
