#pragma once

#include "base/sanitizers.hpp"

#include <cstdint>

namespace pollard::testing {

/// Number of @p images that fit into the test time if threads are fibres; at least one.
[[nodiscard]] constexpr std::uint32_t affordable(std::uint32_t images) {
#if defined(POLLARD_FIND_RACES)
    return images / 100 + 1; // a race shows in any order of threads
#elif defined(POLLARD_ASAN)
    return images / 16 + 1;
#else
    return images / 2 + 1;
#endif
}

/// Number of repeats of a test with random input: an eighth under sanitizers, which slow everything down.
[[nodiscard]] constexpr int repeats(int all) {
#if defined(POLLARD_ASAN)
    return all / 8 + 1;
#else
    return all;
#endif
}

} // namespace pollard::testing
