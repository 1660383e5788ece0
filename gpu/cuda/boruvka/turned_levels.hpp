#pragma once

#include "cuda/device/host_device.hpp"

#include <cstddef>
#include <type_traits>

namespace pollard::cuda {

/// The grey levels of an image rotated by 180 degrees: pixel i is the i-th from the end. The canonical pixel of a node,
/// the last of its level, thereby becomes the first one in the natural order *level, then index*.
template <class Level> struct TurnedLevels {
    const Level* last; ///< the last pixel of the image
    Level flip;        ///< 0, or all ones for a min-tree

    [[nodiscard]] POLLARD_HOST_DEVICE Level operator[](std::size_t i) const {
        return static_cast<Level>(*(last - static_cast<std::ptrdiff_t>(i)) ^ flip);
    }
};
static_assert(std::is_trivially_copyable_v<TurnedLevels<unsigned char>>);

} // namespace pollard::cuda
