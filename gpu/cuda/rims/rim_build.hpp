#pragma once

#include "cuda/rims/rim_steps.hpp"
#include "cuda/rims/rim_tile_pass.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// Upper bounds for one build: pixels (and slots), tiles, and edges between tiles.
struct RimCapacity {
    std::uint64_t pixels, tiles, edges;

    template <class Shape>
    [[nodiscard]] static RimCapacity of(std::uint32_t width, std::uint32_t height, bool eight) noexcept {
        const std::uint64_t columns = (std::uint64_t{width} + Shape::kWidth - 1) / Shape::kWidth;
        const std::uint64_t rows = (std::uint64_t{height} + Shape::kHeight - 1) / Shape::kHeight;
        const std::uint64_t positions = (columns - 1) * height + (rows - 1) * width;
        const std::uint64_t corners = (columns - 1) * (rows - 1);
        return {std::uint64_t{width} * height, columns * rows, positions + (eight ? 2 * corners : 0)};
    }
};

/// The max-tree of tiles whose rims are joined afterwards, as a canonical parent image (docs/algorithms.md, `rims`).
/// The machine is the GPU or an emulator and has Buffer<T>, make(), fill(), tiles(), join(), eachOf(), stopFlag()
/// and finish().
template <class Machine, class Level, class Shape, bool kEight> class RimBuild {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    RimBuild(Machine& machine, const LevelView<Level>& image, std::uint32_t width, std::uint32_t height)
        : machine_(machine), image_(image), width_(width), height_(height),
          capacity_(RimCapacity::of<Shape>(width, height, kEight)) {}

    /// Runs the stages "tiles", "merges" and "flatten".
    [[nodiscard]] Buffer<std::uint32_t> run() {
        const auto pixels = static_cast<std::size_t>(capacity_.pixels);
        const auto mostSlots = static_cast<std::uint32_t>(capacity_.pixels);
        const auto tiles = static_cast<std::uint32_t>(capacity_.tiles);
        const std::uint32_t tileColumns = (width_ + (Shape::kWidth - 1)) / Shape::kWidth;
        constexpr const char* kWhat = "the rims of the tiles";
        auto counts = machine_.template make<RimCounts>(1, kWhat);
        auto codes = machine_.template make<std::uint16_t>(pixels, "the trees of the tiles");
        auto firstSlot = machine_.template make<std::uint32_t>(tiles, kWhat);
        auto links = machine_.template make<SlotRecord::Word>(pixels, kWhat);
        auto canonical = machine_.template make<std::uint32_t>(pixels, kWhat);
        auto slotParents = machine_.template make<std::uint32_t>(pixels, kWhat);
        auto levels = machine_.template make<Level>(pixels, kWhat);
        const RimForest<Level> forest{links.data(), canonical.data(), slotParents.data(), levels.data()};
        auto edges = machine_.template make<RimEdge>(capacity_.edges > 0 ? capacity_.edges : 1, "edges between tiles");

        machine_.fill(counts.data(), 1, 0);
        machine_.tiles(RimTilePass<Level, Shape, kEight>{image_, width_, height_, tileColumns, counts.data(),
                                                         codes.data(), firstSlot.data(), forest, edges.data()},
                       tiles);
        machine_.finish("tiles");
        if (tiles > 1) {
            machine_.join(JoinRims<Level, Shape>{image_, width_, tileColumns, edges.data(), counts.data(), codes.data(),
                                                 firstSlot.data(), RimLinks{links.data()}, machine_.stopFlag()},
                          capacity_.edges);
            machine_.eachOf(SettleRims<Level>{forest}, &counts.data()->slots, mostSlots);
            machine_.eachOf(NameRims<Level>{forest}, &counts.data()->slots, mostSlots);
        }
        machine_.finish("merges");
        auto parents = machine_.template make<std::uint32_t>(pixels, "the parent image");
        machine_.tiles(WriteRimParents<Level, Shape>{width_, height_, tileColumns, codes.data(), firstSlot.data(),
                                                     forest, parents.data()},
                       tiles);
        machine_.finish("flatten");
        return parents;
    }

private:
    Machine& machine_;
    LevelView<Level> image_;
    std::uint32_t width_, height_;
    RimCapacity capacity_;
};

} // namespace pollard::cuda
