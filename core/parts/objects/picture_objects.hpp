#pragma once

#include "base/job_control.hpp"
#include "components/auto_threshold.hpp"
#include "components/components.hpp"
#include "io/image_file.hpp"
#include "parts/picture_filter.hpp"

#include <cstdint>
#include <optional>

namespace pollard {

/// Levels of objects: from a given or computed low level to a high one.
struct ObjectLevels {
    std::optional<ThresholdMethod> method; ///< finds the low level in the histogram of the whole picture
    std::uint16_t low = 1;
    std::uint16_t high = 0xffff;
};

struct PictureObjectsReport {
    Components components; ///< without labels
    std::uint16_t low = 1; ///< given or found
    ImageInfo info;        ///< of the picture
    PixelType type = PixelType::u8;
    Extent extent;
    std::uint32_t bandRows = 0;
    int readings = 0; ///< how often the pixels of the picture were read
};

/// Finds the objects of a picture of any size, see ObjectsInBands, on the CPU, and writes their labels as a tiled TIFF
/// of 32 bits with reduced versions if the request has a target. The target appears when it is complete; the working
/// folder for it is removed at the end and after a failure.
/// @param request without tree, filter and chunk
/// @throws exceptions of PictureRegions, automaticThreshold(), ObjectsInBands and writeTiledTiff(); Cancelled
[[nodiscard]] PictureObjectsReport objectsOfPicture(const PictureFilter& request, const ObjectLevels& levels,
                                                    const JobControl& control = {});

} // namespace pollard
