#include "hierarchy/grid_edges.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <utility>

namespace pollard {

namespace {

/// Sorts by weight with a stable radix sort, a byte at a time.
void sortByWeight(std::vector<TileEdges::Inner>& edges) {
    constexpr unsigned kByte = 8;
    constexpr std::size_t kDigits = std::size_t{1} << kByte;
    std::vector<TileEdges::Inner> sorted(edges.size());
    for (const unsigned shift : {0U, kByte}) {
        const auto digit = [&](const TileEdges::Inner& edge) { return edge.weight >> shift & (kDigits - 1); };
        std::array<std::size_t, kDigits + 1> place{};
        for (const TileEdges::Inner& edge : edges) {
            ++place[digit(edge) + 1];
        }
        for (std::size_t i = 1; i < place.size(); ++i) {
            place[i] += place[i - 1];
        }
        for (const TileEdges::Inner& edge : edges) {
            sorted[place[digit(edge)]++] = edge;
        }
        edges.swap(sorted);
    }
}

} // namespace

std::vector<GridTile> gridTiles(const Extent& image, const Extent& tile) {
    std::vector<GridTile> tiles;
    for (std::uint32_t z = 0; z < image.slices; z += tile.slices) {
        for (std::uint32_t y = 0; y < image.height; y += tile.height) {
            for (std::uint32_t x = 0; x < image.width; x += tile.width) {
                tiles.push_back({{x, y, z},
                                 {std::min(tile.width, image.width - x), std::min(tile.height, image.height - y),
                                  std::min(tile.slices, image.slices - z)}});
            }
        }
    }
    return tiles;
}

GridEdges::GridEdges(const Image& image, const Mask* valid, EdgeWeight weight, Connectivity connectivity)
    : image_(image), valid_(valid), weight_(weight) {
    const Connectivity own = connectivityIn(image.extent(), connectivity);
    const bool hasCorners = own == Connectivity::eight || own == Connectivity::twentySix;
    const int sides = hasCorners ? 3 : own == Connectivity::eighteen ? 2 : 1;
    const int deep = isPlanar(own) ? 0 : 1;
    for (int z = -deep; z <= deep; ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                const int distance = std::abs(x) + std::abs(y) + std::abs(z);
                if (distance > 0 && distance <= sides) {
                    steps_.push_back({x, y, z});
                }
            }
        }
    }
}

TileEdges GridEdges::of(const GridTile& tile) const {
    TileEdges edges;
    edges.inner.reserve(tile.extent.pixelCount() * steps_.size() / 2);
    edges.lowestOut.assign(tile.extent.pixelCount(), TileEdges::kNone);
    dispatch(image_.type(), [&]<class Pixel>(Pixel) { collect<Pixel>(tile, edges); });
    sortByWeight(edges.inner);
    return edges;
}

template <class Pixel> std::uint16_t GridEdges::weightOf(std::uint32_t pixel, std::uint32_t other) const noexcept {
    if (!isValid(pixel)) {
        return 0; // both are without data
    }
    const std::span<const Pixel> pixels = image_.pixels<Pixel>();
    const Pixel a = pixels[pixel];
    const Pixel b = pixels[other];
    return weight_ == EdgeWeight::maximum ? std::max(a, b) : static_cast<std::uint16_t>(std::abs(int{a} - int{b}));
}

template <class Pixel> void GridEdges::collect(const GridTile& tile, TileEdges& edges) const {
    const Extent& image = image_.extent();
    const auto isIn = [](std::int64_t x, std::uint32_t side) { return x >= 0 && x < side; };
    for (std::uint32_t local = 0; local < edges.lowestOut.size(); ++local) {
        const Voxel at = voxelAt(local, tile.extent);
        const std::uint32_t pixel = tile.pixelIn(image, local);
        for (const Step& step : steps_) {
            const std::int64_t x = std::int64_t{at.x} + step.x; // in the tile
            const std::int64_t y = std::int64_t{at.y} + step.y;
            const std::int64_t z = std::int64_t{at.z} + step.z;
            const bool isInner =
                isIn(x, tile.extent.width) && isIn(y, tile.extent.height) && isIn(z, tile.extent.slices);
            const std::int64_t way = (std::int64_t{step.z} * image.height + step.y) * image.width + step.x;
            if ((isInner && way < 0) ||
                (!isInner && (!isIn(x + tile.corner.x, image.width) || !isIn(y + tile.corner.y, image.height) ||
                              !isIn(z + tile.corner.z, image.slices)))) {
                continue;
            }
            const auto to = static_cast<std::uint32_t>(pixel + way);
            if (isValid(pixel) != isValid(to)) {
                continue;
            }
            const std::uint16_t weight = weightOf<Pixel>(pixel, to);
            if (isInner) {
                edges.inner.push_back({static_cast<std::uint16_t>(local),
                                       static_cast<std::uint16_t>((z * tile.extent.height + y) * tile.extent.width + x),
                                       weight});
                continue;
            }
            const WeightedEdge out{weight, std::min(pixel, to), std::max(pixel, to)};
            edges.lowestOut[local] = std::min(edges.lowestOut[local], out);
            if (way > 0) {
                edges.leaving.push_back(out);
            }
        }
    }
}

} // namespace pollard
