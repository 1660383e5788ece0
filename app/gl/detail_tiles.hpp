#pragma once

#include "gl/image_tiles.hpp"
#include "gl/texture_tile.hpp"
#include "gl/tile_textures.hpp"
#include "gl/upload_allowance.hpp"

#include "vm/display/image_detail.hpp"

#include <QRectF>

#include <vector>

namespace pollard::app {

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
