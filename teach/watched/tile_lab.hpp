#pragma once

#include "cuda/device/device_image.hpp"
#include "cuda/published/image_tiling.hpp"
#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/tile_tree.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/connect_recorder.hpp"
#include "watched/virtual_threads.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::teach {

/// Common part of the players of the GPU's published max-trees: an image, its trace, virtual threads.
class TreeLab {
public:
    /// The arguments must outlive this. @throws Error if they are outside the limits of players
    TreeLab(const LabImage& image, const PlayerSpec& spec);

    [[nodiscard]] const LabImage& image() const noexcept { return image_; }
    [[nodiscard]] const std::vector<GridEdge>& edges() const noexcept { return edges_; }
    [[nodiscard]] TraceRecorder& trace() noexcept { return trace_; }
    /// Virtual threads that take turns as in the spec.
    [[nodiscard]] VirtualThreads& threads() noexcept { return threads_; }
    [[nodiscard]] std::uint32_t threadCount() const noexcept { return threads_.count(); }

    /// The levels in the order of the algorithm: complemented for a min-tree.
    [[nodiscard]] cuda::LevelView<std::uint16_t> ordered() const noexcept { return {levels_.data(), 0}; }
    [[nodiscard]] cuda::BoundaryRule rule() const noexcept { return rule_; }

    /// Shows a link; a pixel without one points to itself.
    void showLink(std::uint32_t pixel, cuda::PixelRecord::Word parent);
    /// Marks the edges of a seam that cannot change the tree, in a separate step if there are any.
    /// @param text %1: their number, %2: number of all edges
    void skipEdges(const cuda::SeamPositions& seam, const StepText& text);
    /// Replaces joined links by canonical parents: one step per pixel whose parent changes, then the step @p end.
    /// @param text %1: thread, %2: pixel, %3: its parent
    void flatten(std::vector<cuda::PixelRecord::Word>& links, const StepText& text, const StepText& end);

    /// The trace up to the end of the choices by hand.
    [[nodiscard]] Trace offerChoices();

private:
    const LabImage& image_;
    std::vector<std::uint16_t> levels_;
    std::vector<GridEdge> edges_;
    cuda::BoundaryRule rule_;
    TraceRecorder trace_;
    VirtualThreads threads_;
};

/// A TreeLab divided into tiles of kSide x kSide px.
template <int kSide> class TileLab : public TreeLab {
public:
    using Tile = cuda::TileTree<std::uint16_t, kSide, kSide>;

    TileLab(const LabImage& image, const PlayerSpec& spec)
        : TreeLab(image, spec), layout_{image.width, image.height, kSide, kSide}, links_(image.pixelCount()) {
        std::vector<std::int64_t> tiles;
        for (std::uint32_t pixel = 0; pixel < image.pixelCount(); ++pixel) {
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
            tile.loadColumn(ordered(), corner, layout_.width, x);
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

    /// Joins the tiles along all seams of a direction, in threads that work on shared links. @return false if the
    /// choices by hand ended before the work
    /// @param skipText see skipEdges()
    [[nodiscard]] bool joinSeams(const cuda::SeamPositions& seam, const StepText& skipText, ConnectRecorder& recorder) {
        skipEdges(seam, skipText);
        const ObservedLinks<cuda::PixelRecord> forest(links_.data(), recorder, {0, layout_.width, layout_.width});
        return joinWith<cuda::Connection<ObservedLinks<cuda::PixelRecord>>>(seam, [&](auto& machine, const auto& ends) {
            machine.start(forest, cuda::PixelRecord::make(ordered()[ends.u], ends.u),
                          cuda::PixelRecord::make(ordered()[ends.v], ends.v));
            while (machine.active()) {
                machine.step(forest);
            }
        });
    }

    /// As joinSeams(), for any connection: connect(machine, ends) joins the ends of an edge.
    template <class Machine, class Connect>
    [[nodiscard]] bool joinWith(const cuda::SeamPositions& seam, const Connect& connect) {
        return threads().run([&](std::uint32_t thread) {
            for (std::uint64_t number = thread; number < seam.count(); number += threadCount()) {
                cuda::SeamPosition at = lookAtSeam(ordered(), seam, rule(), number);
                while (at.kept != 0) {
                    Machine machine;
                    connect(machine, takeEdge(at));
                }
            }
        });
    }

    /// Shows the regions of joined tiles, in the current step.
    /// @param regionOf region of a tile
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
template <class Play> [[nodiscard]] Trace withTiles(const LabImage& image, const PlayerSpec& spec, const Play& play) {
    requireTiles(spec);
    switch (spec.tileSide) {
    case 2: {
        TileLab<2> lab(image, spec);
        return play(lab);
    }
    case 4: {
        TileLab<4> lab(image, spec);
        return play(lab);
    }
    default: {
        TileLab<8> lab(image, spec);
        return play(lab);
    }
    }
}

/// Texts of the steps of joinColumnsOfTiles().
struct ColumnsOfTilesTexts {
    const StepText& skipEdges; ///< see TileLab::joinSeams()
    const StepText& joined;
    const StepText& flatten; ///< this and end: see TreeLab::flatten()
    const StepText& end;
};

/// Last part of a max-tree by tiles, within the current step: the tiles of a column are one region, the columns are
/// joined, and each pixel finds its canonical parent. The trace ends early if the choices by hand do.
template <class Lab>
[[nodiscard]] Trace joinColumnsOfTiles(Lab& lab, ConnectRecorder& recorder, const ColumnsOfTilesTexts& texts) {
    lab.mergeTiles([&](std::uint32_t tile) { return tile % lab.layout().columns(); });
    if (!lab.joinSeams({lab.layout(), false, lab.rule().eight}, texts.skipEdges, recorder)) {
        return lab.offerChoices();
    }
    lab.trace().step(texts.joined);
    recorder.leave();
    lab.mergeTiles([](std::uint32_t) { return 0; });
    lab.flatten(lab.links(), texts.flatten, texts.end);
    return lab.trace().take();
}

} // namespace pollard::teach
