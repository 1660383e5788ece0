#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/nodes/climb_team.hpp"

#include <cstdint>

namespace pollard::cuda {

/// x -> min(x + shift, cap): how what keeping the node below costs becomes what keeping this one does.
struct PruningCost {
    std::int64_t shift;
    std::int64_t cap;
};

/// Rule::viterbi as a law of climb(): the excess of a node, which is what keeping it, if its parent is kept, costs more
/// than removing it with all in it, is (it is to stay ? -1 : 1) + the sum of min(excess(child), 0). It stays where that
/// is not positive.
struct PruningLaw {
    using Value = PruningCost;

    /// Shift of a function that ignores its argument: above any sum of excesses, which is below 2^33 in size.
    static constexpr std::int64_t kIgnores = std::int64_t{1} << 40U;

    const std::uint32_t* parent;
    std::uint64_t* below; ///< per node, of children of smaller rank: the sum of min(excess, 0); 0 at first
    std::uint8_t* keep;   ///< decision of the criteria, then of the costs

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
        const std::int64_t excess = joined.cap; // the path's first function ignores what comes
        keep[node] = excess <= 0 ? 1 : 0;
        if (endsPath && node > 0 && excess < 0) {
            addInStep(below + parent[node], static_cast<std::uint64_t>(excess));
        }
    }
};

} // namespace pollard::cuda
