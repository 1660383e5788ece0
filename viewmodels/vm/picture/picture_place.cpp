#include "vm/picture/picture_place.hpp"

#include "vm/picture/region_edit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::vm {

PicturePlace placeOf(const OpenRequest& request, const ImageInfo& info) {
    double level = 1; // px of the full resolution per px of the level
    if (request.level > 0 && static_cast<std::size_t>(request.level) < info.levels.size()) {
        const auto& own = info.levels[static_cast<std::size_t>(request.level)];
        level = own.width > 0 ? static_cast<double>(info.levels.front().width) / own.width : 1;
    }
    PicturePlace place;
    place.scale = 1 / (level * std::max(request.shrink, 1));
    if (request.region) {
        place.offset = QPointF(request.region->x, request.region->y) * level;
    }
    return place;
}

PixelRegion pixelsOfFile(const PixelRegion& area, const OpenRequest& picture, const ImageInfo& info) {
    const auto factor = static_cast<std::uint32_t>(std::max(picture.shrink, 1));
    const auto level = static_cast<std::size_t>(picture.level);
    const PixelRegion page = level < info.levels.size()
                                 ? PixelRegion{0, 0, info.levels[level].width, info.levels[level].height}
                                 : PixelRegion{0, 0, info.width, info.height};
    const PixelRegion whole = picture.region.value_or(page);
    const std::uint32_t x = area.x * factor;
    const std::uint32_t y = area.y * factor;
    // The last block may be smaller.
    return {whole.x + x, whole.y + y, std::min(area.width * factor, whole.width - x),
            std::min(area.height * factor, whole.height - y)};
}

RegionShape mapped(const RegionShape& shape, const PicturePlace& from, const PicturePlace& to) {
    return mapped(shape, (to.offset - from.offset) * from.scale, to.scale / from.scale);
}

} // namespace pollard::vm
