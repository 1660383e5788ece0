#pragma once

#include "io/image_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Label of the fact (ImageInfo::facts) with the name of a file's only channel.
inline constexpr const char* kChannelFact = "Channel";

/// Description of the scene for a TIFF, in addition to carried tags.
struct SceneDescription {
    std::optional<PixelSize> pixelSize = {}; ///< of the scene, never for print; unset if geo tags define it
    std::string channel = {};                ///< name of the only channel; UTF-8
    std::vector<StackAxis> axes = {};        ///< axes of the pages; empty for one page, or pages without a meaning
    /// Facts about the positions of the axis 'c', or about the only channel; ignored if not one each.
    std::vector<Channel> channels = {};

    bool operator==(const SceneDescription&) const = default;
};

/// The pages described by a SceneDescription.
struct WrittenPages {
    int bits = 8;             ///< per sample, of the first page: 8, 16 or 32, unsigned
    int samples = 1;          ///< per pixel
    std::uint32_t width = 0;  ///< px, of the first page
    std::uint32_t height = 0; ///< px
    int count = 1;
};

/// ImageDescription (tag 270) for the first page, as OME-XML 2016-06: pixel size and slice distance with units, axes of
/// the pages, names, colours and wavelengths of channels, at full precision. ImageJ's text with the resolution tags
/// replaces it in three cases: pages without a meaning, which OME-XML cannot express, units that are not lengths, e.g.
/// arcsec, and several channels that all have windows, which only ImageJ's tags hold.
/// @return nothing if the scene is empty or does not match @p pages
[[nodiscard]] std::optional<CarriedTag> imageDescription(const SceneDescription& scene, const WrittenPages& pages);

/// IJMetadataByteCounts and IJMetadata (tags 50838 and 50839) for the first page, in host byte order: names of the
/// channels as labels of all pages, displayed ranges and, if all colours are known, colour tables from black to them.
/// Empty unless imageDescription() is ImageJ's because of windows.
[[nodiscard]] std::vector<CarriedTag> imageJTags(const SceneDescription& scene, const WrittenPages& pages);

/// XResolution, YResolution and ResolutionUnit for a pixel size: in pixels per cm, or per unit (with unit "none") if
/// the unit is not a length. Empty if the numbers exceed the range of the tags.
[[nodiscard]] std::vector<CarriedTag> resolutionTags(const PixelSize& size);

} // namespace pollard
