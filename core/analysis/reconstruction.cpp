#include "analysis/reconstruction.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>
#include <string>

namespace pollard {

namespace {

constexpr std::size_t kReconstructStopEvery = std::size_t{1} << 16;

/// @param farther whether the first level is farther from the root than the second
template <class Farther> Buffer<std::uint16_t> reconstructFrom(const ComponentTree& tree, const Image& marker,
                                                               const JobControl& control, Farther&& farther) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint16_t> reached(n); // the farthest level of the marker in each component, at most the node's
    std::fill(reached.begin(), reached.end(),
              tree.kind == TreeKind::max ? std::uint16_t{0} : maxLevelOf(PixelType::u16));
    dispatch(marker.type(), [&]<class Pixel>(Pixel) {
        const Pixel* values = marker.pixels<Pixel>().data();
        for (std::size_t p = 0; p < tree.pixelCount(); ++p) {
            if (p % kReconstructStopEvery == 0) {
                control.throwIfStopped();
            }
            const std::uint32_t node = tree.pixelNode[p];
            const std::uint16_t value = farther(values[p], tree.level[node]) ? tree.level[node] : values[p];
            if (farther(value, reached[node])) {
                reached[node] = value;
            }
        }
    });
    control.throwIfStopped();
    for (std::size_t i = n; i-- > 1;) {
        std::uint16_t& up = reached[tree.parent[i]];
        if (farther(reached[i], up)) {
            up = reached[i];
        }
    }
    control.throwIfStopped();
    for (std::size_t i = 0; i < n; ++i) {
        if (farther(reached[i], tree.level[i])) {
            reached[i] = tree.level[i]; // a descendant flooded the component beyond its node's level
        }
        if (i != 0 && farther(reached[tree.parent[i]], reached[i])) {
            reached[i] = reached[tree.parent[i]];
        }
    }
    return reached;
}

} // namespace

Buffer<std::uint16_t> reconstructedLevels(const ComponentTree& tree, const Image& marker, const JobControl& control) {
    if (marker.extent() != tree.extent()) {
        throw Error(ErrorCode::invalidArgument,
                    "reconstruction: a marker of " + text(marker.extent()) + " for a mask of " + text(tree.extent()));
    }
    try {
        return tree.kind == TreeKind::max ? reconstructFrom(tree, marker, control, std::greater<>())
                                          : reconstructFrom(tree, marker, control, std::less<>());
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "reconstruction: no memory for " + std::to_string(tree.nodeCount()) + " nodes");
    }
}

} // namespace pollard
