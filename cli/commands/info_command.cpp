#include "base/text.hpp"
#include "command.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/page_selection.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include "channels/stains.hpp"
#include "components/threshold.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/channels.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

constexpr std::size_t kShownValues = 6;
constexpr std::size_t kShownCharacters = 60;

template <class T> std::vector<std::string> firstValues(const CopiedTag& tag) {
    const std::size_t stored = tag.data.size() / sizeof(T);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < std::min({static_cast<std::size_t>(tag.count), stored, kShownValues}); ++i) {
        T value;
        std::memcpy(&value, tag.data.data() + i * sizeof(T), sizeof(T));
        if constexpr (std::is_floating_point_v<T>) {
            std::array<char, 32> digits{};
            const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
            values.emplace_back(digits.data(), end);
        } else {
            values.push_back(std::to_string(value));
        }
    }
    return values;
}

std::string textOf(const CopiedTag& tag) {
    std::string text(reinterpret_cast<const char*>(tag.data.data()), tag.data.size());
    text.resize(std::min(text.size(), text.find('\0')));
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 0x20; }, ' ');
    if (text.size() > kShownCharacters) {
        text = text.substr(0, kShownCharacters) + " ... (" + std::to_string(tag.count) + " characters)";
    }
    return text;
}

std::string nameOf(const CopiedTag& tag) {
    static constexpr std::array kNames{
        std::pair{282, "XResolution"},       std::pair{283, "YResolution"},         std::pair{286, "XPosition"},
        std::pair{287, "YPosition"},         std::pair{296, "ResolutionUnit"},      std::pair{33550, "GeoPixelScale"},
        std::pair{33922, "GeoTiePoints"},    std::pair{34264, "GeoTransformation"}, std::pair{34735, "GeoKeyDirectory"},
        std::pair{34736, "GeoDoubleParams"}, std::pair{34737, "GeoAsciiParams"},    std::pair{42112, "GDALMetadata"},
        std::pair{42113, "GDALNoData"},
    };
    const auto* const found = std::ranges::find(kNames, int{tag.tag}, &std::pair<int, const char*>::first);
    return found == kNames.end() ? "tag " + std::to_string(tag.tag) : found->second;
}

std::string valuesOf(const CopiedTag& tag) {
    std::vector<std::string> values;
    switch (tag.fieldType) {
    case 2: // ASCII
        return textOf(tag);
    case 3: // SHORT
        values = firstValues<std::uint16_t>(tag);
        break;
    case 4: // LONG
        values = firstValues<std::uint32_t>(tag);
        break;
    case 5:  // RATIONAL, in libtiff's representation as float
    case 11: // FLOAT
        values = firstValues<float>(tag);
        break;
    case 12: // DOUBLE
        values = firstValues<double>(tag);
        break;
    default:
        return std::to_string(tag.data.size()) + " bytes";
    }
    std::string text = joined(values, ", ");
    if (tag.count > values.size()) {
        text += ", ... (" + std::to_string(tag.count) + " values)";
    }
    return text;
}

/// Statistics from the histogram of an image.
struct ImageStatistics {
    /// Percentages in percentiles.
    static constexpr std::array kPercentages{0.1, 1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0, 99.9};

    std::uint16_t minimum = 0;
    std::uint16_t maximum = 0;
    double mean = 0;
    double standardDeviation = 0; ///< population standard deviation
    std::uint32_t distinctLevels = 0;
    /// Smallest level that at least this percentage of the pixels does not exceed.
    std::array<std::uint16_t, kPercentages.size()> percentiles{};
};

