#pragma once

#include "vm/image/open_request.hpp"

#include "io/image_file.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace pollard::vm {

/// Whether red, green and blue are light that passes stains.
[[nodiscard]] bool hasStains(const ImageInfo& info);

/// Index of an image's channel in channelsOf(); empty if its values are computed.
[[nodiscard]] std::optional<std::size_t> storedChannel(const OpenRequest& request, const ImageInfo& info);

/// The image with all of its channels: the request without a channel, at the page of the first one.
[[nodiscard]] OpenRequest allChannels(const OpenRequest& request, const ImageInfo& info);

/// The channel of an image: its index in channelsOf(), "luminance" of colours, or the expression of a derived one.
/// Empty for an image of one channel.
[[nodiscard]] std::string channelKey(const OpenRequest& request, const ImageInfo& info);

} // namespace pollard::vm
