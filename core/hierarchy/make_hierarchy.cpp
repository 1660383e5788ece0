#include "hierarchy/make_hierarchy.hpp"

#include "base/disjoint_sets.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "hierarchy/grid_edges.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
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
template <class Measured> class TileKruskal {
public:
    TileKruskal(TileEdges edges, std::size_t pixels)
        : edges_(std::move(edges)), lowestOut_(std::move(edges_.lowestOut)), components_(pixels), sets_(pixels),
          zones_(pixels), basins_(pixels) {}

    /// @param basins receives the basin of each pixel of the tile
    [[nodiscard]] TileForest<Measured> run(const Extent& image, const GridTile& tile, Buffer<std::uint32_t>& basins) {
        struct Joined {
            std::uint64_t strength;
            std::uint16_t first;
            std::uint16_t second;
        };
        std::vector<Joined> joins;
        TileForest<Measured> forest;
        forest.edges = std::move(edges_.leaving);
        for (const auto& [first, second, weight] : edges_.inner) {
            const std::uint32_t a = zones_.find(first);
            const std::uint32_t b = zones_.find(second);
            if (a == b) {
                continue; // the edge closes a circle of earlier edges
            }
            zones_.join(std::max(a, b), std::min(a, b));
            const std::uint32_t from = sets_.find(first);
            const std::uint32_t into = sets_.find(second);
            const WeightedEdge edge{weight, tile.pixelIn(image, first), tile.pixelIn(image, second)};
            if (lowestOut_[from] < edge || lowestOut_[into] < edge) {
                lowestOut_[from] = lowestOut_[into] = {}; // no later edge can join them here
                forest.edges.push_back(edge);
                continue;
            }
            const std::uint64_t strength = joinAt(weight, components_[into], components_[from]);
            lowestOut_[into] = std::min(lowestOut_[into], lowestOut_[from]);
            sets_.join(from, into);
            if (strength == 0) {
                const std::uint32_t basin = basins_.find(first);
                const std::uint32_t other = basins_.find(second);
                basins_.join(std::max(basin, other), std::min(basin, other)); // the first pixel stands for its basin
            } else {
                joins.push_back({strength, first, second});
            }
        }
        number(image, tile, forest, basins);
        for (const Joined& each : joins) {
            forest.merges.push_back(
                {each.strength, basins[tile.pixelIn(image, each.first)], basins[tile.pixelIn(image, each.second)]});
        }
        return forest;
    }

private:
    void number(const Extent& image, const GridTile& tile, TileForest<Measured>& forest,
                Buffer<std::uint32_t>& basins) {
        constexpr std::uint32_t kNew = std::numeric_limits<std::uint32_t>::max();
        std::vector<std::uint32_t> component(components_.size(), kNew);
        for (std::uint32_t local = 0; local < components_.size(); ++local) {
            const std::uint32_t pixel = tile.pixelIn(image, local);
            const std::uint32_t firstLocal = basins_.find(local);
            if (firstLocal != local) {
                basins[pixel] = basins[tile.pixelIn(image, firstLocal)];
                continue;
            }
            basins[pixel] = static_cast<std::uint32_t>(forest.first.size());
            forest.first.push_back(pixel);
            const std::uint32_t set = sets_.find(local);
            if (component[set] == kNew) {
                component[set] = static_cast<std::uint32_t>(forest.components.size());
                forest.components.push_back(components_[set]);
            }
            forest.componentOf.push_back(component[set]);
        }
    }

    TileEdges edges_;
    std::vector<WeightedEdge> lowestOut_; ///< of a component
    std::vector<Measured> components_;
    DisjointSets sets_;  ///< pixels of a component
    DisjointSets zones_; ///< pixels that edges connect, joined or left
    DisjointSets basins_;
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
    void runTiles() {
        const GridEdges edges(image_, valid_, spec_.weight, spec_.connectivity);
        const std::vector<GridTile> tiles = gridTiles(image_.extent(), tile_);
        std::vector<TileForest<Measured>> forests(tiles.size());
        forEachIndex(
            tiles.size(), control_,
            [&](std::size_t i) {
                TileKruskal<Measured> kruskal(edges.of(tiles[i]), tiles[i].extent.pixelCount());
                forests[i] = kruskal.run(image_.extent(), tiles[i], basins_);
            },
            1);
        std::vector<std::uint32_t> begin(tiles.size()); // number of a tile's first basin
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            begin[i] = static_cast<std::uint32_t>(first_.size());
            append(std::move(forests[i]));
        }
        forEachIndex(
            tiles.size(), control_,
            [&](std::size_t i) {
                for (std::uint32_t local = 0; local < tiles[i].extent.pixelCount(); ++local) {
                    basins_[tiles[i].pixelIn(image_.extent(), local)] += begin[i];
                }
            },
            1);
    }
    void append(TileForest<Measured> forest) {
        const auto basin = static_cast<std::uint32_t>(first_.size());
        const auto component = static_cast<std::uint32_t>(components_.size());
        first_.insert(first_.end(), forest.first.begin(), forest.first.end());
        for (const std::uint32_t each : forest.componentOf) {
            componentOf_.push_back(each + component);
        }
        components_.insert(components_.end(), forest.components.begin(), forest.components.end());
        edges_.insert(edges_.end(), forest.edges.begin(), forest.edges.end());
        for (const Merge& merge : forest.merges) {
            merges_.push_back({merge.strength, merge.basin + basin, merge.other + basin});
        }
    }
    void joinTiles(DisjointSets& same) {
        tbb::parallel_sort(edges_.begin(), edges_.end());
        DisjointSets sets(components_.size());
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (i % kStopEvery == 0) {
                control_.throwIfStopped();
            }
            const std::uint32_t basin = basins_[edges_[i].first];
            const std::uint32_t other = basins_[edges_[i].second];
            const std::uint32_t into = sets.find(componentOf_[basin]);
            const std::uint32_t from = sets.find(componentOf_[other]);
            if (into == from) {
                continue;
            }
            const std::uint64_t strength = joinAt(edges_[i].weight, components_[into], components_[from]);
            sets.join(from, into);
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
        std::vector<std::uint32_t> number(first_.size());
        Hierarchy::Counts counts;
        for (std::uint32_t pixel = 0; pixel < basins_.size(); ++pixel) {
            const std::uint32_t basin = basins_[pixel];
            if (first_[basin] == pixel && same.find(basin) == basin) {
                number[basin] = static_cast<std::uint32_t>(counts.basins++);
                counts.withData += hasData(pixel) ? 1 : 0;
            }
        }
        for (std::uint32_t basin = 0; basin < number.size(); ++basin) {
            number[basin] = number[same.find(basin)];
        }
        forEachIndex(basins_.size(), control_, [&](std::size_t pixel) { basins_[pixel] = number[basins_[pixel]]; });
        forEachIndex(merges_.size(), control_, [&](std::size_t i) {
            merges_[i].basin = number[merges_[i].basin];
            merges_[i].other = number[merges_[i].other];
        });
        return counts;
    }
    [[nodiscard]] bool hasData(std::uint32_t pixel) const noexcept {
        return valid_ == nullptr || valid_->test(pixel % image_.width(), pixel / image_.width());
    }

    const Image& image_;
    const Mask* valid_;
    const HierarchySpec& spec_;
    const Extent& tile_;
    const JobControl& control_;
    Buffer<std::uint32_t> basins_; ///< of the pixels
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> componentOf_;
    std::vector<Measured> components_;
    std::vector<WeightedEdge> edges_;
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
