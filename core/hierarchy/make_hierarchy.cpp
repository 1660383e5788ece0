#include "hierarchy/make_hierarchy.hpp"

#include "base/disjoint_sets.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "hierarchy/grid_edges.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace pollard {

namespace {

using Merge = Hierarchy::Merge;

constexpr std::size_t kStopEvery = std::size_t{1} << 16;

// Components of the edges with a weight of at most w, while w rises. A component starts as a pixel, which has no
// minimum. `riseTo(w)` is called before the component's first edge of weight w; it sets `extinction`, the measure of
// the component just below w, which is the extinction value of its minimum if a component with a larger one joins it.
// Components that meet at one weight keep the largest of their extinction values until the weight rises.

struct Component {
    static constexpr std::int32_t kPixel = -1;

    std::int32_t weight = kPixel; ///< of its last edge
};

struct AltitudeComponent : Component {
    std::uint16_t extinction = 0;
    void riseTo(std::uint16_t w) noexcept { extinction = w; }
    void add(const AltitudeComponent& /*other*/) noexcept {}
};

struct DynamicsComponent : Component {
    std::uint16_t lowest = 0;
    std::uint16_t extinction = 0;
    void riseTo(std::uint16_t w) noexcept {
        lowest = weight == kPixel ? w : lowest;
        extinction = static_cast<std::uint16_t>(w - lowest);
    }
    void add(const DynamicsComponent& other) noexcept { lowest = std::min(lowest, other.lowest); }
};

struct AreaComponent : Component {
    std::uint32_t area = 1;
    std::uint32_t extinction = 0;
    void riseTo(std::uint16_t /*w*/) noexcept { extinction = weight == kPixel ? 0 : area; }
    void add(const AreaComponent& other) noexcept { area += other.area; }
};

struct VolumeComponent : Component {
    std::uint64_t volume = 0;
    std::uint64_t extinction = 0;
    std::uint32_t area = 1;
    void riseTo(std::uint16_t w) noexcept {
        volume += weight == kPixel ? 0 : std::uint64_t{area} * static_cast<std::uint64_t>(w - weight);
        extinction = volume;
    }
    void add(const VolumeComponent& other) noexcept {
        volume += other.volume;
        area += other.area;
    }
};

/// Joins the components of an edge. @param kept receives both @return strength of the boundary at the edge
template <class Measured> std::uint64_t joinAt(std::uint16_t weight, Measured& kept, Measured& joined) noexcept {
    for (Measured* each : {&kept, &joined}) {
        if (each->weight < weight) {
            each->riseTo(weight);
            each->weight = weight;
        }
    }
    const std::uint64_t strength = std::min(kept.extinction, joined.extinction);
    kept.extinction = std::max(kept.extinction, joined.extinction);
    kept.add(joined);
    return strength;
}

/// What is left of a tile after the joins that depend on its pixels alone.
template <class Measured> struct TileForest {
    std::vector<Measured> components;
    std::vector<std::uint32_t> componentOf; ///< per basin
    std::vector<std::uint32_t> first;       ///< per basin its first pixel in the image; ascending
    std::vector<Merge> merges;              ///< of basins of the tile
    std::vector<WeightedEdge> edges;        ///< the others that a spanning tree can have
};

/// Runs Kruskal's algorithm on the pixels of a tile. An edge joins two components if no earlier edge leaves them for
/// another tile: then they are components of the image. If an edge is left, so are all later edges of its components.
/// Uses its memory for one tile after another.
template <class Measured> class TileKruskal {
public:
    explicit TileKruskal(std::size_t pixels)
        : components_(pixels), isOpen_(pixels), sets_(pixels), zones_(pixels), basins_(pixels), component_(pixels) {}

    /// @param basins receives the basin of each pixel of the tile
    [[nodiscard]] TileForest<Measured> run(const GridEdges& grid, const Extent& image, const GridTile& tile,
                                           Buffer<std::uint32_t>& basins) {
        grid.find(tile, edges_);
        start(tile.extent.pixelCount());
        TileForest<Measured> forest;
        forest.edges = edges_.leaving;
        for (const TileEdges::Edge& edge : edges_.edges) {
            if (edge.leaves()) {
                isOpen_[sets_.find(edge.first)] = 1;
                continue;
            }
            const std::uint16_t from = sets_.find(edge.first);
            const std::uint16_t into = sets_.find(edge.second);
            if (from == into) {
                continue; // the edge closes a circle of earlier edges
            }
            if ((isOpen_[from] | isOpen_[into]) != 0) {
                leave(edge, from, into, image, tile, forest);
            } else {
                join(edge, from, into);
            }
        }
        number(image, tile, forest, basins);
        for (const Joined& each : joins_) {
            forest.merges.push_back(
                {each.strength, basins[tile.pixelIn(image, each.first)], basins[tile.pixelIn(image, each.second)]});
        }
        return forest;
    }

private:
    struct Joined {
        std::uint64_t strength;
        std::uint16_t first;
        std::uint16_t second;
    };

    void start(std::size_t pixels) {
        components_.assign(pixels, Measured{});
        isOpen_.assign(pixels, 0);
        component_.assign(pixels, kNew);
        sets_.reset();
        zones_.reset();
        basins_.reset();
        joins_.clear();
    }
    void join(const TileEdges::Edge& edge, std::uint16_t from, std::uint16_t into) {
        const std::uint64_t strength = joinAt(edge.weight, components_[into], components_[from]);
        sets_.join(from, into);
        if (strength == 0) {
            const std::uint16_t basin = basins_.find(edge.first);
            const std::uint16_t other = basins_.find(edge.second);
            basins_.join(std::max(basin, other), std::min(basin, other)); // the first pixel stands for its basin
        } else {
            joins_.push_back({strength, edge.first, edge.second});
        }
    }
    /// Leaves an edge to the forest, unless it closes a circle of such edges.
    void leave(const TileEdges::Edge& edge, std::uint16_t from, std::uint16_t into, const Extent& image,
               const GridTile& tile, TileForest<Measured>& forest) {
        isOpen_[from] = isOpen_[into] = 1; // no later edge can join them here
        const std::uint16_t zone = zones_.find(from);
        const std::uint16_t other = zones_.find(into);
        if (zone != other) {
            zones_.join(zone, other);
            forest.edges.push_back({edge.weight, tile.pixelIn(image, edge.first), tile.pixelIn(image, edge.second)});
        }
    }
    void number(const Extent& image, const GridTile& tile, TileForest<Measured>& forest,
                Buffer<std::uint32_t>& basins) {
        for (std::uint32_t local = 0; local < components_.size(); ++local) {
            const std::uint32_t pixel = tile.pixelIn(image, local);
            const std::uint32_t firstLocal = basins_.find(static_cast<std::uint16_t>(local));
            if (firstLocal != local) {
                basins[pixel] = basins[tile.pixelIn(image, firstLocal)];
                continue;
            }
            basins[pixel] = static_cast<std::uint32_t>(forest.first.size());
            forest.first.push_back(pixel);
            const std::uint16_t set = sets_.find(static_cast<std::uint16_t>(local));
            if (component_[set] == kNew) {
                component_[set] = static_cast<std::uint32_t>(forest.components.size());
                forest.components.push_back(components_[set]);
            }
            forest.componentOf.push_back(component_[set]);
        }
    }

    static constexpr std::uint32_t kNew = std::numeric_limits<std::uint32_t>::max();

    TileEdges edges_;
    std::vector<Joined> joins_;
    std::vector<Measured> components_;
    std::vector<std::uint8_t> isOpen_;     ///< per component whether an edge left it for another one
    DisjointSetsOf<std::uint16_t> sets_;   ///< pixels of a component
    DisjointSetsOf<std::uint16_t> zones_;  ///< components that edges of the forest connect
    DisjointSetsOf<std::uint16_t> basins_; ///< pixels of a basin
    std::vector<std::uint32_t> component_; ///< per component its number in the forest
};

/// The forests of all tiles as one, with numbers of the image.
template <class Measured> class HierarchyBuilder {
public:
    HierarchyBuilder(const Image& image, const Mask* valid, const HierarchySpec& spec, const Extent& tile,
                     const JobControl& control)
        : image_(image), valid_(valid), spec_(spec), tile_(tile), control_(control), basins_(image.pixelCount()) {}

    [[nodiscard]] Hierarchy make() {
        constexpr double kTiles = 0.4;
        constexpr double kJoined = 0.8;
        control_.report(0, "joining pixels");
        runTiles();
        control_.report(kTiles, "joining tiles");
        DisjointSets same(first_.size()); // basins of tiles that are one basin
        joinTiles(same);
        control_.report(kJoined, "sorting boundaries");
        const Hierarchy::Counts counts = numberBasins(same);
        return {image_.extent(), std::move(basins_), counts, std::move(merges_), control_};
    }

private:
    using Forests = std::vector<TileForest<Measured>>;

    void runTiles() {
        const GridEdges edges(image_, valid_, spec_.weight, spec_.connectivity);
        const std::vector<GridTile> tiles = gridTiles(image_.extent(), tile_);
        Forests forests(tiles.size());
        tbb::enumerable_thread_specific<TileKruskal<Measured>> kruskals(tiles.front().extent.pixelCount());
        forEachIndex(
            tiles.size(), control_,
            [&](std::size_t i) { forests[i] = kruskals.local().run(edges, image_.extent(), tiles[i], basins_); }, 1);
        append(forests, tiles);
    }
    void append(Forests& forests, const std::vector<GridTile>& tiles) {
        std::vector<TileBegin> begin(forests.size() + 1);
        for (std::size_t i = 0; i < forests.size(); ++i) {
            begin[i + 1] = {begin[i].basin + forests[i].first.size(), begin[i].component + forests[i].components.size(),
                            begin[i].merge + forests[i].merges.size(), begin[i].edge + forests[i].edges.size()};
        }
        first_ = Buffer<std::uint32_t>(begin.back().basin);
        componentOf_ = Buffer<std::uint32_t>(begin.back().basin);
        components_ = Buffer<Measured>(begin.back().component);
        merges_.resize(begin.back().merge);
        edges_ = Buffer<WeightedEdge>(begin.back().edge);
        forEachIndex(
            tiles.size(), control_,
            [&](std::size_t i) {
                const TileForest<Measured> forest = std::move(forests[i]);
                const auto basin = static_cast<std::uint32_t>(begin[i].basin);
                const auto component = static_cast<std::uint32_t>(begin[i].component);
                std::ranges::copy(forest.first, first_.data() + basin);
                std::ranges::copy(forest.components, components_.data() + component);
                std::ranges::copy(forest.edges, edges_.data() + begin[i].edge);
                std::ranges::transform(forest.componentOf, componentOf_.data() + basin,
                                       [&](std::uint32_t each) { return each + component; });
                std::ranges::transform(forest.merges, merges_.data() + begin[i].merge, [&](const Merge& merge) {
                    return Merge{merge.strength, merge.basin + basin, merge.other + basin};
                });
                for (std::uint32_t local = 0; local < tiles[i].extent.pixelCount(); ++local) {
                    basins_[tiles[i].pixelIn(image_.extent(), local)] += basin;
                }
            },
            1);
    }
    void joinTiles(DisjointSets& same) {
        tbb::parallel_sort(edges_.begin(), edges_.end());
        struct Ends {
            std::uint32_t from, into;
        };
        Buffer<Ends> ends(edges_.size()); // components at the edges
        forEachIndex(ends.size(), control_, [&](std::size_t i) {
            ends[i] = {componentOf_[basins_[edges_[i].second]], componentOf_[basins_[edges_[i].first]]};
        });
        constexpr std::size_t kAhead = 16;
        DisjointSets sets(components_.size());
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (i % kStopEvery == 0) {
                control_.throwIfStopped();
            }
            if (i + kAhead < ends.size()) {
                sets.prefetch(ends[i + kAhead].from);
                sets.prefetch(ends[i + kAhead].into);
            }
            const std::uint32_t from = sets.find(ends[i].from);
            const std::uint32_t into = sets.find(ends[i].into);
            if (into == from) {
                continue;
            }
            const std::uint64_t strength = joinAt(edges_[i].weight, components_[into], components_[from]);
            sets.join(from, into);
            const std::uint32_t basin = basins_[edges_[i].first];
            const std::uint32_t other = basins_[edges_[i].second];
            if (strength == 0) {
                const std::uint32_t a = same.find(basin);
                const std::uint32_t b = same.find(other);
                const bool isFirst = first_[a] < first_[b];
                same.join(isFirst ? b : a, isFirst ? a : b);
            } else {
                merges_.push_back({strength, basin, other});
            }
        }
    }
    /// Numbers the basins in the order of their first pixels.
    Hierarchy::Counts numberBasins(DisjointSets& same) {
        constexpr std::size_t kBits = 64;
        std::vector<std::uint64_t> isFirst(basins_.size() / kBits + 1); // bit of a pixel
        Hierarchy::Counts counts;
        for (std::uint32_t basin = 0; basin < first_.size(); ++basin) {
            if (same.find(basin) == basin) {
                isFirst[first_[basin] / kBits] |= std::uint64_t{1} << first_[basin] % kBits;
                counts.withData += hasData(first_[basin]) ? 1 : 0;
            }
        }
        std::vector<std::uint32_t> before(isFirst.size()); // per word the basins with a first pixel before it
        for (std::size_t word = 0; word < before.size(); ++word) {
            before[word] = static_cast<std::uint32_t>(counts.basins);
            counts.basins += static_cast<std::size_t>(std::popcount(isFirst[word]));
        }
        Buffer<std::uint32_t>& number = componentOf_; // from here on
        for (std::uint32_t basin = 0; basin < number.size(); ++basin) {
            const std::uint32_t pixel = first_[same.find(basin)];
            const std::uint64_t earlier = isFirst[pixel / kBits] & ((std::uint64_t{1} << pixel % kBits) - 1);
            number[basin] = before[pixel / kBits] + static_cast<std::uint32_t>(std::popcount(earlier));
        }
        forEachIndex(basins_.size(), control_, [&](std::size_t pixel) { basins_[pixel] = number[basins_[pixel]]; });
        forEachIndex(merges_.size(), control_, [&](std::size_t i) {
            merges_[i].basin = number[merges_[i].basin];
            merges_[i].other = number[merges_[i].other];
        });
        first_ = {};
        componentOf_ = {};
        components_ = {};
        edges_ = {};
        return counts;
    }
    [[nodiscard]] bool hasData(std::uint32_t pixel) const noexcept {
        return valid_ == nullptr || valid_->test(pixel % image_.width(), pixel / image_.width());
    }

