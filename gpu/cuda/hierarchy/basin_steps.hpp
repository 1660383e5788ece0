#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/global_hooking.hpp"
#include "cuda/hierarchy/edge_grid.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

// Basins of a hierarchy. A pixel first joins others by its first edge; the weight of this edge is the pixel's own
// weight. Pixels linked by their first edges are components, of which one pixel stays the root. The component's own
// weight is the weight of its root, the lowest one. Components join along edges of their own weight until no such edge
// leaves: a component then has one minimum. If basins are flat zones, all own weights are 0.

namespace pollard::cuda {

/// The components of pixels.
struct PixelLinks {
    std::uint32_t* to;     ///< per pixel a pixel of the same component; itself for a root
    std::uint16_t* weight; ///< own weight of each pixel
};

/// One thread per pixel.
template <class Level> struct LinkFirstEdges {
    EdgeGrid<Level> grid;
    bool areFlat; ///< basins are flat zones
    PixelLinks links;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto pixel = static_cast<std::uint32_t>(i);
        std::uint32_t lowest = FirstEdge::kNever;
        std::uint32_t to = pixel;
        grid.forEachEdge(pixel, [&](std::uint32_t other, std::uint32_t weight) {
            if (weight < lowest) {
                lowest = weight;
                to = other;
            }
        });
        const bool isAlone = lowest == FirstEdge::kNever || (areFlat && lowest > 0);
        links.to[i] = isAlone ? pixel : to;
        links.weight[i] = static_cast<std::uint16_t>(isAlone || areFlat ? 0 : lowest);
    }
};

/// Makes the earlier one of two pixels that are linked to each other a root. One thread per pixel.
struct RootPairs {
    PixelLinks links;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t to = loadFresh(&links.to[i]);
        if (to > i && loadFresh(&links.to[to]) == i) {
            storeFresh(&links.to[i], static_cast<std::uint32_t>(i));
        }
    }
};

/// Links each pixel closer to its root, at most kSteps links. Returns 1 if the root is not reached. One thread per
/// pixel. The bound keeps threads that start early from following long paths that others shorten.
struct FollowLinks {
    static constexpr std::uint32_t kSteps = 16;

    std::uint32_t* links;

    POLLARD_DEVICE std::uint32_t operator()(std::size_t i) const {
        std::uint32_t at = loadFresh(&links[i]);
        for (std::uint32_t step = 0; step < kSteps; ++step) {
            const std::uint32_t next = loadFresh(&links[at]);
            if (next == at) {
                return 0;
            }
            at = next;
            storeFresh(&links[i], at);
        }
        return 1;
    }
};

/// Chooses the edges by which two components can join. All pixels are linked to roots.
struct PlateauEdges {
    const std::uint32_t* ends;    ///< PixelLinks::to
    const std::uint16_t* weights; ///< PixelLinks::weight

    template <class Level> [[nodiscard]] POLLARD_DEVICE bool takes(const EdgeGrid<Level>& /*grid*/, std::uint32_t pixel,
                                                                   std::uint32_t other, std::uint32_t weight,
                                                                   std::uint32_t /*way*/) const {
        const std::uint32_t one = ends[pixel];
        const std::uint32_t two = ends[other];
        return one != two && (weight == weights[one] || weight == weights[two]);
    }
};

/// Chooses the edges between basins that can be in the minimum spanning tree.
struct BasinEdges {
    const std::uint32_t* ends; ///< basins of the pixels

    template <class Level> [[nodiscard]] POLLARD_DEVICE bool takes(const EdgeGrid<Level>& grid, std::uint32_t pixel,
                                                                   std::uint32_t other, std::uint32_t weight,
                                                                   std::uint32_t way) const {
        return ends[pixel] != ends[other] && !grid.endsCircle(pixel, way, weight);
    }
};

/// Marks the chosen edges of a pixel to later ones. One thread per pixel.
template <class Level, class Edges> struct MarkEdges {
    EdgeGrid<Level> grid;
    Edges edges;
    std::uint16_t* marks; ///< a bit for each way
    std::uint32_t* counts;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto pixel = static_cast<std::uint32_t>(i);
        std::uint32_t bits = 0;
        grid.forEachLater(pixel, [&](std::uint32_t other, std::uint32_t weight, std::uint32_t way) {
            bits |= edges.takes(grid, pixel, other, weight, way) ? 1U << way : 0U;
        });
        marks[i] = static_cast<std::uint16_t>(bits);
        counts[i] = countBits(bits);
    }
};

