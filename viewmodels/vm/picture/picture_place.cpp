#include "vm/picture/picture_place.hpp"

#include "vm/picture/region_edit.hpp"

#include <algorithm>
#include <cstddef>

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

RegionShape mapped(const RegionShape& shape, const PicturePlace& from, const PicturePlace& to) {
    return mapped(shape, (to.offset - from.offset) * from.scale, to.scale / from.scale);
}

} // namespace pollard::vm