/// One pass over the pixels of @p valid, or all pixels if it is null. All zero if no pixel is valid.
/// @param ranks values of the levels, of which mean and deviation are taken; null: of the levels
ImageStatistics statisticsOf(const Image& image, const Mask* valid, const RankedValues* ranks) {
    const auto placeOf = [ranks](std::size_t level) {
        return ranks == nullptr ? static_cast<double>(level) : ranks->values[level];
    };
    const std::unique_ptr<LevelCounts> counts = countLevels(image, valid);
    const LevelCounts& histogram = *counts;
    ImageStatistics result;
    const double count =
        valid == nullptr ? static_cast<double>(image.pixelCount()) : static_cast<double>(valid->count());
    if (count == 0) {
        return result;
    }
    double sum = 0;
    std::uint64_t below = 0;
    std::size_t next = 0;
    for (std::size_t level = 0; level < histogram.size(); ++level) {
        if (histogram[level] == 0) {
            continue;
        }
        const auto grey = static_cast<std::uint16_t>(level);
        result.minimum = result.distinctLevels == 0 ? grey : result.minimum;
        result.maximum = grey;
        ++result.distinctLevels;
        sum += placeOf(level) * static_cast<double>(histogram[level]);
        below += histogram[level];
        while (next < result.percentiles.size() &&
               static_cast<double>(below) * 100 >= ImageStatistics::kPercentages[next] * count) {
            result.percentiles[next++] = grey;
        }
    }
    result.mean = sum / count;
    double squares = 0;
    for (std::size_t level = 0; level < histogram.size(); ++level) {
        if (histogram[level] == 0) {
            continue;
        }
        const double distance = placeOf(level) - result.mean;
        squares += distance * distance * static_cast<double>(histogram[level]);
    }
    result.standardDeviation = std::sqrt(squares / count);
    return result;
}

/// Converts levels to the file's values.
class FileValues {
public:
    explicit FileValues(const ImageInfo& info) : mapping_(info.mapping.value_or(ValueMapping{})) {}

    [[nodiscard]] double of(double level) const { return mapping_.valueOf(level); }
    /// Of ImageStatistics, whose mean and deviation are values already if the levels are ranks.
    [[nodiscard]] double mean(double mean) const { return mapping_.isProportional() ? of(mean) : mean; }
    [[nodiscard]] double distance(double levels) const {
        return mapping_.isProportional() ? mapping_.step * levels : levels;
    }
    [[nodiscard]] const std::string& unit() const { return mapping_.unit; }
    [[nodiscard]] Json json(double level) const { return numberJson(of(level)); }
    [[nodiscard]] std::string text(double level) const { return exactNumber(of(level)); }

private:
    ValueMapping mapping_;
};

/// Distance of positions on an axis and its unit; 0 and an empty text if the file does not state it.
std::pair<double, std::string> stepOf(const StackAxis& axis, const ImageInfo& info) {
    if (axis.name != 'z') {
        return {axis.step, axis.unit};
    }
    const bool isStated = info.pixelSize && !info.pixelSize->print && info.pixelSize->z > 0;
    return isStated ? std::pair(info.pixelSize->z, info.pixelSize->unit) : std::pair(0.0, std::string());
}

Json axesJson(const ImageInfo& info) {
    return arrayOf(info.axes, [&](const StackAxis& axis) -> Json {
        const auto [step, unit] = stepOf(axis, info);
        return {{"name", std::string(1, axis.name)},
                {"count", axis.count},
                {"labels", axis.labels},
                {"step", step > 0 ? Json(step) : Json()},
                {"unit", orNull(unit)}};
    });
}

Json pixelSizeJson(const ImageInfo& info) {
    if (!info.pixelSize) {
        return nullptr;
    }
    const PixelSize& size = *info.pixelSize;
    return {{"x", size.x},       {"y", size.y},           {"z", size.z > 0 ? Json(size.z) : Json()},
            {"unit", size.unit}, {"source", size.source}, {"print", size.print}};
}

std::string colourText(const Channel& channel) {
    if (!channel.colour) {
        return {};
    }
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", (*channel.colour)[0], (*channel.colour)[1], (*channel.colour)[2]);
    return text;
}

Json channelsJson(const ImageInfo& info) {
    return arrayOf(channelsOf(info), [](const Channel& channel) -> Json {
        return {{"name", channel.name},
                {"colour", orNull(colourText(channel))},
                {"wavelength_nm", channel.wavelength > 0 ? Json(channel.wavelength) : Json()},
                {"window", channel.window ? Json::array({channel.window->low, channel.window->high}) : Json()},
                {"page", channel.page},
                {"sample", channel.sample}};
    });
}

Json mappingJson(const ImageInfo& info) {
    if (!info.mapping) {
        return nullptr;
    }
    const ValueMapping& mapping = *info.mapping;
    return {{"offset", mapping.offset},     {"step", mapping.step},       {"exact", mapping.exact},
            {"minimum", mapping.minimum},   {"maximum", mapping.maximum}, {"nan", mapping.nan},
            {"infinite", mapping.infinite}, {"clipped", mapping.clipped}};
}

