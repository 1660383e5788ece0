#include "vm/picture/channel_key.hpp"

#include "channels/channel_names.hpp"
#include "io/channels.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace pollard::vm {

bool hasColours(const ImageInfo& info) {
    constexpr std::array kColours{"RGB", "YCbCr", "Palette", "CMYK"};
    return std::ranges::find(kColours, info.photometric) != kColours.end();
}

bool hasStains(const ImageInfo& info) { return hasColours(info) && info.photometric != "CMYK"; }

std::optional<std::size_t> storedChannel(const OpenRequest& request, const ImageInfo& info) {
    using Kind = ChannelChoice::Kind;
    const ChannelChoice& choice = request.channel;
    if (choice.kind == Kind::derived || (choice.kind == Kind::luminance && hasColours(info))) {
        return std::nullopt;
    }
    const std::vector<Channel> channels = channelsOf(info);
    const auto isStated = [&] {
        return std::ranges::find(info.channels, choice.name, &Channel::name) != info.channels.end();
    };
    if (choice.kind == Kind::named || (!choice.name.empty() && isStated())) {
        if (const auto found = findChannel(channels, choice.name)) {
            return found;
        }
    }
    const auto shown = std::ranges::find_if(
        channels, [&](const Channel& channel) { return channel.page == info.page && channel.sample == choice.sample; });
    return shown == channels.end() ? std::nullopt : std::optional(static_cast<std::size_t>(shown - channels.begin()));
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
