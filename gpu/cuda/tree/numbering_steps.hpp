#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/device/levels.hpp"
#include "cuda/tree/euler_tour.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// Steps of the numbering, each for one pixel or one node, so that tests can run them in a loop.

namespace pollard::cuda {

/// A set of pixels as a bit mask with the number of members before each word of 32 pixels. Gives the rank of a pixel
/// with two loads and a quarter of a byte per pixel, without an array of node indices per pixel.
struct RankIndex {
    const std::uint32_t* mask;   ///< bit p % 32 of word p / 32 is set if pixel p is a member
    const std::uint32_t* before; ///< per word: members in earlier words; one element more than there are words

    [[nodiscard]] POLLARD_HOST_DEVICE bool contains(std::size_t pixel) const noexcept {
        return ((mask[pixel / 32] >> (pixel % 32)) & 1U) != 0;
    }
    /// Number of members before @p pixel: the index of a member in raster order.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rank(std::size_t pixel) const noexcept {
        const std::uint32_t earlier = mask[pixel / 32] & ((1U << (pixel % 32)) - 1U);
#ifdef __CUDA_ARCH__
        return before[pixel / 32] + static_cast<std::uint32_t>(__popc(earlier));
#else
        return before[pixel / 32] + static_cast<std::uint32_t>(std::popcount(earlier));
#endif
    }
};

[[nodiscard]] constexpr std::size_t wordsOf(std::size_t pixels) noexcept { return (pixels + 31) / 32; }

/// Whether a pixel is the canonical pixel of its node: it points to a lower level or, for the root, to itself.
template <class T> struct IsCanonical {
    LevelView<T> levels;
    const std::uint32_t* parentImage;

    [[nodiscard]] POLLARD_HOST_DEVICE bool operator()(std::size_t pixel) const noexcept {
        const std::uint32_t parent = parentImage[pixel];
        // The canonical pixel of a node is its last in raster order: a pixel that points back, or to itself, is
        // canonical.
        return parent <= pixel || levels[parent] < levels[pixel];
    }
};

/// Lists the canonical pixels in raster order. The v-th of them stands for node v until the nodes are numbered.
struct ListNodes {
    RankIndex index;
    const std::uint32_t* parentImage;
    std::uint32_t nodeCount;
    std::uint32_t* canonical; ///< per node: pixel
    std::uint32_t* parent;    ///< per node: node; nodeCount for the root, so that it sorts behind all children
    std::uint32_t* node;      ///< v itself

    POLLARD_HOST_DEVICE void operator()(std::size_t pixel) const noexcept {
        if (!index.contains(pixel)) {
            return;
        }
        const std::uint32_t v = index.rank(pixel);
        const std::uint32_t up = parentImage[pixel];
        canonical[v] = static_cast<std::uint32_t>(pixel);
        parent[v] = up == pixel ? nodeCount : index.rank(up);
        node[v] = v;
    }
};

/// Links the tour, given the nodes sorted by parent and siblings by canonical pixel. `next` must be filled with
/// kNoElement.
struct LinkTour {
    const std::uint32_t* parent; ///< sorted
    const std::uint32_t* node;   ///< in the same order
    std::uint32_t nodeCount;
    std::uint32_t* next; ///< per element

    POLLARD_HOST_DEVICE void operator()(std::size_t k) const noexcept {
        const std::uint32_t up = parent[k];
        if (up == nodeCount) {
            return; // leaving the root ends the tour
        }
        const std::uint32_t v = node[k];
        if (k == 0 || parent[k - 1] != up) {
            next[entering(up)] = entering(v);
        }
        // The root is sorted last, so element k + 1 exists.
        next[leaving(v)] = parent[k + 1] == up ? entering(node[k + 1]) : leaving(up);
    }
};

/// Moves the data of each node to its preorder number.
/// @return 1 if the node is a leaf
template <class T> struct WriteNodes {
    RankIndex index;
    const std::uint32_t* parentImage;
    const std::uint32_t* canonicalOf; ///< per node in raster order
    const std::uint32_t* tour;        ///< as written by NumberSegment
    const T* pixels;                  ///< original grey levels
    std::uint32_t* parent;            ///< this and the following: indexed by number
    std::uint32_t* subtreeEnd;
    std::uint32_t* canonical;
    std::uint16_t* level;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t v) const noexcept {
        const std::uint32_t number = tour[2 * v];
        const std::uint32_t end = tour[2 * v + 1];
        const std::uint32_t pixel = canonicalOf[v];
        parent[number] = tour[2 * std::size_t{index.rank(parentImage[pixel])}];
        subtreeEnd[number] = end;
        canonical[number] = pixel;
        level[number] = pixels[pixel];
        return end == number + 1 ? 1U : 0U;
    }
};

/// Replaces the parent image by the node index of each pixel, in place. A thread writes only its own pixel's entry,
/// and no other thread reads it.
struct WritePixelNodes {
    RankIndex index;
    const std::uint32_t* tour;
    std::uint32_t* parentImage;

    POLLARD_HOST_DEVICE void operator()(std::size_t pixel) const noexcept {
        const std::size_t canonical = index.contains(pixel) ? pixel : parentImage[pixel];
        parentImage[pixel] = tour[2 * std::size_t{index.rank(canonical)}];
    }
};

} // namespace pollard::cuda
