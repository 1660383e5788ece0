#pragma once

#include "core/io/io_support.hpp"

#include "formats/tiff/tiles/tile_store.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace pollard::test {

/// Pixels of a level as numbers.
struct Grid {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint64_t> values;

    [[nodiscard]] std::uint64_t at(std::uint32_t x, std::uint32_t y) const {
        return values[std::size_t{y} * width + x];
    }
    bool operator==(const Grid&) const = default;
};

/// Numbers over the whole depth with runs in the rows.
inline Grid randomGrid(const TileLayout& layout, std::uint32_t seed = 1) {
    std::mt19937_64 random(seed);
    Grid grid{layout.width, layout.height, {}};
    grid.values.resize(std::size_t{grid.width} * grid.height);
    std::uint64_t value = 0;
    for (std::uint64_t& pixel : grid.values) {
        if (random() % 4 == 0) {
            value = random() >> (64 - layout.bits);
        }
        pixel = value;
    }
    return grid;
}

/// Rows of pixels in the depth of the layout.
inline std::vector<std::byte> bytesOf(const Grid& grid, const TileLayout& layout) {
    std::vector<std::byte> bytes(grid.values.size() * layout.pixelBytes());
    for (std::size_t i = 0; i < grid.values.size(); ++i) {
        std::memcpy(bytes.data() + i * layout.pixelBytes(), &grid.values[i], layout.pixelBytes());
    }
    return bytes;
}

/// Stores a part of an image.
inline void putPart(TileStore& store, const std::vector<std::byte>& image, const PixelRegion& part,
                    const JobControl& control = {}) {
    const TileLayout& layout = store.layout();
    const std::size_t rowBytes = layout.width * layout.pixelBytes();
    store.put(part, image.data() + part.y * rowBytes + part.x * layout.pixelBytes(), rowBytes, control);
}

inline void putAll(TileStore& store, const Grid& grid) {
    putPart(store, bytesOf(grid, store.layout()), {0, 0, grid.width, grid.height});
}

/// Numbers from rows of pixels.
inline std::vector<std::uint64_t> valuesOf(const std::byte* row, std::uint32_t count, const TileLayout& layout) {
    std::vector<std::uint64_t> values(count);
    for (std::uint32_t x = 0; x < count; ++x) {
        std::memcpy(&values[x], row + x * layout.pixelBytes(), layout.pixelBytes());
    }
    return values;
}

/// All pixels of a level from its tiles.
inline Grid gridOf(const TileStore& store, std::uint32_t level = 0) {
    const TileLayout& layout = store.layout();
    Grid grid{layout.widthAt(level), layout.heightAt(level), {}};
    grid.values.resize(std::size_t{grid.width} * grid.height);
    std::vector<std::byte> tile(layout.tileBytes());
    for (std::uint64_t number = 0; number < layout.tilesAt(level); ++number) {
        store.read({level, number}, tile);
        const PixelRegion region = layout.regionOf({level, number});
        for (std::uint32_t y = 0; y < region.height; ++y) {
            const auto row = valuesOf(tile.data() + y * layout.rowBytes(), region.width, layout);
            std::copy(row.begin(), row.end(),
                      grid.values.begin() + std::ptrdiff_t{region.y + y} * grid.width + region.x);
        }
    }
    return grid;
}

/// Code and message of the Error that @p work throws; fails if it throws none.
template <class Work> Error errorOf(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return error;
    }
    ADD_FAILURE() << "no error";
    return {ErrorCode::invalidArgument, ""};
}

} // namespace pollard::test