    /// Numbers of the first ones of a tile.
    struct TileBegin {
        std::size_t basin = 0;
        std::size_t component = 0;
        std::size_t merge = 0;
        std::size_t edge = 0;
    };

    const Image& image_;
    const Mask* valid_;
    const HierarchySpec& spec_;
    const Extent& tile_;
    const JobControl& control_;
    Buffer<std::uint32_t> basins_; ///< of the pixels
    Buffer<std::uint32_t> first_;
    Buffer<std::uint32_t> componentOf_;
    Buffer<Measured> components_;
    Buffer<WeightedEdge> edges_;
    std::vector<Merge> merges_;
};

} // namespace

Hierarchy makeHierarchy(const Image& image, const Mask* valid, const HierarchySpec& spec, const JobControl& control,
                        const Extent& tile) try {
    constexpr std::uint64_t kPixelBytes = 80; // if each pixel is a basin
    requireAvailable("hierarchy: image of " + text(image.extent()), kPixelBytes * image.pixelCount());
    switch (spec.strength) {
    case Strength::altitude:
        return HierarchyBuilder<AltitudeComponent>(image, valid, spec, tile, control).make();
    case Strength::dynamics:
        return HierarchyBuilder<DynamicsComponent>(image, valid, spec, tile, control).make();
    case Strength::area:
        return HierarchyBuilder<AreaComponent>(image, valid, spec, tile, control).make();
    case Strength::volume:
        break;
    }
    return HierarchyBuilder<VolumeComponent>(image, valid, spec, tile, control).make();
} catch (const std::bad_alloc&) {
    throw Error(ErrorCode::outOfMemory, "hierarchy: not enough memory for an image of " + text(image.extent()));
}

Hierarchy makeHierarchy(const Image& image, const Mask* valid, const HierarchySpec& spec, const JobControl& control) {
    constexpr Extent kImageTile{128, 128, 1};
    constexpr Extent kVolumeTile{32, 32, 16};
    return makeHierarchy(image, valid, spec, control, image.extent().isVolume() ? kVolumeTile : kImageTile);
}

} // namespace pollard
