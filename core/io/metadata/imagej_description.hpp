#pragma once

#include "io/image_file.hpp"
#include "io/metadata/stack_places.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Whether an ImageDescription was written by ImageJ ("ImageJ=1.53t" at its start).
[[nodiscard]] bool isImageJ(std::string_view description);

/// Number of planes that ImageJ's text states; 0 if invalid.
[[nodiscard]] std::uint64_t imageJImages(std::string_view description);

/// Adds the information in ImageJ's text: axes of the pages (channels, then slices, then frames if no other order is
/// stated; none without a count; see placePages() for fewer pages than planned and leaveUnclear() for more), slice
/// distance, the name of an only channel and, with the resolution tags, the pixel size in µm, m, arcsec or °. The
/// lines of written descriptions that ImageJ ignores count if they agree with the tags. A straight line as calibration
/// function becomes info.calibration; a note names other functions.
/// @param xResolution,yResolution pixels per unit; 0 if unknown
/// @param info.pages and info.samples must be set; sets axes, pages and pixelSize, adds facts and notes
StackPlaces describeImageJ(std::string_view description, double xResolution, double yResolution, ImageInfo& info);

/// Content of ImageJ's tags.
struct ImageJMetadata {
    std::vector<std::string> labels;                  ///< of the pages, as UTF-8
    std::vector<ChannelWindow> windows;               ///< displayed ranges of the channels
    std::vector<std::array<std::uint8_t, 3>> colours; ///< brightest entries of the channels' colour tables
    std::string info = {};                            ///< for "Show Info"; written only
};

/// Sets info.channels (to be arranged by arrangeChannels()): names of the channels if the page labels are equal for all
/// pages of a channel, which become labels of info.axes, too; displayed ranges, of a single channel also from the
/// description; colours.
void describeImageJChannels(std::string_view description, const ImageJMetadata& metadata, ImageInfo& info);

/// Reads the block IJMetadata (tag 50839) in the byte order of the file with the sizes of its parts (tag 50838). Empty
/// if missing or damaged.
[[nodiscard]] ImageJMetadata imageJMetadata(std::span<const std::uint8_t> block, std::span<const std::uint32_t> sizes,
                                            bool bigEndian);

} // namespace pollard