struct InfoOptions {
    ImageOptions image;
    std::vector<std::string> stains; ///< "NAME=X,Y,W,H", the name may be missing
    std::string background;          ///< "X,Y,W,H"; empty: white
};

/// The stains at the places of the options.
/// @throws UsageError; Error, Cancelled as readDensity()
std::vector<CustomStain> stainsAt(const InfoOptions& options, const Context& context, ProgressLine& progress) {
    const std::filesystem::path path = parseImageArgument(options.image.image).path;
    const auto densityAt = [&](std::string_view part) {
        ReadOptions read = options.image.readOptions();
        read.threads = context.common.threads;
        read.region = parseRegion(part);
        return readDensity(path, read, progress.control("reading", context.stop));
    };
    std::vector<CustomStain> stains;
    if (options.stains.empty()) {
        return stains;
    }
    refuseConflicts({{options.stains.size() > 3, "--stain-at: three stains at most"}});
    const StainVector background = options.background.empty() ? StainVector{} : densityAt(options.background);
    for (const std::string& text : options.stains) {
        const std::size_t equals = text.find('=');
        const std::string name = equals == std::string::npos ? std::string() : text.substr(0, equals);
        refuseConflicts({{equals != std::string::npos && (name.empty() || stainNameOf(name) != name),
                          "--stain-at: '" + text + "': the name must be no number and without any of [](),;=\""}});
        const StainVector density = densityAt(std::string_view(text).substr(equals + 1)); // npos + 1 == 0
        try {
            stains.push_back({name, stainVectorOf(density, background)});
        } catch (const Error& error) {
            throw Error(error.code(), path.string() + ": --stain-at " + text + ": " + error.what());
        }
    }
    progress.clear();
    return stains;
}

/// Adds the stains; a single one has no expression, since it has no channel without another.
void addStains(Report& report, std::span<const CustomStain> stains) {
    if (stains.empty()) {
        return;
    }
    Json& list = report.fields["stains"] = Json::array();
    TextTable table({"stain", "red", "green", "blue", "expression"}, "lrrrl");
    for (std::size_t i = 0; i < stains.size(); ++i) {
        const auto& [red, green, blue] = stains[i].vector;
        const std::string expression = stains.size() > 1 ? stainText(stains, i) : std::string();
        list.push_back({{"name", stains[i].name}, {"vector", stains[i].vector}, {"expression", orNull(expression)}});
        table.add({stains[i].name.empty() ? std::to_string(i + 1) : stains[i].name, fixed(red, 6), fixed(green, 6),
                   fixed(blue, 6), expression});
    }
    report.text << '\n';
    table.print(report.text);
}

void addFields(Json& object, const std::string& file, const LoadedImage& loaded, const ImageStatistics& statistics) {
    const ImageInfo& info = loaded.info;
    const Image& image = *loaded.image;
    const FileValues values(info);
    Json facts = Json::object();
    for (const auto& [name, text] : info.facts) {
        facts[name] = text;
    }
    Json percentiles = Json::object();
    for (std::size_t i = 0; i < statistics.percentiles.size(); ++i) {
        percentiles[exactNumber(ImageStatistics::kPercentages[i])] = values.json(statistics.percentiles[i]);
    }
    object = {
        {"file", file},
        {"format", info.format},
        {"width", info.width},
        {"height", info.height},
        {"bits", info.bits},
        {"sample_format", info.sampleFormat},
        {"samples", info.samples},
        {"pages", info.pages},
        {"page", info.page},
        {"axes", axesJson(info)},
        {"channels", channelsJson(info)},
        {"levels", arrayOf(info.levels,
                           [](const ResolutionLevel& level) -> Json {
                               return {{"width", level.width}, {"height", level.height}};
                           })},
        {"level", info.level},
        {"compression", info.compression},
        {"photometric", info.photometric},
        {"orientation", info.orientation},
        {"pixel_size", pixelSizeJson(info)},
        {"read_width", image.width()},
        {"read_height", image.height()},
        {"grey_bits", bitsOf(image.type())},
        {"mapping", mappingJson(info)},
        {"invalid_pixels", info.invalidPixels},
        {"min", values.json(statistics.minimum)},
        {"max", values.json(statistics.maximum)},
        {"mean", values.mean(statistics.mean)},
        {"standard_deviation", values.distance(statistics.standardDeviation)},
        {"min_level", statistics.minimum},
        {"max_level", statistics.maximum},
        {"distinct_levels", statistics.distinctLevels},
        {"percentiles", percentiles},
        {"facts", facts},
        {"tags",
         arrayOf(info.carried,
                 [](const CopiedTag& tag) -> Json {
                     return {{"tag", tag.tag}, {"name", nameOf(tag)}, {"count", tag.count}, {"value", valuesOf(tag)}};
                 })},
        {"notes", info.notes}};
    if (const std::vector<std::string> scenes = scenesOf(info); !scenes.empty()) {
        object["scenes"] = scenes;
    }
    addValueUnit(object, values.unit());
    addSlices(object, image.extent());
    if (image.extent().isVolume()) {
        object["volume_bytes"] = image.bytes();
    }
}

