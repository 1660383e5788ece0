#pragma once

#include "cuda/published/border_forest.hpp"
#include "cuda/published/border_tile.hpp"
#include "cuda/published/image_tiling.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/tile_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace pollard::cuda::testing {

/// The published max-trees run by the very functions of the kernels, on the CPU: threads of a block one after another
/// between barriers or several at once, seams in random order by several threads. Tiles are small so that small images
/// have many.
template <class Level, int Width, int Height> class MaxTreeOnHost {
public:
    using Tile = TileTree<Level, Width, Height>;

    MaxTreeOnHost(const std::vector<Level>& pixels, std::uint32_t width, Level flip, BoundaryRule rule, int threads,
                  std::uint32_t seed)
        : image_{pixels.data(), flip}, width_(width), height_(static_cast<std::uint32_t>(pixels.size() / width)),
          rule_(rule), threads_(threads), random_(seed) {}

    std::vector<std::uint32_t> build(const std::string& algorithm) {
        if (algorithm == "halo") {
            return buildWithHalo();
        }
        const ImageTiling layout{width_, height_, Width, Height};
        std::vector<PixelRecord::Word> links(pixels());
        if (algorithm == "border") {
            buildByBorders(layout, links);
        } else {
            forEachTile(layout, [&](std::uint32_t column, std::uint32_t row) {
                buildTile(image_, layout, column, row, algorithm == "base", links);
            });
            joinSeam(image_, {layout, true, false}, rule_, links);
        }
        joinSeam(image_, {layout, false, rule_.eight}, rule_, links);
        return flatten(links, SamePixels{});
    }

private:
    struct TileMemory {
        std::array<Level, Tile::kPixels> levels{};
        std::array<std::uint32_t, Tile::kPixels> links{};
    };

    [[nodiscard]] std::size_t pixels() const { return std::size_t{width_} * height_; }

    /// Runs the share of every one of @p count threads, several at once.
    template <class Share> void runThreads(std::uint32_t count, const Share& share) {
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::shuffle(order, random_);
        const auto part = [&](std::uint32_t t) {
            for (std::uint32_t i = t; i < count; i += static_cast<std::uint32_t>(threads_)) {
                share(order[i]);
            }
        };
        std::vector<std::jthread> others;
        for (int t = 1; t < threads_; ++t) {
            others.emplace_back(part, static_cast<std::uint32_t>(t));
        }
        part(0);
    }

    template <class Body> static void forEachTile(const ImageTiling& layout, const Body& body) {
        for (std::uint32_t row = 0; row < layout.rows(); ++row) {
            for (std::uint32_t column = 0; column < layout.columns(); ++column) {
                body(column, row);
            }
        }
    }

    static Tile tileAt(const ImageTiling& layout, std::uint32_t column, std::uint32_t row, TileMemory& memory) {
        return {memory.levels.data(),
                {memory.links.data()},
                std::min<std::uint32_t>(Width, layout.width - column * Width),
                std::min<std::uint32_t>(Height, layout.height - row * Height)};
    }

    void joinTile(const LevelView<Level>& image, const ImageTiling& layout, std::size_t corner, bool base,
                  const Tile& tile) {
        if (base) {
            for (std::uint32_t y = 0; y < tile.height; ++y) {
                for (std::uint32_t x = 0; x < tile.width; ++x) {
                    tile.levels[tile.indexOf(x, y)] = image[corner + std::size_t{y} * layout.width + x];
                    tile.isolate(tile.indexOf(x, y));
                }
            }
            runThreads(tile.width * tile.height,
                       [&](std::uint32_t i) { tile.joinPixel(i % tile.width, i / tile.width, rule_); });
            return;
        }
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            tile.loadColumn(image, corner, layout.width, x);
            tile.buildColumn(x);
        }
        runThreads(tile.width - 1, [&](std::uint32_t x) { tile.joinColumns(x, rule_); });
    }

    void buildTile(const LevelView<Level>& image, const ImageTiling& layout, std::uint32_t column, std::uint32_t row,
                   bool base, std::vector<PixelRecord::Word>& links) {
        TileMemory memory;
        const Tile tile = tileAt(layout, column, row, memory);
        const std::size_t corner = std::size_t{row} * Height * layout.width + column * Width;
        joinTile(image, layout, corner, base, tile);
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            for (std::uint32_t x = 0; x < tile.width; ++x) {
                links[corner + std::size_t{y} * layout.width + x] =
                    tile.imageRecord(tile.flatParent(tile.indexOf(x, y)), corner, layout.width);
            }
        }
    }

    void joinSeam(const LevelView<Level>& image, const SeamPositions& seam, BoundaryRule rule,
                  std::vector<PixelRecord::Word>& links) {
        const PixelLinks forest{links.data()};
        runThreads(static_cast<std::uint32_t>(seam.count()), [&](std::uint32_t number) {
            SeamPosition at = lookAtSeam(image, seam, rule, number);
            while (at.kept != 0) {
                const EdgeEnds ends = takeEdge(at);
                Connection<PixelLinks> connection;
                connection.start(forest, PixelRecord::make(image[ends.u], ends.u),
                                 PixelRecord::make(image[ends.v], ends.v));
                while (connection.active()) {
                    connection.step(forest);
                }
            }
        });
    }

    void buildByBorders(const ImageTiling& layout, std::vector<PixelRecord::Word>& links) {
        const std::size_t slots = std::size_t{layout.columns()} * Width * height_;
        std::vector<std::uint32_t> slotLinks(slots);
        std::vector<std::uint32_t> slotPixels(slots);
        std::vector<std::uint16_t> slotLevels(slots);
        std::vector<std::uint32_t> tileStart(std::size_t{layout.columns()} * layout.rows());
        std::vector<std::uint32_t> columnSize(layout.columns());
        const BorderForest forest{layout,           slotLinks.data(), slotPixels.data(), slotLevels.data(),
                                  tileStart.data(), columnSize.data()};
        forEachTile(layout, [&](std::uint32_t column, std::uint32_t row) {
            extractBorder(layout, column, row, forest, links);
        });
        const SeamPositions seam{layout, true, false};
        runThreads(static_cast<std::uint32_t>(seam.count()), [&](std::uint32_t number) {
            SeamPosition at = lookAtSeam(image_, seam, rule_, number);
            while (at.kept != 0) {
                const EdgeEnds ends = takeEdge(at);
                BorderConnection<> connection;
                connection.start(forest, forest.slotOfPixel(ends.u), forest.slotOfPixel(ends.v));
                while (connection.active()) {
                    connection.step(forest);
                }
            }
        });
        for (std::uint32_t column = 0; column < layout.columns(); ++column) {
            const std::uint32_t start = forest.columnStart(column);
            for (std::uint32_t slot = start; slot < start + columnSize[column]; ++slot) {
                links[slotPixels[slot]] = forest.imageRecord(slot);
            }
        }
    }

    void extractBorder(const ImageTiling& layout, std::uint32_t column, std::uint32_t row, const BorderForest& forest,
                       std::vector<PixelRecord::Word>& links) {
        TileMemory memory;
        const Tile tile = tileAt(layout, column, row, memory);
        const std::size_t corner = std::size_t{row} * Height * layout.width + column * Width;
        joinTile(image_, layout, corner, false, tile);
        std::array<std::uint32_t, Tile::kPixels> slotOf{};
        std::array<std::uint16_t, Tile::kPixels> pixelOf{};
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            for (std::uint32_t x = 0; x < tile.width; ++x) {
                slotOf[tile.indexOf(x, y)] = tile.flatParent(tile.indexOf(x, y));
            }
        }
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            for (std::uint32_t x = 0; x < tile.width; ++x) {
                const std::uint32_t index = tile.indexOf(x, y);
                memory.links[index] = slotOf[index];
                links[corner + std::size_t{y} * layout.width + x] =
                    tile.imageRecord(slotOf[index], corner, layout.width);
                slotOf[index] = BorderTile<Tile>::kUntaken;
            }
        }
        std::uint32_t count = 0;
        const BorderTile<Tile> border{tile,   slotOf.data(),         pixelOf.data(),
                                      &count, forest.hasTopRow(row), forest.hasBottomRow(row)};
        count = border.rowSlots();
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            border.takeRows(x);
        }
        runThreads(tile.width, [&](std::uint32_t x) { border.takeAncestors(x); });
        const std::uint32_t first = forest.columnStart(column) + forest.columnSize[column];
        forest.columnSize[column] += count;
        forest.tileStart[row * layout.columns() + column] = first;
        for (std::uint32_t slot = 0; slot < count; ++slot) {
            border.writeSlot(slot, first, corner, forest);
        }
    }

    std::vector<std::uint32_t> buildWithHalo() {
        const HaloLayout halo{width_, height_, Width, Height};
        const ImageTiling layout = halo.tiles();
        std::vector<Level> widened(layout.pixels());
        for (std::uint32_t p = 0; p < widened.size(); ++p) {
            widened[p] = image_[halo.fromHalo(p)];
        }
        const LevelView<Level> copies{widened.data(), 0};
        std::vector<PixelRecord::Word> links(widened.size());
        forEachTile(layout, [&](std::uint32_t column, std::uint32_t row) {
            buildTile(copies, layout, column, row, false, links);
        });
        const BoundaryRule copiesRule{false, rule_.simplify};
        joinSeam(copies, {layout, true, false}, copiesRule, links);
        joinSeam(copies, {layout, false, false}, copiesRule, links);
        return flatten(links, HaloPixels{halo});
    }

    template <class Pixels>
    std::vector<std::uint32_t> flatten(std::vector<PixelRecord::Word>& words, const Pixels& map) {
        std::vector<std::uint32_t> parent(pixels());
        for (std::uint32_t p = 0; p < parent.size(); ++p) {
            parent[p] = canonicalParent(image_, map, PixelLinks{words.data()}, p);
        }
        return parent;
    }

    LevelView<Level> image_;
    std::uint32_t width_;
    std::uint32_t height_;
    BoundaryRule rule_;
    int threads_;
    std::mt19937 random_;
};

} // namespace pollard::cuda::testing
