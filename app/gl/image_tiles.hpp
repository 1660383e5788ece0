#pragma once

#include "gl/image_part.hpp"
#include "gl/tile_textures.hpp"
#include "image/pyramid.hpp"
#include "vm/display/image_detail.hpp"

#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::app {

/// An image as tiles of a TileTextures: selects the smallest level of its pyramid with at least the resolution of the
/// screen, and its visible tiles.
class ImageTiles {
public:
    struct Selection {
        std::vector<TextureTile> tiles; ///< row by row; they cover the visible part of the image without overlap
        bool isComplete = true;         ///< no tile is replaced by a coarser one
    };

    explicit ImageTiles(TileTextures& store) : store_(store) {}
    ~ImageTiles() = default;
    ImageTiles(const ImageTiles&) = delete;
    ImageTiles& operator=(const ImageTiles&) = delete;

    /// Sets the image, or null for none; the tiles of the previous one are never shown again.
    void setImage(std::shared_ptr<const Pyramid> pyramid);
    [[nodiscard]] bool isEmpty() const noexcept { return pyramid_ == nullptr; }

    /// Tiles to draw; call between begin() and end() of the store. Missing tiles are copied within the allowance, from
    /// the middle of the view outwards; coarser ones stand in for the rest. The remaining allowance prefetches tiles
    /// around the view and of the next coarser level.
    /// @throws Error(outOfMemory)
    [[nodiscard]] Selection select(const ImagePart& part, UploadAllowance& allowance);

    /// The pyramid's level for a scale: the smallest with at least a texel per device pixel.
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
    [[nodiscard]] TileTextures::Key keyOf(std::size_t level, std::uint32_t column, std::uint32_t row) const;
    /// Copies missing tiles, from @p middle (px of the image) outwards. @returns whether all are loaded
    bool load(const Cells& cells, QPointF middle, UploadAllowance& allowance);
    [[nodiscard]] QRectF areaOf(std::size_t level, std::uint32_t column, std::uint32_t row) const;
    [[nodiscard]] TextureTile tileFor(std::size_t level, std::uint32_t column, std::uint32_t row);

    TileTextures& store_;
    std::shared_ptr<const Pyramid> pyramid_;
    std::uint64_t id_ = 0;
};

/// The parts of a tile outside @p area: none, the tile itself, or up to four rectangles.
[[nodiscard]] std::vector<TextureTile> without(const TextureTile& tile, const QRectF& area);

/// Puts tiles of finer levels in the place of parts of an image's tiles; the result covers the same pixels without
/// overlap. Missing textures are copied within the allowance. Call between begin() and end() of the store. (GL)
/// @param selection tiles of the displayed image
/// @param fine see ImageDetail::tiles()
/// @param channel key of DetailTile::channels
/// @throws Error(outOfMemory)
[[nodiscard]] ImageTiles::Selection withDetail(ImageTiles::Selection selection, const vm::ImageDetail::Tiles& fine,
                                               int channel, TileTextures& store, UploadAllowance& allowance);

} // namespace pollard::app
