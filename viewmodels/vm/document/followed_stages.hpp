#pragma once

#include "vm/document/job_types.hpp"
#include "vm/picture/open_request.hpp"

#include "recipe/filter_stages.hpp"

namespace pollard::vm {

/// Leaves out the components that were picked by hand.
void clearPicks(FilterSpec& filter);
/// The same of all its filters.
[[nodiscard]] TreeRequest withoutPicks(TreeRequest request);

/// Filters of one picture for one of another file: without regions and without what was picked by hand, which are of
/// the one picture.
[[nodiscard]] FilterStages carriedOver(FilterStages stages);

/// Filters of one picture for another one. In the same file their regions stay where they are on the page, and what was
/// picked by hand is left out; for another file they are carriedOver().
/// @param info of a page of the file that they are of
[[nodiscard]] FilterStages followed(FilterStages stages, const OpenRequest& from, const OpenRequest& to,
                                    const ImageInfo& info);

} // namespace pollard::vm
