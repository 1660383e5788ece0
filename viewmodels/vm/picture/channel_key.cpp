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

std::string channelKey(const OpenRequest& request, const ImageInfo& info) {
    using Kind = ChannelChoice::Kind;
    const ChannelChoice& choice = request.channel;
    const std::vector<Channel> channels = channelsOf(info);
    if (channels.size() < 2) {
        return {};
    }
    if (choice.kind == Kind::derived || (choice.kind == Kind::luminance && hasColours(info))) {
        return choice.text();
    }
    const auto stated = [&] { return std::ranges::find(info.channels, choice.name, &Channel::name); };
    if (choice.kind == Kind::named || (!choice.name.empty() && stated() != info.channels.end())) {
        if (const auto found = findChannel(channels, choice.name)) {
            return std::to_string(*found);
        }
    }
    const auto shown = std::ranges::find_if(
        channels, [&](const Channel& channel) { return channel.page == info.page && channel.sample == choice.sample; });
    return shown == channels.end() ? choice.text() : std::to_string(shown - channels.begin());
}

} // namespace pollard::vm
