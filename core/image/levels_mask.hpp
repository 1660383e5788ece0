#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>

namespace pollard {

/// The pixels whose level differs from @p level.
[[nodiscard]] Mask maskOfOthers(const Image& image, std::uint16_t level);

} // namespace pollard
