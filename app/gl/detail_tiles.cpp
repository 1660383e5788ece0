#include "gl/detail_tiles.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace pollard::app {
namespace {

/// Marks the keys of detail tiles, whose numbers are not those of images.
constexpr std::uint64_t kDetail = std::uint64_t{1} << 63;
constexpr double kLeastSide = 1e-6; ///< px; narrower parts come from rounding

TextureTile part(const TextureTile& tile, double left, double top, double right, double bottom) {
    TextureTile cut = tile;
    cut.area = QRectF(QPointF(left, top), QPointF(right, bottom));
    cut.texel += (cut.area.topLeft() - tile.area.topLeft()) * tile.texelsPerPx;
    return cut;
}

void cutOut(std::vector<TextureTile>& tiles, const QRectF& area) {
    std::vector<TextureTile> left;
    for (const TextureTile& tile : tiles) {
        std::ranges::move(without(tile, area), std::back_inserter(left));
    }
    tiles = std::move(left);
}

} // namespace

std::vector<TextureTile> without(const TextureTile& tile, const QRectF& area) {
    const QRectF hole = tile.area & area;
    if (hole.width() < kLeastSide || hole.height() < kLeastSide) {
        return {tile};
    }
    const QRectF& all = tile.area;
    std::vector<TextureTile> parts{part(tile, all.left(), all.top(), all.right(), hole.top()),
                                   part(tile, all.left(), hole.top(), hole.left(), hole.bottom()),
                                   part(tile, hole.right(), hole.top(), all.right(), hole.bottom()),
                                   part(tile, all.left(), hole.bottom(), all.right(), all.bottom())};
    std::erase_if(
        parts, [](const TextureTile& one) { return one.area.width() < kLeastSide || one.area.height() < kLeastSide; });
    return parts;
}

ImageTiles::Selection withDetail(ImageTiles::Selection selection, const vm::ImageDetail::Tiles& fine, int channel,
                                 TileTextures& store, UploadAllowance& allowance) {
    std::vector<TextureTile> drawn; // finer ones first
    for (const auto& detail : fine) {
        const auto pixels = detail->channels.find(channel);
        if (pixels == detail->channels.end()) {
            continue;
        }
        const Image& image = *pixels->second.image;
        if (static_cast<int>(std::max(image.width(), image.height())) > store.content()) {
            continue;
        }
        TextureTile tile;
        tile.area = detail->area;
        std::vector<TextureTile> open{tile};
        for (const TextureTile& finer : drawn) {
            cutOut(open, finer.area);
        }
        if (open.empty()) {
            continue;
        }
        const TileTextures::Key key{kDetail | detail->id, static_cast<std::uint32_t>(channel + 1), 0, 0};
        const TileTextures::Tile* texture = store.find(key);
        if (texture == nullptr) {
            if (!allowance.take(image.bytes())) {
                selection.isComplete = false;
                continue;
            }
            texture = &store.upload(key, image, pixels->second.valid.get());
        }
        tile.levels = texture->levels;
        tile.coverage = texture->coverage;
        tile.texelsPerPx = detail->texelsPerPx;
        tile.texel = detail->texel;
        tile.size = texture->area.size();
        for (const TextureTile& rest : open) {
            drawn.push_back(part(tile, rest.area.left(), rest.area.top(), rest.area.right(), rest.area.bottom()));
        }
    }
    for (const TextureTile& tile : drawn) {
        cutOut(selection.tiles, tile.area);
    }
    std::ranges::move(drawn, std::back_inserter(selection.tiles));
    return selection;
}

} // namespace pollard::app
