#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
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
    /// Edge between two pixels of the tile, by their numbers in it. An edge to a pixel of another tile has the tile's
    /// pixel twice.
    struct Edge {
        std::uint16_t first;
        std::uint16_t second;
        std::uint16_t weight;

        [[nodiscard]] bool leaves() const noexcept { return first == second; }
    };

    std::vector<Edge> edges;           ///< in the order of WeightedEdge
    std::vector<WeightedEdge> leaving; ///< to pixels of other tiles that come later in raster order
    std::vector<Edge> spare;           ///< memory for sorting
};

/// Finds the edges of tiles of an image.
class GridEdges {
public:
    /// @param image must outlive the object
    /// @param valid pixels with data, which have no edges to others; must outlive the object; null: all pixels have
    /// data
    /// @throws Error(invalidArgument) as connectivityIn()
    GridEdges(const Image& image, const Mask* valid, EdgeWeight weight, Connectivity connectivity);

    /// @param edges receives the edges of a tile; its memory is used again
    void find(const GridTile& tile, TileEdges& edges) const;

    /// Calls visit(pixel, other, weight) for the edges of the pixels [first, last) to later pixels, in raster order.
    template <class Visit> void forEach(std::uint32_t first, std::uint32_t last, Visit&& visit) const;

private:
    struct Step {
        int x = 0;
        int y = 0;
        int z = 0;
    };

    template <class Pixel> void collect(const GridTile& tile, TileEdges& edges) const;
    /// Adds the edges to later pixels from the pixel at (x, y, z), in or beside the tile. Edges without an end in
    /// the tile are left out.
    template <class Pixel>
    void addAt(const GridTile& tile, std::int64_t x, std::int64_t y, std::int64_t z, TileEdges& edges) const;
    /// As addAt() for pixels [first, last) of a row, whose edges to later pixels are all in the tile.
    template <class Pixel>
    void addWithin(const GridTile& tile, const Voxel& first, std::uint32_t last, TileEdges& edges) const;

    template <class Pixel>
    [[nodiscard]] std::uint16_t weightOf(std::uint32_t pixel, std::uint32_t other) const noexcept;
    [[nodiscard]] bool isValid(std::uint32_t pixel) const noexcept {
        return valid_ == nullptr || valid_->test(pixel % image_.width(), pixel / image_.width());
    }

    const Image& image_;
    const Mask* valid_;
    EdgeWeight weight_;
    std::vector<Step> steps_; ///< to the later neighbours, in their order
};

template <class Pixel> std::uint16_t GridEdges::weightOf(std::uint32_t pixel, std::uint32_t other) const noexcept {
    if (!isValid(pixel)) {
        return 0; // both are without data
    }
    const std::span<const Pixel> pixels = image_.pixels<Pixel>();
    const Pixel a = pixels[pixel];
    const Pixel b = pixels[other];
    return weight_ == EdgeWeight::maximum ? std::max(a, b) : static_cast<std::uint16_t>(std::abs(int{a} - int{b}));
}

template <class Visit> void GridEdges::forEach(std::uint32_t first, std::uint32_t last, Visit&& visit) const {
    const Extent& image = image_.extent();
    const auto isIn = [](std::int64_t at, std::uint32_t side) { return at >= 0 && at < side; };
    dispatch(image_.type(), [&]<class Pixel>(Pixel) {
        for (std::uint32_t pixel = first; pixel < last; ++pixel) {
            const Voxel at = voxelAt(pixel, image);
            for (const Step& step : steps_) {
                const std::int64_t way = (std::int64_t{step.z} * image.height + step.y) * image.width + step.x;
                if (!isIn(std::int64_t{at.x} + step.x, image.width) ||
                    !isIn(std::int64_t{at.y} + step.y, image.height) ||
                    !isIn(std::int64_t{at.z} + step.z, image.slices)) {
                    continue;
                }
                const auto other = static_cast<std::uint32_t>(pixel + way);
                if (isValid(pixel) == isValid(other)) {
                    visit(pixel, other, weightOf<Pixel>(pixel, other));
                }
            }
        }
    });
}

} // namespace pollard
