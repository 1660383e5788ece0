#pragma once

#include "branches/build_state.hpp"
#include "branches/edge_key.hpp"
#include "branches/sorted_pixels.hpp"
#include "branches/turned_levels.hpp"
#include "device/kernel_threads.hpp"

#include <cstddef>

namespace pollard::cuda {

/// Pass 4, a thread a pixel: finishes the way to the pixel's branch through the frozen components, and makes its sort
/// key. The way is no longer than there were rounds.
template <class Level> struct MakeKeys {
    TurnedLevels<Level> image;
    const std::uint32_t* codes;
    FrozenComponents components;
    std::uint32_t frozenCount;
    KeyLayout layout;
    std::uint64_t* keys;
    std::uint32_t* pixels; ///< nullptr if the layout is packed

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto pixel = static_cast<std::uint32_t>(i);
        const std::uint32_t level = image[i];
        const std::uint32_t code = codes[i];
        std::uint32_t branch;
        if ((code & BranchCode::kFrozenBit) != 0) {
            branch = code & ~BranchCode::kFrozenBit;
            const std::uint64_t height = pixelKey(level, pixel);
            std::uint64_t hook = components.hook[branch];
            while (hook != EdgeKey::kNone && EdgeKey::reaches(hook, height)) {
                branch = components.joined[branch];
                hook = components.hook[branch];
            }
        } else {
            branch = frozenCount + code;
        }
        keys[i] = layout.make(branch, level, pixel);
        if (pixels != nullptr) {
            pixels[i] = pixel;
        }
    }
};

} // namespace pollard::cuda
