#include "vm/image/channel_key.hpp"

#include "io/channels.hpp"
#include "recipe/recipe_channels.hpp"

namespace pollard::vm {

bool hasStains(const ImageInfo& info) { return hasColours(info) && info.photometric != "CMYK"; }

std::optional<std::size_t> storedChannel(const OpenRequest& request, const ImageInfo& info) {
    return pollard::storedChannel(request.channel, info);
}

OpenRequest allChannels(const OpenRequest& request, const ImageInfo& info) {
    OpenRequest all = request;
    all.channel = {};
    all.page = channelsOf(info).front().page;
    all.pixelSize.reset();
    return all;
}

std::string channelKey(const OpenRequest& request, const ImageInfo& info) {
    if (channelsOf(info).size() < 2) {
        return {};
    }
    const auto stored = storedChannel(request, info);
    return stored ? std::to_string(*stored) : request.channel.text();
}

} // namespace pollard::vm