std::string pagesText(const ImageInfo& info) {
    if (info.pages == 1) {
        return "1";
    }
    const auto axisText = [&](const StackAxis& axis) {
        const auto [step, unit] = stepOf(axis, info);
        return std::to_string(axis.count) + " " + axis.name +
               (step > 0 ? " (" + factNumber(step) + " " + unit + " apart)" : std::string());
    };
    return std::to_string(info.pages) + ", this is page " + std::to_string(info.page) + " (counted from 0)" +
           (info.axes.empty() ? "" : ", axes " + joined(textsOf(info.axes, axisText), " x "));
}

/// "0 left, 1 right": numbers and names.
std::string scenesText(const ImageInfo& info) {
    constexpr std::size_t kShownScenes = 20;
    const std::vector<std::string> scenes = scenesOf(info);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(scenes.size(), kShownScenes); ++i) {
        texts.push_back(std::to_string(i) + (scenes[i].empty() ? "" : " ") + scenes[i]);
    }
    return joined(texts, ", ") +
           (scenes.size() > kShownScenes ? ", ... (" + counted(scenes.size(), "scene") + ")" : "");
}

void addMapping(TextTable& table, const ImageInfo& info) {
    if (!info.mapping) {
        return;
    }
    const ValueMapping& mapping = *info.mapping;
    const std::string levels =
        mapping.ranks ? grouped(mapping.ranks->values.size()) + " different ones, a level each"
                      : "value = " + exactNumber(mapping.offset) + " + " + exactNumber(mapping.step) + " * level";
    table.add({"values", exactNumber(mapping.minimum) + " .. " + valueText(mapping.maximum, mapping.unit) + "; " +
                             levels + (mapping.exact ? ", exact" : "")});
    std::vector<std::string> parts;
    for (const auto& [count, name] : {std::pair{mapping.nan, "not a number"},
                                      {mapping.infinite, "infinite"},
                                      {mapping.clipped, "beyond the range"}}) {
        if (count > 0) {
            parts.push_back(grouped(count) + " " + name);
        }
    }
    if (!parts.empty()) {
        table.add({"pixels", joined(parts, ", ")});
    }
}

/// Adds pixel size and facts of the file.
void addFacts(TextTable& table, const LoadedImage& loaded) {
    const ImageInfo& info = loaded.info;
    if (info.pixelSize) {
        const PixelSize& size = *info.pixelSize;
        table.add({"pixel", exactNumber(size.x) + " x " + exactNumber(size.y) +
                                (size.z > 0 ? " x " + exactNumber(size.z) : "") + " " + size.unit + " (" + size.source +
                                ")"});
    }
    for (std::size_t i = 1; i < info.levels.size(); ++i) {
        table.add({"level " + std::to_string(i),
                   std::to_string(info.levels[i].width) + " x " + std::to_string(info.levels[i].height) + " px"});
    }
    if (info.orientation != 1) {
        table.add({"orientation", std::to_string(info.orientation) + ", applied"});
    }
    if (info.invalidPixels > 0) {
        table.add({"no data", counted(info.invalidPixels, "pixel")});
    }
    for (const auto& [name, text] : info.facts) {
        table.add({name, text});
    }
    for (const CopiedTag& tag : info.carried) {
        table.add({nameOf(tag), valuesOf(tag)});
    }
}

