#pragma once

#include "base/job_control.hpp"
#include "channels/bands.hpp"
#include "channels/stains.hpp"
#include "image/channel.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The channels of an image with the facts that the file states: one for each sample and position of the axis 'c', with
/// the other axes at their positions of info.page. Never empty.
[[nodiscard]] std::vector<Channel> channelsOf(const ImageInfo& info);

/// Whether the luminance differs from the first sample.
[[nodiscard]] bool hasColours(const ImageInfo& info);

/// Index of a chosen channel in channelsOf(); empty if its values are computed.
/// @param info of the page
[[nodiscard]] std::optional<std::size_t> storedChannel(const ChannelChoice& choice, const ImageInfo& info);

/// Channels of one size and type.
struct ChannelImage {
    std::vector<ChannelPlane> planes;
    ImageInfo info; ///< of the page asked for, with the facts and notes that hold for all planes
};

/// Reads several channels like readImage() reads one; ignores options.channel. Does not decode other channels if the
/// file stores them separately. Decodes a page once for all samples if the reader can (TIFF, JPEG 2000). Checks the
/// memory for all planes before reading.
/// @param wanted indices in channelsOf(); empty: all
/// @throws as readImage(); Error(invalidArgument) if the planes differ in size or type, or a channel does not exist
[[nodiscard]] ChannelImage readChannels(const std::filesystem::path& path, const ReadOptions& options,
                                        std::span<const std::size_t> wanted = {}, const JobControl& control = {});

/// readImage() and readImageInfo() for a derived channel, see Derivation. It is computed from the values of the file,
/// also floating-point values, in the region and shrunk. The mapping choice of the options applies to the derived
/// values; `automatic` is -1..1 for normalised differences.
/// @throws as readImage(); Error(invalidArgument) for an expression that does not fit the image
[[nodiscard]] LoadedImage readDerived(const std::filesystem::path& path, const ReadOptions& options,
                                      const JobControl& control);
[[nodiscard]] ImageInfo readDerivedInfo(const std::filesystem::path& path, const ReadOptions& options);

/// Mean optical densities of red, green and blue in the part of the image that options.region names, see densityOf().
/// Channel, range of values and shrinking of the options are ignored.
/// @throws as readDerived(); Error(invalidArgument) for an image without colours or a part without data
[[nodiscard]] StainVector readDensity(const std::filesystem::path& path, const ReadOptions& options,
                                      const JobControl& control = {});

} // namespace pollard
