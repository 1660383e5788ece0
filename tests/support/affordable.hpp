#pragma once

#include "base/compiler.hpp"

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

/// Whether a sanitizer slows everything down.
[[nodiscard]] constexpr bool isSanitized() {
#if defined(POLLARD_ASAN)
    return true;
#else
    return false;
#endif
}

/// Number of repeats of a test with random input: an eighth under sanitizers, which slow everything down.
[[nodiscard]] constexpr int repeats(int all) { return isSanitized() ? all / 8 + 1 : all; }

} // namespace pollard::testing
