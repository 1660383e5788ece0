#pragma once

#include "base/sanitizers.hpp"

#include <cstdint>

namespace pollard::testing {

/// How many of @p images there is time for where threads are fibres; one at least.
[[nodiscard]] constexpr std::uint32_t affordable(std::uint32_t images) {
#ifdef POLLARD_ASAN
    return images / 8 + 1;
#else
    return images;
#endif
}

} // namespace pollard::testing
