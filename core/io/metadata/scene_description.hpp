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
/// Label of the fact with the name of the first image of an OME-TIFF.
inline constexpr const char* kImageNameFact = "Image name";

/// Description of the scene for a TIFF, in addition to carried tags.
struct SceneDescription {
    std::optional<PixelSize> pixelSize = {}; ///< of the scene, never for print
    std::string channel = {};                ///< name of the only channel; UTF-8
    std::vector<StackAxis> axes = {};        ///< axes of the pages; empty for one page, or pages without a meaning
    /// Facts about the positions of the axis 'c', or about the only channel; ignored unless there is one for each.
    std::vector<Channel> channels = {};
    bool sizeInGeoTags = false;               ///< geo tags state the size of a pixel, too
    bool wantsOme = false;                    ///< the name of the file requests OME-XML
    std::optional<ChannelWindow> window = {}; ///< displayed range of stored values, for pages without several channels
    std::optional<Calibration> scale = {};    ///< calibration by ImageJ of the source

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

/// Format of the ImageDescription of a file.
enum class DescriptionKind { none, imageJ, omeXml };

/// Chooses the description of a written TIFF:
/// 1. none for a single page without size, names, values or displayed range, and for integers of 64 bits;
/// 2. OME-XML if the file has its name (.ome.tif) and OME-XML can express the scene: units are lengths and every page
/// has
///    a place in a stack;
/// 3. ImageJ's text if the values of samples must be stated, or if ImageJ can open the file and show the whole scene;
/// 4. OME-XML if it can express the scene;
/// 5. ImageJ's text for the size of a pixel only.
[[nodiscard]] DescriptionKind descriptionKind(const SceneDescription& scene, const WrittenPages& pages);

/// The tags of a page: @p carried with the resolution that fits the description, and on the first page the description
/// and its tags.
[[nodiscard]] std::vector<CopiedTag> pageTags(std::vector<CopiedTag> carried, const SceneDescription& scene,
                                              const WrittenPages& pages, bool isFirst);

/// ImageDescription (tag 270) for the first page: OME-XML 2016-06 with pixel size and slice distance with units, axes
/// of the pages, names, colours and wavelengths of channels, at full precision; or ImageJ's text: counts of the axes,
/// unit, distance of slices and displayed range.
/// @param carried tags whose resolution gives the unit of a print size
/// @return nothing for DescriptionKind::none
[[nodiscard]] std::optional<CopiedTag> imageDescription(const SceneDescription& scene, const WrittenPages& pages,
                                                        const std::vector<CopiedTag>& carried = {});

/// A tag with a text, TIFF type ASCII.
[[nodiscard]] CopiedTag textTag(std::uint16_t number, const std::string& text);

/// XResolution, YResolution and ResolutionUnit for a pixel size: in pixels per cm, or per unit (with unit "none") if
/// the unit is not a length. Empty if the numbers exceed the range of the tags.
[[nodiscard]] std::vector<CopiedTag> resolutionTags(const PixelSize& size);

/// These tags for any numbers. @param unit value of ResolutionUnit
[[nodiscard]] std::vector<CopiedTag> resolutionTags(double xPerUnit, double yPerUnit, std::uint16_t unit);

} // namespace pollard