/// Prints the channels, unless there is one without facts.
void printChannels(std::ostream& out, const ImageInfo& info) {
    const std::vector<Channel> channels = channelsOf(info);
    if (channels.size() == 1 && info.channels.empty()) {
        return;
    }
    TextTable table({"channel", "colour", "wavelength", "window", "page", "sample"}, "llrlrr");
    for (const Channel& channel : channels) {
        table.add({channel.name, colourText(channel),
                   channel.wavelength > 0 ? exactNumber(channel.wavelength) + " nm" : std::string(),
                   channel.window ? exactNumber(channel.window->low) + " .. " + exactNumber(channel.window->high)
                                  : std::string(),
                   std::to_string(channel.page), std::to_string(channel.sample)});
    }
    out << '\n';
    table.print(out);
}

void addText(Report& report, const std::string& file, const LoadedImage& loaded, const ImageStatistics& statistics,
             std::span<const CustomStain> stains) {
    const ImageInfo& info = loaded.info;
    const FileValues values(info);
    const Image& image = *loaded.image;
    TextTable table({"file", file}, "ll");
    table.add({"format", info.format + ", " + info.photometric + ", compression " + info.compression});
    table.add({"size", std::to_string(info.width) + " x " + std::to_string(info.height) + " px (" +
                           fixed(static_cast<double>(info.width) * info.height / 1e6, 2) + " MPix)"});
    if (image.width() != info.width || image.height() != info.height) {
        table.add({"read", std::to_string(image.width()) + " x " + std::to_string(image.height()) + " px of it"});
    }
    if (image.extent().isVolume()) {
        table.add({"volume", text(image.extent()) + " (" + fixed(static_cast<double>(image.pixelCount()) / 1e6, 2) +
                                 " MVox, " + bytesText(image.bytes()) + ")"});
    }
    table.add({"depth", std::to_string(info.bits) + " bits " + info.sampleFormat + ", " + std::to_string(info.samples) +
                            (info.samples == 1 ? " sample" : " samples") + " a pixel; read as " +
                            std::to_string(bitsOf(image.type())) + "-bit grey"});
    table.add({"pages", pagesText(info)});
    if (const std::string scenes = scenesText(info); !scenes.empty()) {
        table.add({"scenes", scenes});
    }
    addMapping(table, info);
    table.add({"range", values.text(statistics.minimum) + " .. " +
                            valueText(values.of(statistics.maximum), values.unit()) + ", " +
                            counted(statistics.distinctLevels, "distinct level")});
    table.add({"mean", valueText(values.mean(statistics.mean), 2, values.unit()) + ", standard deviation " +
                           valueText(values.distance(statistics.standardDeviation), 2, values.unit())});
    addFacts(table, loaded);
    table.print(report.text);
    printChannels(report.text, info);
    addStains(report, stains);

    report.text << "\npercentiles" << (values.unit().empty() ? "" : ", " + values.unit()) << '\n';
    std::vector<std::string> percentages;
    std::vector<std::string> row;
    for (std::size_t i = 0; i < statistics.percentiles.size(); ++i) {
        percentages.push_back(exactNumber(ImageStatistics::kPercentages[i]) + " %");
        row.push_back(values.text(statistics.percentiles[i]));
    }
    TextTable summary(std::move(percentages), std::string(row.size(), 'r'));
    summary.add(std::move(row));
    summary.print(report.text);
}

void runInfo(Context& context, const InfoOptions& options) {
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    const std::vector<CustomStain> stains = stainsAt(options, context, progress);
    const ImageStatistics statistics = statisticsOf(*loaded.image, loaded.valid.get(),
                                                    loaded.info.mapping ? loaded.info.mapping->ranks.get() : nullptr);
    const std::string file = parseImageArgument(options.image.image).path.string();
    Report report;
    addFields(report.fields, file, loaded, statistics);
    addText(report, file, loaded, statistics, stains);
    report.print(context, true);
}

} // namespace

CommandAction declareInfo(CLI::App& app) {
    const auto options = std::make_shared<InfoOptions>();
    CLI::App& command = *app.add_subcommand("info", "Show size, depth, pages, tags, range and histogram of an image");
    options->image.declare(command);
    options->image.declareVolume(command);
    CLI::Option* const stains = addRepeated(command, "--stain-at", options->stains,
                                            "Show the stain vector of a part with a pure stain, in\npx; twice or three "
                                            "times, --derive takes the expressions",
                                            "[NAME=]X,Y,W,H");
    addValue(command, "--background-at", options->background, "A part without stains, instead of white", "X,Y,W,H")
        ->needs(stains);
    return [options](Context& context) { runInfo(context, *options); };
}

} // namespace pollard::cli
