#include "vm/document/followed_stages.hpp"

#include "vm/picture/picture_place.hpp"

#include <utility>

namespace pollard::vm {

void clearPicks(FilterSpec& filter) {
    filter.removed.clear();
    filter.kept.clear();
    filter.only.clear();
}

TreeRequest withoutPicks(TreeRequest request) {
    clearPicks(request.filter);
    for (FilterStage& stage : request.earlier) {
        clearPicks(stage.filter);
    }
    return request;
}

FilterStages carriedOver(FilterStages stages) {
    for (FilterStage& stage : stages) {
        clearPicks(stage.filter);
        stage.region = {};
        stage.regionOn = true;
    }
    return stages;
}

FilterStages followed(FilterStages stages, const OpenRequest& from, const OpenRequest& to, const ImageInfo& info) {
    if (from.samePicture(to)) {
        return stages;
    }
    if (from.path != to.path) {
        return carriedOver(std::move(stages));
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
