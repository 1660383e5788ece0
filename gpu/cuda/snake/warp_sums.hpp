#pragma once

#include "cuda/kernels/kernel_threads.hpp"
#include "snake/region_sums.hpp"

#include <bit>
#include <cstdint>

// Operations of the threads of a warp, called by all of them.

namespace pollard::cuda {

inline constexpr std::uint32_t kWarpThreads = 32;

[[nodiscard]] POLLARD_DEVICE inline std::uint32_t laneOfWarp() { return threadOfBlock() % kWarpThreads; }
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t warpOfBlock() { return threadOfBlock() / kWarpThreads; }

[[nodiscard]] POLLARD_DEVICE inline RegionSums fromLane(const RegionSums& given, std::uint32_t lane) {
    return {static_cast<std::int64_t>(fromLane(static_cast<std::uint64_t>(given.pixels), lane)),
            static_cast<std::int64_t>(fromLane(static_cast<std::uint64_t>(given.levels), lane)),
            static_cast<std::int64_t>(fromLane(static_cast<std::uint64_t>(given.squares), lane))};
}
[[nodiscard]] POLLARD_DEVICE inline double fromLane(double given, std::uint32_t lane) {
#ifdef __CUDACC__
    return __longlong_as_double(
        static_cast<long long>(fromLane(static_cast<std::uint64_t>(__double_as_longlong(given)), lane)));
#else
    return std::bit_cast<double>(fromLane(std::bit_cast<std::uint64_t>(given), lane));
#endif
}

/// Sum over the lanes that are congruent modulo @p period, a power of two; returned to every lane.
[[nodiscard]] POLLARD_DEVICE inline RegionSums sumOfLanes(RegionSums value, std::uint32_t period) {
    for (std::uint32_t distance = period; distance < kWarpThreads; distance *= 2) {
        value += fromLane(value, laneOfWarp() ^ distance);
    }
    return value;
}

/// Index of the set bit that has @p before set bits below it; must exist.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t setBitAfter(std::uint32_t bits, std::uint32_t before) {
    for (; before > 0; --before) {
        bits &= bits - 1;
    }
    return static_cast<std::uint32_t>(lowestBit(bits));
}

} // namespace pollard::cuda
