#include "io/channels.hpp"

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "channels/bands.hpp"
#include "channels/derivation.hpp"
#include "channels/stains.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/read_support.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_image.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Checks the memory for all planes before reading. Planes of one page are shrunk only after all have been read.
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

namespace {

constexpr std::int64_t kNoWhole = std::numeric_limits<std::int64_t>::max(); ///< of pixels without data

/// An expression for the channels of an image.
struct Task {
    Derivation derivation;
    ReadOptions options; ///< of the inputs
    std::vector<std::size_t> inputs;
    std::string shown;
    ImageInfo page; ///< of the first input
};

Task taskOf(const std::filesystem::path& path, const ReadOptions& options) {
    try {
        Task task{Derivation::parse(options.channel.name), options, {}, {}, {}};
        task.options.channel = {};
        task.options.mapping = {};
        task.options.statistics = nullptr;
        task.options.keepSamples = false;
        const std::vector<Channel> channels = channelsOf(readImageInfo(path, task.options));
        task.inputs = task.derivation.inputs(channels);
        task.shown = task.derivation.describe(channels);
        ReadOptions first = task.options;
        first.page = channels[task.inputs.front()].page;
        first.channel = {ChannelChoice::Kind::sample, channels[task.inputs.front()].sample};
        task.page = readImageInfo(path, first);
        return task;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalidArgument || std::string(error.what()).starts_with("cannot read")) {
            throw;
        }
        throw readError(error.code(), path, error.what());
    }
}

/// Value of the empty background: the highest one that the samples can have, 1 for floats.
double whiteOf(const ImageInfo& info, PixelType type) {
    if (info.sampleFormat == "float") {
        return 1;
    }
    if (info.photometric == "Palette") {
        return maxLevelOf(type);
    }
    return std::ldexp(1.0, info.bits - (info.sampleFormat == "signed" ? 1 : 0)) - 1;
}

void requireRoom(const std::filesystem::path& path, const Task& task) {
    const PixelRegion part = task.options.region.value_or(PixelRegion{0, 0, task.page.width, task.page.height});
    const std::uint64_t pixels = std::uint64_t{part.width} * part.height;
    const int bits = task.page.bits;
    const bool isReal = task.page.sampleFormat == "float";
    const std::uint64_t valueBytes = isReal && bits <= 32 ? sizeof(float) : isReal || bits > 16 ? sizeof(double) : 0;
    const std::uint64_t bytes = pixels * (task.inputs.size() * (valueBytes + (bits > 8 ? 2 : 1)) + sizeof(double));
    requireMemory(path, task.derivation.text() + " of " + std::to_string(task.inputs.size()) + " channels needs", bytes,
                  task.options.limits);
}

/// The channels that an expression needs.
struct Inputs {
    std::vector<ChannelPlane> planes;
    std::vector<ExactValues> exact; ///< of the planes
    ImageInfo info;
};

Inputs readInputs(const std::filesystem::path& path, const Task& task, const JobControl& control) {
    std::vector<std::size_t> once = task.inputs;
    std::ranges::sort(once);
    once.erase(std::unique(once.begin(), once.end()), once.end());
    KeptValues kept;
    ChannelImage read = readChannels(path, task.options, once, control);
    Inputs inputs{{}, {}, std::move(read.info)};
    for (const std::size_t input : task.inputs) {
        const ChannelPlane& plane =
            read.planes[static_cast<std::size_t>(std::ranges::find(once, input) - once.begin())];
        inputs.planes.push_back(plane);
        inputs.exact.push_back(kept.valuesOf(plane.image));
    }
    return inputs;
}

/// Whether the values of unsigned samples are their levels, in some unit.
bool areLevels(const ChannelPlane& plane) noexcept {
    const std::optional<ValueMapping>& mapping = plane.mapping;
    return !mapping || (mapping->exact && !mapping->ranks && mapping->offset == 0 && mapping->step == 1);
}

/// The type of the result: the first one of integers that holds all results of whole numbers if the channels have such;
/// else float or, if a channel has more digits than it, double.
ValueType typeOfResult(const Task& task, const Inputs& inputs) {
    double low = 0;
    double high = 0;
    bool areWhole = task.derivation.keepsWholeNumbers();
    bool areFine = false;
    for (std::size_t i = 0; i < inputs.planes.size(); ++i) {
        const std::optional<ValueMapping>& mapping = inputs.planes[i].mapping;
        const FileSamples file = mapping ? mapping->file : FileSamples{valueTypeOf(inputs.planes[i].image->type())};
        const ValueType type = typeOfValues(file.intercept, file.slope, file.type);
        const bool areStated = inputs.exact[i] ? task.options.shrink == 1 : !mapping || mapping->exact;
        areWhole = areWhole && areStated && !isFloat(type) && bytesOf(type) <= sizeof(std::int32_t);
        areFine = areFine || bytesOf(type) > (isFloat(type) ? sizeof(float) : sizeof(std::int16_t));
        const auto [least, most] = rangeOf(type);
        low = task.derivation.isSum() ? low + least : std::min(low, least);
        high = task.derivation.isSum() ? high + most : std::max(high, most);
    }
    using enum ValueType;
    if (!areWhole) {
        return areFine ? f64 : f32;
    }
    constexpr std::array kTypes{u8, i8, u16, i16, u32, i32};
    const auto* const found = std::ranges::find_if(
        kTypes, [&](ValueType type) { return rangeOf(type).first <= low && high <= rangeOf(type).second; });
    return found == kTypes.end() ? i64 : *found;
}