/// Lists the marked edges. One thread per pixel.
template <class Level> struct ListEdges {
    EdgeGrid<Level> grid;
    const std::uint32_t* ends; ///< component of each pixel
    const std::uint16_t* marks;
    const std::uint32_t* places; ///< per pixel the number of edges of earlier ones, then of all
    EdgeList list;
    std::uint32_t* count; ///< of the list

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto pixel = static_cast<std::uint32_t>(i);
        if (i == 0) {
            *count = places[grid.pixelCount()];
        }
        std::uint32_t place = places[i];
        for (std::uint32_t bits = marks[i]; bits != 0; bits &= bits - 1) {
            const auto way = static_cast<std::uint32_t>(lowestBit(bits));
            const std::uint32_t other = grid.secondOf(pixel, way);
            list.one[place] = ends[pixel];
            list.other[place] = ends[other];
            list.key[place++] = FirstEdge::make(grid.weightBetween(pixel, other), pixel, way);
        }
    }
};

/// Makes each root of pixels a component that can be hooked. One thread per pixel.
struct StartPlateaus {
    FrozenComponents components; ///< `joined` are the links

    POLLARD_DEVICE void operator()(std::size_t i) const {
        components.best[i] = components.joined[i] == i ? EdgeKey::kNone : kSettled;
    }
};

/// As StartPlateaus, for the ends of edges alone. One thread per edge.
struct StartEnds {
    EdgeList edges;
    FrozenComponents components;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        storeSame(&components.best[edges.one[i]], EdgeKey::kNone);
        storeSame(&components.best[edges.other[i]], EdgeKey::kNone);
    }
};

/// Moves edges by which components can join to the next round, and proposes them to the components whose own weight
/// they have. One thread per edge. As CarryEdges.
struct CarryPlateaus {
    EdgeList edges;
    EdgeList carried;
    std::uint32_t* carriedCount; ///< 0 at the start
    FrozenComponents components;
    const std::uint16_t* weights; ///< PixelLinks::weight

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t one = components.joined[edges.one[i]];
        const std::uint32_t other = components.joined[edges.other[i]];
        const std::uint64_t key = edges.key[i];
        const std::uint32_t weight = FirstEdge::weight(key);
        const bool fitsOne = weight == weights[one];
        const bool fitsOther = weight == weights[other];
        if (one == other || !(fitsOne || fitsOther)) {
            return;
        }
        const std::uint32_t place = takePlace(carriedCount);
        carried.one[place] = one;
        carried.other[place] = other;
        carried.key[place] = key;
        if (fitsOne) {
            raiseTo(&components.best[one], key);
        }
        if (fitsOther) {
            raiseTo(&components.best[other], key);
        }
    }
};

/// One thread per pixel.
struct FindFirstPixels {
    const std::uint32_t* root;
    std::uint32_t* first; ///< per root the first pixel of its component; all ones at the start

    POLLARD_DEVICE void operator()(std::size_t i) const {
        if (i < loadFresh(&first[root[i]])) {
            lowerTo(&first[root[i]], static_cast<std::uint32_t>(i));
        }
    }
};

/// Marks the first pixels of basins and counts the basins with data. One thread per pixel.
template <class Level> struct MarkFirstPixels {
    EdgeGrid<Level> grid;
    const std::uint32_t* root;
    const std::uint32_t* first;
    std::uint32_t* marks;

    POLLARD_DEVICE std::uint32_t operator()(std::size_t i) const {
        const bool isFirst = first[root[i]] == i;
        marks[i] = isFirst ? 1 : 0;
        return isFirst && grid.hasData(static_cast<std::uint32_t>(i)) ? 1 : 0;
    }
};

/// Notes the own weight of each basin, and whether it has data. One thread per pixel.
template <class Level> struct NoteBasins {
    EdgeGrid<Level> grid;
    PixelLinks links;
    std::uint32_t* firstThenBasin; ///< per root
    const std::uint32_t* number;   ///< of the basin that begins at a pixel
    std::uint16_t* ownWeight;      ///< per basin
    std::uint8_t* hasData;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        if (links.to[i] == i) {
            const std::uint32_t basin = number[firstThenBasin[i]];
            firstThenBasin[i] = basin;
            ownWeight[basin] = links.weight[i];
            hasData[basin] = grid.hasData(static_cast<std::uint32_t>(i)) ? 1 : 0;
        }
    }
};

/// Replaces roots by numbers of basins. One thread per pixel.
struct NumberPixels {
    const std::uint32_t* basin; ///< per root
    std::uint32_t* rootThenBasin;

    POLLARD_DEVICE void operator()(std::size_t i) const { rootThenBasin[i] = basin[rootThenBasin[i]]; }
};

} // namespace pollard::cuda
