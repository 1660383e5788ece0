#include "io/channels.hpp"

#include "base/text.hpp"
#include "channels/channel_names.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

namespace {

using Colour = std::array<std::uint8_t, 3>;

struct SampleName {
    const char* name;
    std::optional<Colour> colour;
};

/// Whether a band is named red, green or blue.
bool isPrimary(std::string_view name) {
    const std::string letters = lowered(name);
    return letters == "red" || letters == "green" || letters == "blue";
}

/// Names of the samples that the interpretation of the pixels defines.
std::span<const SampleName> sampleNames(const ImageInfo& info) {
    static constexpr std::array<SampleName, 3> kRgb{
        {{"red", Colour{255, 0, 0}}, {"green", Colour{0, 255, 0}}, {"blue", Colour{0, 0, 255}}}};
    static constexpr std::array<SampleName, 4> kCmyk{{{"cyan", Colour{0, 255, 255}},
                                                      {"magenta", Colour{255, 0, 255}},
                                                      {"yellow", Colour{255, 255, 0}},
                                                      {"black", {}}}};
    static constexpr std::array<SampleName, 3> kLab{{{"L*", {}}, {"a*", {}}, {"b*", {}}}};
    static constexpr std::array<SampleName, 3> kXyz{{{"X", {}}, {"Y", {}}, {"Z", {}}}};
    const std::string& photometric = info.photometric;
    if (photometric == "Palette" ||
        (info.samples >= 3 && (photometric == "RGB" || photometric == "YCbCr" || photometric == "linear raw"))) {
        return kRgb;
    }
    if (photometric == "CMYK" && info.samples >= 4) {
        return kCmyk;
    }
    if (info.samples >= 3 && photometric.ends_with(" Lab")) {
        return kLab;
    }
    return photometric == "LogLuv" ? std::span<const SampleName>(kXyz) : std::span<const SampleName>();
}

/// The channels of one position of the axis 'c' as the file states them, or all samples of a page.
std::vector<Channel> statedChannels(const ImageInfo& info, std::size_t position, std::size_t positions) {
    const std::size_t count = info.channels.size() / positions;
    const auto samples = static_cast<std::size_t>(samplesOnPage(info));
    const bool usable = count > 0 && count * positions == info.channels.size() && count <= samples &&
                        std::ranges::all_of(info.channels, [&](const Channel& channel) {
                            return channel.sample >= 0 && static_cast<std::size_t>(channel.sample) < samples;
                        });
    if (usable) {
        const auto first = info.channels.begin() + static_cast<std::ptrdiff_t>(position * count);
        return {first, first + static_cast<std::ptrdiff_t>(count)};
    }
    std::vector<Channel> channels(samples);
    for (std::size_t i = 0; i < samples; ++i) {
        channels[i].sample = static_cast<int>(i);
    }
    return channels;
}

/// Numbers names that occur several times: "DAPI", "DAPI 2".
void makeUnique(std::vector<Channel>& channels) {
    std::set<std::string> names;
    for (const Channel& channel : channels) {
        names.insert(channel.name);
    }
    std::set<std::string> seen;
    for (Channel& channel : channels) {
        const std::string name = channel.name;
        const bool isFirst = seen.insert(name).second;
        for (int number = 2; !isFirst && !names.insert(channel.name).second; ++number) {
            channel.name = name + " " + std::to_string(number);
        }
    }
}

} // namespace

