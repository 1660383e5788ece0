#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/boruvka/turned_levels.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>

// Pass 4.

namespace pollard::cuda {

/// The branch of a pixel: starts at the branch known in its tile and follows at most one link per round of pass 3
/// through the frozen components.
template <class Level> struct PixelBranches {
    TurnedLevels<Level> image;
    const std::uint32_t* codes;
    FrozenComponents components;
    std::uint32_t frozenCount;

    [[nodiscard]] POLLARD_DEVICE std::uint32_t of(std::uint32_t pixel, std::uint32_t level) const {
        const std::uint32_t code = codes[pixel];
        if ((code & BranchCode::kFrozenBit) == 0) {
            return frozenCount + code;
        }
        std::uint32_t branch = code & ~BranchCode::kFrozenBit;
        const std::uint64_t height = pixelKey(level, pixel);
        std::uint64_t hook = components.hook[branch];
        while (hook != EdgeKey::kNone && EdgeKey::reaches(hook, height)) {
            branch = components.joined[branch];
            hook = components.hook[branch];
        }
        return branch;
    }
};

/// Output of the sort keys.
struct PixelKeys {
    KeyLayout layout;
    std::uint64_t* keys;
    std::uint32_t* pixels; ///< nullptr if the layout is packed

    POLLARD_DEVICE void set(std::size_t place, std::uint32_t branch, std::uint32_t level, std::uint32_t pixel) const {
        keys[place] = layout.make(branch, level, pixel);
        if (pixels != nullptr) {
            pixels[place] = pixel;
        }
    }
};

/// Makes the sort keys of all pixels. One thread per pixel.
template <class Level> struct MakeKeys {
    PixelBranches<Level> branches;
    PixelKeys keys;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto pixel = static_cast<std::uint32_t>(i);
        const std::uint32_t level = branches.image[i];
        keys.set(i, branches.of(pixel, level), level, pixel);
    }
};

} // namespace pollard::cuda
