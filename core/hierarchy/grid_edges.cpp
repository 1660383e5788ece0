#include "hierarchy/grid_edges.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace pollard {

namespace {

/// Sorts by weight with a stable radix sort, a byte at a time.
void sortByWeight(TileEdges& all) {
    constexpr unsigned kByte = 8;
    constexpr std::size_t kDigits = std::size_t{1} << kByte;
    unsigned bits = 0; // of the weights
    for (const TileEdges::Edge& edge : all.edges) {
        bits |= edge.weight;
    }
    all.spare.resize(all.edges.size());
    for (unsigned shift = 0; bits >> shift != 0; shift += kByte) {
        const auto digit = [&](const TileEdges::Edge& edge) { return edge.weight >> shift & (kDigits - 1); };
        std::array<std::uint32_t, kDigits> place{};
        for (const TileEdges::Edge& edge : all.edges) {
            ++place[digit(edge)];
        }
        toOffsets(place);
        for (const TileEdges::Edge& edge : all.edges) {
            all.spare[place[digit(edge)]++] = edge;
        }
        all.edges.swap(all.spare);
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
                const bool isLater = z != 0 ? z > 0 : y != 0 ? y > 0 : x > 0;
                if (isLater && distance <= sides) {
                    steps_.push_back({x, y, z});
                }
            }
        }
    }
}

void GridEdges::find(const GridTile& tile, TileEdges& edges) const {
    edges.edges.clear();
    edges.leaving.clear();
    dispatch(image_.type(), [&]<class Pixel>(Pixel) { collect<Pixel>(tile, edges); });
    sortByWeight(edges);
}

template <class Pixel>
void GridEdges::addAt(const GridTile& tile, std::int64_t x, std::int64_t y, std::int64_t z, TileEdges& edges) const {
    const Extent& image = image_.extent();
    const auto isIn = [](std::int64_t at, std::uint32_t side) { return at >= 0 && at < side; };
    const auto isInTile = [&](std::int64_t atX, std::int64_t atY, std::int64_t atZ) {
        return isIn(atX, tile.extent.width) && isIn(atY, tile.extent.height) && isIn(atZ, tile.extent.slices);
    };
    const auto isInImage = [&](std::int64_t atX, std::int64_t atY, std::int64_t atZ) {
        return isIn(atX + tile.corner.x, image.width) && isIn(atY + tile.corner.y, image.height) &&
               isIn(atZ + tile.corner.z, image.slices);
    };
    const auto localOf = [&](std::int64_t atX, std::int64_t atY, std::int64_t atZ) {
        return static_cast<std::uint16_t>((atZ * tile.extent.height + atY) * tile.extent.width + atX);
    };
    if (!isInImage(x, y, z)) {
        return;
    }
    const bool isInner = isInTile(x, y, z);
    const auto pixel = static_cast<std::uint32_t>(
        ((z + tile.corner.z) * image.height + y + tile.corner.y) * image.width + x + tile.corner.x);
    for (const Step& step : steps_) {
        const bool isOtherInner = isInTile(x + step.x, y + step.y, z + step.z);
        if ((!isInner && !isOtherInner) || !isInImage(x + step.x, y + step.y, z + step.z)) {
            continue;
        }
        const auto other =
            static_cast<std::uint32_t>(pixel + (std::int64_t{step.z} * image.height + step.y) * image.width + step.x);
        if (isValid(pixel) != isValid(other)) {
            continue;
        }
        const std::uint16_t weight = weightOf<Pixel>(pixel, other);
        const std::uint16_t first = isInner ? localOf(x, y, z) : localOf(x + step.x, y + step.y, z + step.z);
        edges.edges.push_back({first, isOtherInner ? localOf(x + step.x, y + step.y, z + step.z) : first, weight});
        if (isInner && !isOtherInner) {
            edges.leaving.push_back({weight, pixel, other});
        }
    }
}

template <class Pixel>
void GridEdges::addWithin(const GridTile& tile, const Voxel& first, std::uint32_t last, TileEdges& edges) const {
    const Extent& image = image_.extent();
    const std::size_t count = std::size_t{last - first.x} * steps_.size();
    edges.edges.resize(edges.edges.size() + count);
    TileEdges::Edge* const row = edges.edges.data() + edges.edges.size() - count;
    const std::uint32_t start = (first.z * tile.extent.height + first.y) * tile.extent.width + first.x;
    const std::span<const Pixel> pixels = image_.pixels<Pixel>().subspan(tile.pixelIn(image, start));
    const auto add = [&](auto weightBetween) {
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            const Step& step = steps_[k];
            const std::int64_t local =
                (std::int64_t{step.z} * tile.extent.height + step.y) * tile.extent.width + step.x;
            const std::int64_t way = (std::int64_t{step.z} * image.height + step.y) * image.width + step.x;
            const Pixel* const others = pixels.data() + way;
            for (std::uint32_t i = 0; i < last - first.x; ++i) {
                row[i * steps_.size() + k] = {static_cast<std::uint16_t>(start + i),
                                              static_cast<std::uint16_t>(start + i + local),
                                              weightBetween(pixels[i], others[i])};
            }
        }
    };
    if (weight_ == EdgeWeight::maximum) {
        add([](Pixel a, Pixel b) -> std::uint16_t { return std::max(a, b); });
    } else {
        add([](Pixel a, Pixel b) { return static_cast<std::uint16_t>(std::abs(int{a} - int{b})); });
    }
}

template <class Pixel> void GridEdges::collect(const GridTile& tile, TileEdges& edges) const {
    // In raster order, from the neighbours before the tile on: the order of edges of one weight.
    const std::int64_t width = tile.extent.width;
    const std::int64_t height = tile.extent.height;
    const std::int64_t deepest = tile.extent.slices;
    const bool isDeep = steps_.back().z != 0;
    for (std::int64_t z = isDeep ? -1 : 0; z < deepest; ++z) {
        for (std::int64_t y = -1; y <= height; ++y) {
            const bool areWithin = valid_ == nullptr && z >= 0 && (!isDeep || z + 1 < deepest) &&
                                   y >= (isDeep ? 1 : 0) && y + 1 < height && width > 2;
            for (std::int64_t x = -1; x <= width; ++x) {
                if (areWithin && x == 1) {
                    addWithin<Pixel>(tile, {1, static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)},
                                     static_cast<std::uint32_t>(width - 1), edges);
                    x = width - 1;
                }
                addAt<Pixel>(tile, x, y, z, edges);
            }
        }
    }
}

} // namespace pollard
