#pragma once

#include "open_request.hpp"

#include "recipe/filter_stages.hpp"

namespace pollard::vm {

/// Leaves out the components that were picked by hand.
void clearPicks(FilterSpec& filter);

/// Filters of one picture for another one of the same file: their regions stay where they are on the page, and what was
/// picked by hand, which is of the one picture, is left out. None for another file.
/// @param info of a page of that file
[[nodiscard]] FilterStages followed(FilterStages stages, const OpenRequest& from, const OpenRequest& to,
                                    const ImageInfo& info);

} // namespace pollard::vm