std::vector<Channel> channelsOf(const ImageInfo& info) {
    const ChannelAxis axis = channelAxisOf(info);
    const bool onPages = axis.count > 1;
    const int first = onPages ? info.page - (info.page / axis.stride % axis.count) * axis.stride : info.page;
    const std::span<const SampleName> names = sampleNames(info);
    std::vector<Channel> channels;
    for (int position = 0; position < axis.count; ++position) {
        const auto at = static_cast<std::size_t>(position);
        std::vector<Channel> samples = statedChannels(info, at, static_cast<std::size_t>(axis.count));
        const bool several = samples.size() > 1;
        // Samples of one name have it from their page.
        const bool shared = several && std::ranges::all_of(samples, [&](const Channel& channel) {
                                return channel.name == samples.front().name;
                            });
        std::string pageName = shared || !several ? samples.front().name : std::string();
        if (onPages && pageName.empty()) {
            pageName = at < axis.axis->labels.size() && !axis.axis->labels[at].empty()
                           ? axis.axis->labels[at]
                           : "channel " + std::to_string(position);
        }
        for (Channel& channel : samples) {
            const auto sample = static_cast<std::size_t>(channel.sample);
            const bool known = sample < names.size() && samplesOnPage(info) > 1;
            const std::string sampleName = known ? names[sample].name : "channel " + std::to_string(sample);
            const bool isAnother = several && !shared && isPrimary(channel.name) && lowered(channel.name) != sampleName;
            if (!several) {
                channel.name = pageName.empty() ? sampleName : pageName;
            } else if (shared || channel.name.empty()) {
                channel.name = onPages ? pageName : std::string();
                channel.name.append(onPages ? " " : "").append(sampleName);
            }
            if (!channel.colour && known && !isAnother) {
                channel.colour = names[sample].colour;
            }
            channel.page = first + position * axis.stride;
            channels.push_back(std::move(channel));
        }
    }
    makeUnique(channels);
    return channels;
}

bool hasColours(const ImageInfo& info) {
    constexpr std::array kColours{"RGB", "YCbCr", "Palette", "CMYK"};
    return std::ranges::find(kColours, info.photometric) != kColours.end();
}

std::optional<std::size_t> storedChannel(const ChannelChoice& choice, const ImageInfo& info) {
    if (choice.kind == ChannelChoice::Kind::derived ||
        (choice.kind == ChannelChoice::Kind::luminance && hasColours(info))) {
        return std::nullopt;
    }
    const std::vector<Channel> channels = channelsOf(info);
    const auto isStated = [&] {
        return std::ranges::find(info.channels, choice.name, &Channel::name) != info.channels.end();
    };
    if (choice.kind == ChannelChoice::Kind::named || (!choice.name.empty() && isStated())) {
        if (const auto found = findChannel(channels, choice.name)) {
            return found;
        }
    }
    const auto shown = std::ranges::find_if(
        channels, [&](const Channel& channel) { return channel.page == info.page && channel.sample == choice.sample; });
    return shown == channels.end() ? std::nullopt : std::optional(static_cast<std::size_t>(shown - channels.begin()));
}