/// Makes 64-bit integers of whole numbers, in their place.
void makeIntegers(Buffer<double>& values, const JobControl& control) {
    forEachIndex(values.size(), control, [&](std::size_t i) {
        const std::int64_t number = std::isnan(values[i]) ? kNoWhole : static_cast<std::int64_t>(values[i]);
        std::memcpy(&values[i], &number, sizeof number);
    });
}

/// Replaces facts and notes about the first input by facts and notes about the derived channel.
void describe(const Task& task, const ReadOptions& options, ImageInfo& info) {
    info.page = options.page;
    info.mapping.reset();
    info.calibration.reset();
    info.band = kSeveralBands;
    std::erase_if(info.notes, [](const std::string& note) { return note.starts_with("shown"); });
    info.notes.push_back("shown: " + task.shown);
    std::erase_if(info.facts, [](const auto& fact) { return fact.first == kChannelFact; });
    info.facts.emplace_back(kChannelFact, task.derivation.text());
}

/// Gives the samples a type that holds them, or the nearest float.
void setSampleType(ValueMapping& mapping, ValueType type) {
    const auto changed = [from = mapping.file.type, type](std::uint64_t bits) {
        return dispatch(type, [&]<class T>(T) { return bitsOfSample(static_cast<T>(numberOfSample(from, bits))); });
    };
    if (mapping.ranks) {
        RankedValues ranks = *mapping.ranks;
        std::ranges::transform(ranks.samples, ranks.samples.begin(), changed);
        mapping.ranks = std::make_shared<const RankedValues>(std::move(ranks));
    }
    if (mapping.file.first) {
        mapping.file.first = changed(*mapping.file.first);
    }
    mapping.file.type = type;
}

} // namespace

LoadedImage readDerived(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    const Task task = taskOf(path, options);
    requireRoom(path, task);
    Inputs inputs = readInputs(path, task, control);
    const std::vector<ChannelPlane>& planes = inputs.planes;
    const Image& first = *planes.front().image;
    const ValueType type = typeOfResult(task, inputs);
    Buffer<double> values = namingFile(
        path, [&] { return task.derivation.values(planes, whiteOf(task.page, first.type()), control, inputs.exact); });
    ValueGrid grid{ValueType::f64, values.data(), first.width(), first.height()};
    ValueGaps gaps;
    if (!isFloat(type)) {
        makeIntegers(values, control);
        grid.type = ValueType::i64;
        gaps.noData = NoData::whole(kNoWhole);
        if (std::ranges::all_of(planes, areLevels) && rangeOf(type).second <= maxLevelOf(PixelType::u16)) {
            grid.stored = ValueType::u16; // values are levels
        }
    }
    inputs.planes.clear(); // the memory is needed
    inputs.exact.clear();
    ReadOptions mapped = options;
    if (task.derivation.isDifference() && options.mapping.range == MappingChoice::Range::automatic) {
        mapped.mapping = {MappingChoice::Range::fixed, -1, 1};
    }
    ImageInfo info = std::move(inputs.info);
    describe(task, options, info);
    LoadedImage image = imageOfValues({path, 0, {}}, grid, mapped, gaps, std::move(info), control);
    setSampleType(*image.info.mapping, type);
    return image;
}

StainVector readDensity(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    ReadOptions colours = options;
    colours.channel = ChannelChoice::parse("stain(he,1)"); // has the inputs of every stain
    colours.shrink = 1;
    const Task task = taskOf(path, colours);
    const Inputs inputs = readInputs(path, task, control);
    return namingFile(path, [&] {
        return densityOf(inputs.planes, whiteOf(task.page, inputs.planes.front().image->type()), inputs.exact);
    });
}

ImageInfo readDerivedInfo(const std::filesystem::path& path, const ReadOptions& options) {
    const Task task = taskOf(path, options);
    ImageInfo info = task.page;
    describe(task, options, info);
    return info;
}

} // namespace pollard
