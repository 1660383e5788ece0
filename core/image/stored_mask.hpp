#pragma once

#include "image/mask.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// A mask as files keep it: runs of pixels in reading order, unset and set in turn, beginning with unset ones.
struct StoredMask {
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    std::vector<std::uint32_t> runs;

    [[nodiscard]] static StoredMask of(const Mask& mask);
    /// @throws Error(invalidArgument) if the runs do not fill the picture
    [[nodiscard]] Mask mask() const;

    bool operator==(const StoredMask&) const = default;
};

} // namespace pollard
