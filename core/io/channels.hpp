#pragma once

#include "base/job_control.hpp"
#include "channels/channel_names.hpp"
#include "image/channel.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The channels of an image, with facts where the file states them: the positions of the axis 'c', with the other axes
/// at those of info.page, times the samples of a page. Never empty.
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

/// Reads channels, all of them if @p wanted (indices in channelsOf()) is empty, as readImage() reads one;
/// options.channel is ignored. Decodes no other ones where the file stores them apart.
/// The page is decoded once for all of its samples where the reader can (TIFF, JPEG 2000). Memory for all planes is
/// checked before any is read.
/// @throws as readImage(); Error(invalidArgument) if the planes differ in size or type, or a channel does not exist
[[nodiscard]] ChannelImage readChannels(const std::filesystem::path& path, const ReadOptions& options,
                                        std::span<const std::size_t> wanted = {}, const JobControl& control = {});

} // namespace pollard
