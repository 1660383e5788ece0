#pragma once

#include "components/outline_files/outline_painter.hpp"
#include "image/image.hpp"

#include <string>
#include <vector>

namespace pollard {

/// The outlines in GeoJSON or COCO.
/// @param image name of the image file, which chooses among the images of COCO
/// @throws Error(invalidArgument, limitExceeded) as parseJson(), Error(fileDamaged) for other content,
/// Error(formatUnsupported) for positions in longitude and latitude
[[nodiscard]] std::vector<StoredOutline> outlinesOfJson(const std::string& text, const Extent& extent,
                                                        const std::string& image);

} // namespace pollard
