#pragma once

#include "base/job_control.hpp"
#include "engine/profile.hpp"
#include "io/image_file.hpp"
#include "parts/picture_filter.hpp"

#include <string>
#include <vector>

namespace pollard {

struct PictureProfileReport {
    std::vector<ProfilePage> pages;
    StreamedReport stream;
    ImageInfo info; ///< of the picture
    PixelType type = PixelType::u8;
    Extent extent;
    Extent chunk;
    int readings = 0;   ///< how often the pixels of the picture were read, at most
    std::string engine; ///< that built the last tree
};

/// Writes the profile of a picture of any size, see StreamedProfile, as a tiled TIFF with a page per threshold, each
/// with reduced versions, see writeTiledPages(). Pixels equal those of AttributeProfile on the whole picture. The
/// target appears when it is complete; the working folder is removed at the end and after a failure.
/// @param request without a filter; it cannot be resumed
/// @param tags of each page
/// @throws as PictureChunks, StreamedProfile and writeTiledPages(); Cancelled
[[nodiscard]] PictureProfileReport profileOfPicture(const PictureFilter& request, const ProfileSpec& spec,
                                                    const std::vector<std::vector<CarriedTag>>& tags,
                                                    const JobControl& control = {});

} // namespace pollard
