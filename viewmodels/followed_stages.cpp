#include "followed_stages.hpp"

#include "picture_place.hpp"

namespace pollard::vm {

void clearPicks(FilterSpec& filter) {
    filter.removed.clear();
    filter.kept.clear();
    filter.only.clear();
}

FilterStages followed(FilterStages stages, const OpenRequest& from, const OpenRequest& to, const ImageInfo& info) {
    if (from == to) {
        return stages;
    }
    if (from.path != to.path) {
        return {};
    }
    const PicturePlace before = placeOf(from, info);
    const PicturePlace after = placeOf(to, info);
    for (FilterStage& stage : stages) {
        clearPicks(stage.filter);
        if (before != after) {
            for (RegionShape& shape : stage.region.shapes) {
                shape = mapped(shape, before, after);
            }
        }
    }
    return stages;
}

} // namespace pollard::vm
