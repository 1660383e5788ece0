#include "io/channels.hpp"

#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace pollard {

namespace {

bool isRgb(const ImageInfo& info) {
    return info.samples >= 3 && (info.photometric == "RGB" || info.photometric == "YCbCr");
}

std::string sampleName(const ImageInfo& info, int sample) {
    constexpr std::array kColours{"red", "green", "blue"};
    if ((isRgb(info) || info.photometric == "Palette") && sample < 3) {
        return kColours[static_cast<std::size_t>(sample)];
    }
    return "channel " + std::to_string(sample);
}

} // namespace

std::vector<Channel> channelsOf(const ImageInfo& info) {
    const int samples = info.photometric == "Palette" ? 3 : std::max(1, info.samples);
    int stride = 1; // pages from one channel to the next
    int count = 1;
    std::span<const std::string> labels;
    for (const StackAxis& axis : info.axes) {
        if (axis.name == 'c') {
            count = axis.count;
            labels = axis.labels;
            break;
        }
        stride *= axis.count;
    }
    const int first = count > 1 ? info.page - (info.page / stride % count) * stride : info.page;
    std::vector<Channel> channels;
    for (int position = 0; position < count; ++position) {
        for (int sample = 0; sample < samples; ++sample) {
            Channel channel;
            channel.page = first + position * stride;
            channel.sample = sample;
            if (count > 1) {
                const auto at = static_cast<std::size_t>(position);
                channel.name =
                    at < labels.size() && !labels[at].empty() ? labels[at] : "channel " + std::to_string(position);
                channel.name += samples > 1 ? " " + sampleName(info, sample) : "";
            } else {
                channel.name = sampleName(info, sample);
            }
            channels.push_back(std::move(channel));
        }
    }
    return channels;
}

ChannelImage readChannels(const std::filesystem::path& path, const ReadOptions& options,
                          std::span<const std::size_t> wanted, const JobControl& control) {
    const std::vector<Channel> channels = channelsOf(readImageInfo(path, options));
    std::vector<std::size_t> all(channels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    ChannelImage result;
    for (const std::size_t index : wanted.empty() ? std::span<const std::size_t>(all) : wanted) {
        ReadOptions one = options;
        one.page = channels.at(index).page;
        one.channel = {ChannelChoice::Kind::sample, channels[index].sample};
        LoadedImage loaded = readImage(path, one, control);
        const auto fits = [&](const ChannelPlane& other) {
            return other.image->width() == loaded.image->width() && other.image->height() == loaded.image->height() &&
                   other.image->type() == loaded.image->type();
        };
        if (!result.planes.empty() && !fits(result.planes.front())) {
            throw readError(ErrorCode::invalidArgument, path,
                            "channel " + channels[index].name + " differs in size or depth from the others");
        }
        result.planes.push_back({channels[index], loaded.image, loaded.valid, loaded.info.mapping});
        if (result.planes.size() == 1) {
            result.info = std::move(loaded.info);
        }
    }
    return result;
}

} // namespace pollard
