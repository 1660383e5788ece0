#pragma once

#include "io/image_file.hpp"

#include <cstdint>

namespace pollard {

/// Levels of the pixels of an image that are valid.
struct ValidLevels {
    std::uint64_t invalid = 0;  ///< pixels that are not valid
    bool none = true;           ///< no pixel is valid; the levels are then 0
    std::uint16_t smallest = 0; ///< of a valid pixel
    std::uint16_t largest = 0;

    /// Adds those of another part of the image.
    void join(const ValidLevels& part) noexcept;

    bool operator==(const ValidLevels&) const = default;
};

[[nodiscard]] ValidLevels validLevelsOf(const LoadedImage& part);

} // namespace pollard
