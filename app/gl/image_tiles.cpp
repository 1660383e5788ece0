#include "gl/image_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace pollard::app {
namespace {

double pxPerTexel(std::size_t level) { return std::ldexp(1.0, static_cast<int>(level)); }

/// Unique number of an image; only called by the thread of the window.
std::uint64_t nextId() {
    static std::uint64_t last = 0;
    return ++last;
}

} // namespace

void ImageTiles::setImage(std::shared_ptr<const Pyramid> pyramid) {
    if (pyramid == pyramid_) {
        return;
    }
    store_.forget(id_);
    pyramid_ = std::move(pyramid);
    id_ = nextId();
}

std::size_t ImageTiles::levelFor(double scale, std::size_t levels) {
    std::size_t level = 0;
    // With tolerance: 2 x 2 px per device pixel are exactly a texel of level 1.
    while (level + 1 < levels && pxPerTexel(level + 1) * scale <= 1.0 + 1e-9) {
        ++level;
    }
    return level;
}

TileTextures::Key ImageTiles::keyOf(std::size_t level, std::uint32_t column, std::uint32_t row) const {
    return {id_, static_cast<std::uint32_t>(level), column, row};
}

QRectF ImageTiles::areaOf(std::size_t level, std::uint32_t column, std::uint32_t row) const {
    const double side = store_.content() * pxPerTexel(level);
    const Image& image = *pyramid_->image();
    const double right = std::min<double>((column + 1) * side, image.width());
    const double bottom = std::min<double>((row + 1) * side, image.height());
    return {QPointF(column * side, row * side), QPointF(right, bottom)};
}

ImageTiles::Cells ImageTiles::cellsIn(const QRectF& area, std::size_t level, std::uint32_t around) const {
    const double side = store_.content() * pxPerTexel(level);
    const Image& image = pyramid_->level(level);
    const auto range = [&](double low, double high, std::uint32_t pixels) {
        const std::uint32_t cells = (pixels - 1) / static_cast<std::uint32_t>(store_.content()) + 1;
        const auto count = static_cast<double>(cells);
        const double first = std::clamp(std::floor(low / side) - around, 0.0, count);
        const double last = std::clamp(std::ceil(high / side) + around, 0.0, count);
        return std::pair{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
    };
    const auto [x0, x1] = range(area.left(), area.right(), image.width());
    const auto [y0, y1] = range(area.top(), area.bottom(), image.height());
    return {level, x0, y0, x1, y1};
}

bool ImageTiles::load(const Cells& cells, QPointF middle, UploadAllowance& allowance) {
    std::vector<std::pair<double, TileTextures::Key>> missing;
    for (std::uint32_t row = cells.y0; row < cells.y1; ++row) {
        for (std::uint32_t column = cells.x0; column < cells.x1; ++column) {
            const TileTextures::Key key = keyOf(cells.level, column, row);
            if (store_.find(key) == nullptr) {
                const QPointF away = areaOf(cells.level, column, row).center() - middle;
                missing.emplace_back(std::hypot(away.x(), away.y()), key);
            }
        }
    }
    std::sort(missing.begin(), missing.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [distance, key] : missing) {
        if (!allowance.take(store_.cost(*pyramid_))) {
            return false;
        }
        store_.upload(key, *pyramid_);
    }
    return true;
}

TextureTile ImageTiles::tileFor(std::size_t level, std::uint32_t column, std::uint32_t row) {
    TextureTile shown;
    shown.area = areaOf(level, column, row);
    for (std::size_t up = level; up < pyramid_->levels(); ++up) {
        const auto shift = static_cast<std::uint32_t>(up - level);
        const TileTextures::Tile* tile = store_.find(keyOf(up, column >> shift, row >> shift));
        if (tile != nullptr) {
            shown.levels = tile->levels;
            shown.coverage = tile->coverage;
            shown.texelsPerPx = 1.0 / pxPerTexel(up);
            shown.texel = shown.area.topLeft() * shown.texelsPerPx - QPointF(tile->area.topLeft());
            shown.size = tile->area.size();
            shown.isStandIn = up != level;
            break;
        }
    }
    return shown;
}

ImageTiles::Selection ImageTiles::select(const ImagePart& part, UploadAllowance& allowance) {
    Selection selection;
    if (!pyramid_) {
        return selection;
    }
    const Image& image = *pyramid_->image();
    const QRectF whole(0, 0, image.width(), image.height());
    const QRectF seen = whole & part.area();
    // The coarsest level is always loaded, so that the right image can be drawn at any time.
    const std::size_t coarsest = pyramid_->levels() - 1;
    if (coarsest > 0) {
        UploadAllowance always = UploadAllowance::unlimited();
        load(cellsIn(whole, coarsest, 0), whole.center(), always);
    }
    if (seen.isEmpty()) {
        return selection;
    }
    const std::size_t level = levelFor(std::max(part.scale, std::abs(part.scaleDown())), pyramid_->levels());
    const Cells cells = cellsIn(seen, level, 0);
    selection.isComplete = load(cells, seen.center(), allowance);
    for (std::uint32_t row = cells.y0; row < cells.y1; ++row) {
        for (std::uint32_t column = cells.x0; column < cells.x1; ++column) {
            const TextureTile tile = tileFor(level, column, row);
            if (tile.levels != 0) {
                selection.tiles.push_back(tile);
            }
        }
    }
    // Prefetches within the allowance, in the order of likely use.
    if (selection.isComplete && !allowance.isUnlimited() && load(cellsIn(seen, level, 1), seen.center(), allowance)) {
        load(cellsIn(seen, std::min(level + 1, coarsest), 1), seen.center(), allowance);
    }
    return selection;
}

namespace {

/// Marks the keys of detail tiles, which are not numbered like images.
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