namespace {

/// Wanted channels of one page.
struct PageChannels {
    int page = 0;
    std::vector<ChannelChoice> samples;
    std::vector<std::size_t> places; ///< in the result
};

/// @throws Error(invalidArgument) for a channel that does not exist
std::vector<PageChannels> byPage(const std::filesystem::path& path, std::span<const Channel> channels,
                                 std::span<const std::size_t> wanted) {
    std::vector<PageChannels> pages;
    for (std::size_t place = 0; place < wanted.size(); ++place) {
        requireIndex(path, "channel", wanted[place], channels.size(), "image");
        const Channel& channel = channels[wanted[place]];
        auto page = std::ranges::find(pages, channel.page, &PageChannels::page);
        if (page == pages.end()) {
            page = pages.insert(page, {channel.page, {}, {}});
        }
        page->samples.push_back({ChannelChoice::Kind::sample, channel.sample});
        page->places.push_back(place);
    }
    return pages;
}

/// Checks the memory for all planes before any is read. Those of one page are shrunk after all of them are read.
void requireRoom(const std::filesystem::path& path, const ReadOptions& options, const ImageInfo& info,
                 std::span<const PageChannels> pages) {
    const double whole = static_cast<double>(info.width) * info.height;
    const double pixels =
        options.region ? std::min(whole, static_cast<double>(options.region->width) * options.region->height) : whole;
    double planes = 0;
    double together = 0; // planes of one page
    for (const PageChannels& page : pages) {
        const auto count = static_cast<double>(page.samples.size());
        planes += count;
        together = std::max(together, count);
    }
    const double bytes = pixels * (info.bits > 8 || info.photometric == "Palette" ? 2 : 1);
    const double shrunk = bytes / options.shrink / options.shrink;
    const double needed = together * bytes + (planes - together) * shrunk;
    requireMemory(path,
                  std::to_string(static_cast<int>(planes)) + " channels of " + std::to_string(info.width) + " x " +
                      std::to_string(info.height) + " pixels need",
                  static_cast<std::uint64_t>(std::min(std::ceil(needed), 1e19)), options.limits);
}

/// Keeps the facts that are the same in both.
void keepCommon(ImageInfo& info, const ImageInfo& other) {
    const auto missingIn = [](const auto& all) {
        return [&all](const auto& one) { return std::ranges::find(all, one) == all.end(); };
    };
    std::erase_if(info.notes, missingIn(other.notes));
    std::erase_if(info.facts, missingIn(other.facts));
    if (info.mapping != other.mapping) {
        info.mapping.reset();
    }
    if (info.calibration != other.calibration) {
        info.calibration.reset();
    }
    if (info.invalidPixels != other.invalidPixels) {
        info.invalidPixels = 0;
    }
}

} // namespace

ChannelImage readChannels(const std::filesystem::path& path, const ReadOptions& options,
                          std::span<const std::size_t> wanted, const JobControl& control) {
    ReadOptions one = options;
    one.channel = {ChannelChoice::Kind::sample, 0}; // samples of different kinds have no luminance
    one.mapping.proportional = true;                // levels are summed and mixed
    one.keepSamples = false;
    const ImageInfo info = readImageInfo(path, one);
    const std::vector<Channel> channels = channelsOf(info);
    std::vector<std::size_t> indices(wanted.begin(), wanted.end());
    if (indices.empty()) {
        indices.resize(channels.size());
        std::iota(indices.begin(), indices.end(), std::size_t{0});
    }
    const std::vector<PageChannels> pages = byPage(path, channels, indices);
    requireRoom(path, options, info, pages);

    ChannelImage result;
    result.planes.resize(indices.size());
    std::shared_ptr<const Image> first;
    std::size_t read = 0; // pages
    std::stop_source stop;
    // Passes a stop request on with each report, which readers make as often as they look for one.
    const JobControl part(stop.get_token(), [&](double fraction, std::string_view stage) {
        control.report((static_cast<double>(read) + fraction) / static_cast<double>(pages.size()), stage);
        if (control.stopRequested()) {
            stop.request_stop();
        }
    });
    for (const PageChannels& page : pages) {
        control.throwIfStopped();
        one.page = page.page;
        one.channel = page.samples.front();
        std::vector<LoadedImage> images =
            openPage(path, one, PageUse::pixels)->readEach(page.samples, pages.size() == 1 ? control : part);
        for (std::size_t i = 0; i < images.size(); ++i) {
            LoadedImage& loaded = images[i];
            const Channel& channel = channels[indices[page.places[i]]];
            const auto fits = [&](const Image& other) {
                return other.width() == loaded.image->width() && other.height() == loaded.image->height() &&
                       other.type() == loaded.image->type();
            };
            if (first && !fits(*first)) {
                throw readError(ErrorCode::invalidArgument, path,
                                "channel " + channel.name + " differs in size or depth from the others");
            }
            if (!first) {
                first = loaded.image;
                result.info = loaded.info;
                result.info.page = info.page;
            }
            keepCommon(result.info, loaded.info);
            result.planes[page.places[i]] = {channel, std::move(loaded.image), std::move(loaded.valid),
                                             loaded.info.mapping};
        }
        ++read;
    }
    return result;
}

} // namespace pollard
