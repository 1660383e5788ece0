#pragma once

#include "cuda/published/connection.hpp"
#include "cuda/published/image_tiling.hpp"
#include "cuda/published/seam.hpp"
#include "cuda/published/tile_tree.hpp"
#include "player/player.hpp"
#include "trace/trace.hpp"
#include "watched/connect_watch.hpp"
#include "watched/tree_lab.hpp"
#include "watched/watched_links.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::teach {

/// A TreeLab divided into tiles of kSide x kSide px.
template <int kSide> class TileLab : public TreeLab {
public:
    using Tile = cuda::TileTree<std::uint16_t, kSide, kSide>;

    TileLab(const LabImage& picture, const PlayerSpec& spec)
        : TreeLab(picture, spec), layout_{picture.width, picture.height, kSide, kSide}, links_(picture.pixelCount()) {
        std::vector<std::int64_t> tiles;
        for (std::uint32_t pixel = 0; pixel < picture.pixelCount(); ++pixel) {
            tiles.push_back(tileOf(pixel));
        }
        trace().setUp(Layer::tile, tiles);
    }

    [[nodiscard]] const cuda::ImageTiling& layout() const noexcept { return layout_; }
    [[nodiscard]] std::uint32_t tileCount() const noexcept { return layout_.columns() * layout_.rows(); }
    [[nodiscard]] std::uint32_t tileOf(std::uint32_t pixel) const noexcept {
        return pixel / layout_.width / kSide * layout_.columns() + pixel % layout_.width / kSide;
    }
    /// The links of the whole image.
    [[nodiscard]] std::vector<cuda::PixelRecord::Word>& links() noexcept { return links_; }

    /// Builds the tree of a tile, shows it in the current step, flattens it, and calls use(tile, corner).
    template <class Use> void buildTile(std::uint32_t number, const Use& use) {
        std::array<std::uint16_t, Tile::kPixels> levels{};
        std::array<typename Tile::Word, Tile::kPixels> words{};
        const std::uint32_t left = number % layout_.columns() * kSide;
        const std::uint32_t top = number / layout_.columns() * kSide;
        const std::size_t corner = std::size_t{top} * layout_.width + left;
        const Tile tile{levels.data(),
                        {words.data()},
                        std::min<std::uint32_t>(kSide, layout_.width - left),
                        std::min<std::uint32_t>(kSide, layout_.height - top)};
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            tile.loadColumn(image(), corner, layout_.width, x);
            tile.buildColumn(x);
        }
        for (std::uint32_t x = 0; x + 1 < tile.width; ++x) {
            tile.joinColumns(x, rule());
        }
        std::array<typename Tile::Word, Tile::kPixels> flat{};
        for (std::uint32_t index = 0; index < Tile::kPixels; ++index) {
            flat[index] = index % kSide < tile.width && index / kSide < tile.height ? tile.flatParent(index) : 0;
        }
        words = flat;
        showTile(tile, corner);
        use(tile, corner);
    }

    /// Joins the tiles along all seams of a direction, in threads that work on shared links. Ends with the choices by
    /// hand.
    /// @param leftOut see leaveOut()
    [[nodiscard]] bool joinSeams(const cuda::SeamPositions& seam, const StepText& leftOut, ConnectWatch& watch) {
        leaveOut(seam, leftOut);
        const WatchedLinks<cuda::PixelRecord> forest(links_.data(), watch, {0, layout_.width, layout_.width});
        return joinWith<cuda::Connection<WatchedLinks<cuda::PixelRecord>>>(seam, [&](auto& machine, const auto& ends) {
            machine.start(forest, cuda::PixelRecord::make(image()[ends.u], ends.u),
                          cuda::PixelRecord::make(image()[ends.v], ends.v));
            while (machine.active()) {
                machine.step(forest);
            }
        });
    }

    /// The same for any connection: connect(machine, ends) joins the ends of an edge.
    template <class Machine, class Connect>
    [[nodiscard]] bool joinWith(const cuda::SeamPositions& seam, const Connect& connect) {
        return threads().run([&](std::uint32_t thread) {
            for (std::uint64_t number = thread; number < seam.count(); number += threadCount()) {
                cuda::SeamPosition at = lookAtSeam(image(), seam, rule(), number);
                while (at.kept != 0) {
                    Machine machine;
                    connect(machine, takeEdge(at));
                }
            }
        });
    }

    /// Shows the regions of joined tiles, in the current step.
    /// @param regionOf (tile)
    template <class RegionOf> void mergeTiles(const RegionOf& regionOf) {
        for (std::uint32_t pixel = 0; pixel < links_.size(); ++pixel) {
            trace().set(Layer::tile, pixel, regionOf(tileOf(pixel)));
        }
    }

private:
    void showTile(const Tile& tile, std::size_t corner) {
        trace().clearMarks();
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            for (std::uint32_t x = 0; x < tile.width; ++x) {
                const std::uint32_t index = tile.indexOf(x, y);
                const std::uint32_t pixel = tile.imageIndex(index, corner, layout_.width);
                links_[pixel] = tile.imageRecord(tile.links[index], corner, layout_.width);
                showLink(pixel, links_[pixel]);
                trace().set(pixel, Mark::active);
            }
        }
        for (std::size_t e = 0; e < edges().size(); ++e) {
            const std::uint32_t of = tileOf(static_cast<std::uint32_t>(corner));
            if (tileOf(edges()[e].first) == of && tileOf(edges()[e].second) == of) {
                trace().set(e, EdgeMark::idle);
            }
        }
    }

    cuda::ImageTiling layout_;
    std::vector<cuda::PixelRecord::Word> links_;
};

/// Calls play() with a TileLab of the spec's tile side.
/// @throws Error for an unsupported side
template <class Play> [[nodiscard]] Trace withTiles(const LabImage& picture, const PlayerSpec& spec, const Play& play) {
    requireTiles(spec);
    switch (spec.tileSide) {
    case 2: {
        TileLab<2> lab(picture, spec);
        return play(lab);
    }
    case 4: {
        TileLab<4> lab(picture, spec);
        return play(lab);
    }
    default: {
        TileLab<8> lab(picture, spec);
        return play(lab);
    }
    }
}

/// Texts of the steps of joinColumnsOfTiles().
struct ColumnsOfTilesTexts {
    const StepText& leaveOut; ///< see TileLab::joinSeams()
    const StepText& joined;
    const StepText& flatten; ///< this and end: see TreeLab::flatten()
    const StepText& end;
};

/// Last part of a max-tree by tiles, within the current step: the tiles of a column are one region, the columns are
/// joined, and each pixel finds its canonical parent. Ends with the choices by hand.
template <class Lab>
[[nodiscard]] Trace joinColumnsOfTiles(Lab& lab, ConnectWatch& watch, const ColumnsOfTilesTexts& texts) {
    lab.mergeTiles([&](std::uint32_t tile) { return tile % lab.layout().columns(); });
    if (!lab.joinSeams({lab.layout(), false, lab.rule().eight}, texts.leaveOut, watch)) {
        return lab.offerChoices();
    }
    lab.trace().step(texts.joined);
    watch.leave();
    lab.mergeTiles([](std::uint32_t) { return 0; });
    lab.flatten(lab.links(), texts.flatten, texts.end);
    return lab.trace().take();
}

} // namespace pollard::teach
