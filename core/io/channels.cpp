#include "io/channels.hpp"

#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>

namespace pollard {

namespace {

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) {
        return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
    });
    return result;
}

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

std::size_t channelNamed(std::span<const Channel> channels, std::string_view name) {
    const auto indexOf = [&](auto found) { return static_cast<std::size_t>(found - channels.begin()); };
    if (const auto exact = std::ranges::find(channels, name, &Channel::name); exact != channels.end()) {
        return indexOf(exact);
    }
    const auto same = [wanted = lowered(name)](const Channel& channel) { return lowered(channel.name) == wanted; };
    if (std::ranges::count_if(channels, same) == 1) {
        return indexOf(std::ranges::find_if(channels, same));
    }
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem == std::errc{} && end == name.data() + name.size() && number < channels.size()) {
        return number;
    }
    std::string names;
    for (const Channel& channel : channels) {
        names += (names.empty() ? "" : ", ") + channel.name;
    }
    throw Error(ErrorCode::invalidArgument, "channel " + std::string(name) + " does not exist; there are: " + names);
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
