#pragma once

#include "io/metadata/scene_description.hpp"

#include <string>
#include <vector>

namespace pollard {

/// Whether ImageJ's text, tags and resolution hold all of the scene: its order of pages is channels, slices, times; it
/// has no wavelengths, and colours for all channels or none.
[[nodiscard]] bool isImageJScene(const SceneDescription& scene, const WrittenPages& pages);

/// ImageJ's ImageDescription: counts of the axes, unit, distance of slices and displayed range. Lines that ImageJ
/// ignores hold the exact size of a pixel and the name of an only channel.
/// @param carried the resolution among them gives the unit of a size for print
[[nodiscard]] std::string imageJText(const SceneDescription& scene, const WrittenPages& pages,
                                     const std::vector<CopiedTag>& carried);

/// IJMetadataByteCounts and IJMetadata (tags 50838 and 50839) in host byte order: names of channels as labels of all
/// pages, displayed ranges of several channels, and colour tables from black to the colours. Empty without these.
[[nodiscard]] std::vector<CopiedTag> imageJTags(const SceneDescription& scene, const WrittenPages& pages);

/// XResolution, YResolution and ResolutionUnit as ImageJ writes them: in pixels per unit of imageJText(), with the unit
/// "none". Empty if the numbers exceed the range of the tags.
[[nodiscard]] std::vector<CopiedTag> imageJResolution(const PixelSize& size);

} // namespace pollard
