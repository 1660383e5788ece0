#pragma once

#include "vm/document/job_types.hpp"
#include "vm/picture/open_request.hpp"

#include "recipe/filter_stages.hpp"

namespace pollard::vm {

/// Removes the hand-picked components.
void clearPicks(FilterSpec& filter);
/// The same for all its filters.
[[nodiscard]] TreeRequest withoutPicks(TreeRequest request);

/// Filters of one picture for one of another file: without regions and hand-picked components, which belong to the one
/// picture.
[[nodiscard]] FilterStages carriedOver(FilterStages stages);

/// Filters of one picture for another one. In the same file regions keep their place on the page and hand-picked
/// components are removed; for another file see carriedOver().
/// @param info of a page of their file
[[nodiscard]] FilterStages followed(FilterStages stages, const OpenRequest& from, const OpenRequest& to,
                                    const ImageInfo& info);

} // namespace pollard::vm
