#include "io/metadata/channel_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace pollard {

ChannelAxis channelAxisOf(const ImageInfo& info) noexcept {
    int stride = 1;
    for (const StackAxis& axis : info.axes) {
        if (axis.name == 'c') {
            return {std::max(1, axis.count), stride, &axis};
        }
        stride *= axis.count;
    }
    return {};
}

int samplesOnPage(const ImageInfo& info) noexcept {
    return info.photometric == "Palette" ? 3 : std::max(1, info.samples);
}

void arrangeChannels(ImageInfo& info, int alpha) {
    const auto positions = static_cast<std::size_t>(channelAxisOf(info).count);
    const auto samples = static_cast<std::size_t>(samplesOnPage(info));
    const bool hasAlpha = alpha >= 0 && alpha < info.samples && info.photometric != "Palette" && samples > 1;
    const std::vector<Channel> stated = std::exchange(info.channels, {});
    const bool perSample = stated.size() == positions * samples;
    const bool known = (perSample || stated.size() == positions) &&
                       std::any_of(stated.begin(), stated.end(), [](const Channel& c) { return c != Channel{}; });
    if (!known && !hasAlpha) {
        return;
    }
    for (std::size_t position = 0; position < positions; ++position) {
        for (std::size_t sample = 0; sample < samples; ++sample) {
            if (hasAlpha && static_cast<int>(sample) == alpha) {
                continue;
            }
            Channel channel;
            if (known && (perSample || samples == (hasAlpha ? 2U : 1U))) {
                channel = stated[perSample ? position * samples + sample : position];
            } else if (known) {
                channel.name = stated[position].name;
            }
            channel.sample = static_cast<int>(sample);
            info.channels.push_back(std::move(channel));
        }
    }
}

} // namespace pollard
