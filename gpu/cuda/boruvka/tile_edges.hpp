#pragma once

#include "cuda/boruvka/tile_work.hpp"

namespace pollard::cuda {

/// Removes the edges between pixels of one maximum, which are the majority: a uniform loop does this faster than the
/// rounds of hookWithinTile(). (Also removing the lower ones of adjacent edges between the same two maxima costs more
/// than it saves.)
template <class Work> POLLARD_DEVICE void forgetInnerEdges(Work& tile) {
    const auto& basin = tile.memory.basin;
    tile.forEachPixel([&](int k, std::uint32_t place) {
        const std::uint32_t flags = tile.flags.get(k);
        const std::uint32_t here = basin[place];
        std::uint32_t inner = 0;
        for (int n = 0; n < Work::kOwnEdges; ++n) {
            const std::uint32_t bit = Work::kEdge0 << n;
            if ((flags & bit) != 0 && basin[Work::moved(place, Work::step(Work::ownDirection(n)))] == here) {
                inner |= bit;
            }
        }
        tile.flags.remove(k, inner);
    });
}

} // namespace pollard::cuda
