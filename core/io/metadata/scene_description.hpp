#pragma once

#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Label of the fact (ImageInfo::facts) with the name of a file's only channel.
inline constexpr const char* kChannelFact = "Channel";
/// Of the only image of an OME-TIFF, or the first of several.
inline constexpr const char* kImageNameFact = "Image name";

/// Description of the scene for a TIFF, in addition to carried tags.
struct SceneDescription {
    std::optional<PixelSize> pixelSize = {}; ///< of the scene, never for print
    std::string channel = {};                ///< name of the only channel; UTF-8
    std::vector<StackAxis> axes = {};        ///< axes of the pages; empty for one page, or pages without a meaning
    /// Facts about the positions of the axis 'c', or about the only channel; ignored if not one each.
    std::vector<Channel> channels = {};
    bool sizeInGeoTags = false;               ///< geo tags state the size of a pixel, too
    bool wantsOme = false;                    ///< the name of the file asks for OME-XML
    std::optional<ChannelWindow> window = {}; ///< displayed range of stored values, for pages without several channels
    std::optional<Calibration> scale = {};    ///< of a source that ImageJ calibrated

    bool operator==(const SceneDescription&) const = default;
};

/// Facts about the channels; empty unless there is one for each.
[[nodiscard]] std::span<const Channel> channelFacts(const SceneDescription& scene);
/// Name of a position of the axis 'c', or of the only channel; empty if unknown.
[[nodiscard]] std::string channelName(const SceneDescription& scene, std::size_t position);

/// The pages described by a SceneDescription.
struct WrittenPages {
    ValueType type = ValueType::u8; ///< of the samples of the first page
    int samples = 1;                ///< per pixel
    std::uint32_t width = 0;        ///< px, of the first page
    std::uint32_t height = 0;       ///< px
    int count = 1;
    bool forImageJ = true; ///< ImageJ can open the file: strips in a classic TIFF that it can decode
    bool compressed = true;
};

/// Whether the axes are distinct, among c, z and t, and their counts multiply to the number of pages.
[[nodiscard]] bool countsPages(const std::vector<StackAxis>& axes, int pages);

/// What the ImageDescription of a file is.
enum class DescriptionKind { none, imageJ, omeXml };

/// The rule for all TIFFs that are written:
/// 1. nothing if there is nothing to say (a single page without size, names, values or a displayed range), or for
/// integers of 64 bits;
/// 2. OME-XML if the file is named so (.ome.tif), and OME-XML can express the scene: it has lengths only, and every
///    page has a place in a stack;
/// 3. ImageJ's text if it has to state the values of samples, or ImageJ can open the file and show all of the scene,
/// see isImageJScene();
/// 4. OME-XML if it can express the scene;
/// 5. ImageJ's text for the size of a pixel alone.
[[nodiscard]] DescriptionKind descriptionKind(const SceneDescription& scene, const WrittenPages& pages);

/// The tags of a page: @p carried with the resolution that goes with the description, and on the first page the
/// description itself with the tags that belong to it.
[[nodiscard]] std::vector<CopiedTag> pageTags(std::vector<CopiedTag> carried, const SceneDescription& scene,
                                              const WrittenPages& pages, bool isFirst);

/// ImageDescription (tag 270) for the first page: OME-XML 2016-06 with pixel size and slice distance with units, axes
/// of the pages, names, colours and wavelengths of channels, at full precision; or ImageJ's text, see imageJText().
/// @param carried see imageJText()
/// @return nothing for DescriptionKind::none
[[nodiscard]] std::optional<CopiedTag> imageDescription(const SceneDescription& scene, const WrittenPages& pages,
                                                        const std::vector<CopiedTag>& carried = {});

/// A tag with a text, TIFF type ASCII.
[[nodiscard]] CopiedTag textTag(std::uint16_t number, const std::string& text);

/// XResolution, YResolution and ResolutionUnit for a pixel size: in pixels per cm, or per unit (with unit "none") if
/// the unit is not a length. Empty if the numbers exceed the range of the tags.
[[nodiscard]] std::vector<CopiedTag> resolutionTags(const PixelSize& size);

/// The same tags for any numbers. @param unit value of ResolutionUnit
[[nodiscard]] std::vector<CopiedTag> resolutionTags(double xPerUnit, double yPerUnit, std::uint16_t unit);

} // namespace pollard
