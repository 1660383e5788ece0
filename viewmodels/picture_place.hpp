#pragma once

#include "open_request.hpp"

#include "recipe/filter_stages.hpp"

#include <QPointF>

namespace pollard::vm {

/// Where the px of a picture that was read lie on its page: p = (P - offset) * scale, with P in px of the full
/// resolution.
struct PicturePlace {
    QPointF offset;
    double scale = 1;

    bool operator==(const PicturePlace&) const = default;
};

/// @param info of the page
[[nodiscard]] PicturePlace placeOf(const OpenRequest& request, const ImageInfo& info);

/// The same shape in another picture of the page.
[[nodiscard]] RegionShape mapped(const RegionShape& shape, const PicturePlace& from, const PicturePlace& to);

/// Filters of one picture for another one of the same file: their regions stay where they are on the page, and what was
/// picked by hand, which is of the one picture, is left out. None for another file.
/// @param info of a page of that file
[[nodiscard]] FilterStages followed(FilterStages stages, const OpenRequest& from, const OpenRequest& to,
                                    const ImageInfo& info);

} // namespace pollard::vm
