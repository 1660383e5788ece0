#include "io/derived_image.hpp"

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "channels/derivation.hpp"
#include "channels/own_stains.hpp"
#include "io/channels.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/read_support.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_image.hpp"
#include "io/write/pixel_rows.hpp"
#include "io/write/sample_type.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

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

/// Facts and notes about the derived channel in place of those about the first input.
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
