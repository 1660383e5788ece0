#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/device/levels.hpp"
#include "cuda/tree/euler_tour.hpp"
#include "cuda/tree/rank_index.hpp"

#include <cstddef>
#include <cstdint>

// The numbering, step by step: each is what is done for one pixel or one node, so that tests can run it in a loop.

namespace pollard::cuda {

/// Whether a pixel is the canonical one of its node: it points to a lower level or, as the root's, to itself.
template <class T> struct IsCanonical {
    LevelView<T> levels;
    const std::uint32_t* parentImage;

    [[nodiscard]] POLLARD_HOST_DEVICE bool operator()(std::size_t pixel) const noexcept {
        const std::uint32_t parent = parentImage[pixel];
        // A node's canonical pixel is its last: who points back in raster order, or to itself, is canonical.
        return parent <= pixel || levels[parent] < levels[pixel];
    }
};

/// Lists the canonical pixels in raster order: node v is the v-th of them until it has its number in the tree.
struct ListNodes {
    RankIndex index;
    const std::uint32_t* parentImage;
    std::uint32_t nodeCount;
    std::uint32_t* canonical; ///< per node: pixel
    std::uint32_t* parent;    ///< per node: node; nodeCount for the root, so that it sorts behind all children
    std::uint32_t* node;      ///< per node: itself

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

/// Links the tour, given the nodes sorted by parent, siblings by canonical pixel. next must hold kNoElement.
struct LinkTour {
    const std::uint32_t* parent; ///< sorted
    const std::uint32_t* node;   ///< in the same order
    std::uint32_t nodeCount;
    std::uint32_t* next; ///< per element

    POLLARD_HOST_DEVICE void operator()(std::size_t k) const noexcept {
        const std::uint32_t up = parent[k];
        if (up == nodeCount) {
            return; // the tour ends where the root is left
        }
        const std::uint32_t v = node[k];
        if (k == 0 || parent[k - 1] != up) {
            next[entering(up)] = entering(v);
        }
        // The root comes last, so there is an element k + 1.
        next[leaving(v)] = parent[k + 1] == up ? entering(node[k + 1]) : leaving(up);
    }
};

/// Moves what is known of a node to its number.
/// @return 1 if the node is a leaf
template <class T> struct WriteNodes {
    RankIndex index;
    const std::uint32_t* parentImage;
    const std::uint32_t* canonicalOf; ///< per node in raster order
    const std::uint32_t* tour;        ///< as NumberSegment leaves it
    const T* pixels;                  ///< original levels
    std::uint32_t* parent;            ///< this and the following: per number
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

/// Turns the parent image into the number of every pixel's node, in place: nobody reads another pixel's.
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
