#pragma once

#include "io/image_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Name of the fact (ImageInfo::facts) that tells the one channel of a file.
inline constexpr const char* kChannelFact = "Channel";

/// The description of the scene in a written TIFF, beside the tags that travel unchanged.
struct SceneDescription {
    std::optional<PixelSize> pixelSize = {}; ///< of the scene, never of print; absent where geo tags state it
    std::string channel = {};                ///< name of the one channel; UTF-8
    std::vector<StackAxis> axes = {};        ///< how the pages are counted; empty for one, or pages without a meaning

    bool operator==(const SceneDescription&) const = default;
};

/// The pages that a description is for.
struct WrittenPages {
    int bits = 8;             ///< per sample, of the first page: 8, 16 or 32, unsigned
    int samples = 1;          ///< per pixel
    std::uint32_t width = 0;  ///< px, of the first page
    std::uint32_t height = 0; ///< px
    int count = 1;
};

/// The ImageDescription (tag 270) that belongs into the first page, as OME-XML 2016-06: pixel size and distance of
/// slices with their units, how pages are counted, names of channels, all to the last digit. Two kinds of files get the
/// text of ImageJ instead, whose numbers are those of the resolution tags: pages without a meaning, for which OME-XML
/// has no word, and sizes in units that are no lengths, e.g. arcsec.
/// @return nothing if there is nothing to say, or what there is does not fit @p pages
[[nodiscard]] std::optional<CarriedTag> imageDescription(const SceneDescription& scene, const WrittenPages& pages);

/// XResolution, YResolution and ResolutionUnit for a pixel of this size: in pixels per cm, or per unit (and unit
/// "none") where the unit is no length. Empty if such numbers do not fit the tags.
[[nodiscard]] std::vector<CarriedTag> resolutionTags(const PixelSize& size);

} // namespace pollard
