#pragma once

#include "image/mask.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Run-length encoded mask: lengths of runs in raster order, unset and set alternately, unset first.
struct StoredMask {
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    std::vector<std::uint32_t> runs;

    [[nodiscard]] static StoredMask of(const Mask& mask);
    /// @throws Error(invalidArgument) if the lengths do not sum up to the number of pixels
    [[nodiscard]] Mask mask() const;

    bool operator==(const StoredMask&) const = default;
};

} // namespace pollard
