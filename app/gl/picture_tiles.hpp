#pragma once

#include "gl/texture_tile.hpp"
#include "gl/tile_store.hpp"
#include "gl/upload_allowance.hpp"
#include "image/pyramid.hpp"

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::app {

/// One picture as tiles of a TileStore: chooses the level of its pyramid that has just more texels than the screen has
/// pixels, and those of its tiles that can be seen.
class PictureTiles {
public:
    struct View {
        QSize viewport;   ///< device px
        QPointF origin;   ///< of the picture's top left corner, device px
        double scale = 1; ///< device px per px of the picture
    };
    struct Selection {
        std::vector<TextureTile> tiles; ///< row by row; they cover what is seen of the picture, each pixel once
        bool isComplete = true;         ///< no tile stands in for another
    };

    explicit PictureTiles(TileStore& store) : store_(store) {}
    ~PictureTiles() = default;
    PictureTiles(const PictureTiles&) = delete;
    PictureTiles& operator=(const PictureTiles&) = delete;

    /// Another picture, or null for none; the tiles of the one before are never shown again.
    void setPicture(std::shared_ptr<const Pyramid> pyramid);
    [[nodiscard]] bool isEmpty() const noexcept { return pyramid_ == nullptr; }

    /// What to draw, between begin() and end() of the store. Tiles that are missing are copied as far as the allowance
    /// goes, from the middle of the view on; a coarser one stands in for the others. What is left of the allowance
    /// goes to tiles that a person may see next: around the view, and of the next coarser level.
    /// @throws Error(outOfMemory)
    [[nodiscard]] Selection select(const View& view, UploadAllowance& allowance);

    /// The pyramid's level for a scale: the smallest that still has a texel for every device pixel.
    [[nodiscard]] static std::size_t levelFor(double scale, std::size_t levels);

private:
    /// Tiles [x0, x1) x [y0, y1) of a level.
    struct Cells {
        std::size_t level = 0;
        std::uint32_t x0 = 0;
        std::uint32_t y0 = 0;
        std::uint32_t x1 = 0;
        std::uint32_t y1 = 0;
    };
    [[nodiscard]] Cells cellsIn(const QRectF& area, std::size_t level, std::uint32_t around) const;
    [[nodiscard]] TileStore::Key keyOf(std::size_t level, std::uint32_t column, std::uint32_t row) const;
    /// Copies what is missing, from @p middle (px of the picture) outwards. @returns whether all of it is there
    bool load(const Cells& cells, QPointF middle, UploadAllowance& allowance);
    [[nodiscard]] QRectF areaOf(std::size_t level, std::uint32_t column, std::uint32_t row) const;
    [[nodiscard]] TextureTile tileFor(std::size_t level, std::uint32_t column, std::uint32_t row);

    TileStore& store_;
    std::shared_ptr<const Pyramid> pyramid_;
    std::uint64_t id_ = 0;
};

} // namespace pollard::app
