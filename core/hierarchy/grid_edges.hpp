#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace pollard {

/// Weight of the edge between two neighbouring pixels.
enum class EdgeWeight : std::uint8_t {
    difference, ///< of their levels: the hierarchies of the image
    maximum,    ///< the larger level: the hierarchies of a relief, for example of a gradient
};

/// Edge between two neighbouring pixels. Edges are ordered by weight, then by their first and second pixels.
struct WeightedEdge {
    std::uint16_t weight = 0;
    std::uint32_t first = 0; ///< the earlier pixel in raster order
    std::uint32_t second = 0;

    bool operator==(const WeightedEdge&) const = default;
    bool operator<(const WeightedEdge& other) const noexcept {
        return std::tie(weight, first, second) < std::tie(other.weight, other.first, other.second);
    }
};

/// A box of an image. It has at most kMostPixels pixels, which are numbered in raster order.
struct GridTile {
    static constexpr std::size_t kMostPixels = std::size_t{1} << 16;

    Voxel corner;
    Extent extent;

    [[nodiscard]] std::uint32_t pixelIn(const Extent& image, std::uint32_t local) const noexcept {
        const Voxel at = voxelAt(local, extent);
        const std::uint64_t row = std::uint64_t{corner.z + at.z} * image.height + corner.y + at.y;
        return static_cast<std::uint32_t>(row * image.width + corner.x + at.x);
    }
};

/// The tiles that cover an image. @param tile their sides, of at most GridTile::kMostPixels pixels
[[nodiscard]] std::vector<GridTile> gridTiles(const Extent& image, const Extent& tile);

/// Edges of a tile's pixels.
struct TileEdges {
    /// Edge between two pixels of the tile, by their numbers in it.
    struct Inner {
        std::uint16_t first;
        std::uint16_t second;
        std::uint16_t weight;
    };
    static constexpr WeightedEdge kNone{0xffff, 0xffff'ffff, 0xffff'ffff};

    std::vector<Inner> inner;            ///< in the order of WeightedEdge
    std::vector<WeightedEdge> leaving;   ///< to pixels of other tiles that come later in raster order
    std::vector<WeightedEdge> lowestOut; ///< per pixel the first edge to another tile; kNone without one
};

/// Finds the edges of tiles of an image.
class GridEdges {
public:
    /// @param image must outlive the object
    /// @param valid pixels with data, which have no edges to others; must outlive the object; null: all pixels have
    /// data
    /// @throws Error(invalidArgument) as connectivityIn()
    GridEdges(const Image& image, const Mask* valid, EdgeWeight weight, Connectivity connectivity);

    [[nodiscard]] TileEdges of(const GridTile& tile) const;

private:
    struct Step {
        int x = 0;
        int y = 0;
        int z = 0;
    };

    template <class Pixel> void collect(const GridTile& tile, TileEdges& edges) const;

    template <class Pixel>
    [[nodiscard]] std::uint16_t weightOf(std::uint32_t pixel, std::uint32_t other) const noexcept;
    [[nodiscard]] bool isValid(std::uint32_t pixel) const noexcept {
        return valid_ == nullptr || valid_->test(pixel % image_.width(), pixel / image_.width());
    }

    const Image& image_;
    const Mask* valid_;
    EdgeWeight weight_;
    std::vector<Step> steps_; ///< to all neighbours
};

} // namespace pollard
