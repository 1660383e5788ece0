#include "command.hpp"
#include "options/image_argument.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "tiff_tags.hpp"

#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/channels.hpp"

#include <CLI/App.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

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

std::vector<std::uint64_t> histogramOf(const Image& image, const Mask* valid) {
    std::vector<std::uint64_t> histogram(std::size_t{maxLevelOf(image.type())} + 1, 0);
    dispatch(image.type(), [&]<class T>(T) {
        const T* pixel = image.pixels<T>().data();
        for (std::uint32_t y = 0; y < image.height(); ++y) {
            for (std::uint32_t x = 0; x < image.width(); ++x, ++pixel) {
                if (valid == nullptr || valid->test(x, y)) {
                    ++histogram[*pixel];
                }
            }
        }
    });
    return histogram;
}

/// One pass over the pixels of @p valid, or all pixels if it is null. All zero if no pixel is valid.
ImageStatistics statisticsOf(const Image& image, const Mask* valid) {
    const std::vector<std::uint64_t> histogram = histogramOf(image, valid);
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
        sum += static_cast<double>(level) * static_cast<double>(histogram[level]);
        below += histogram[level];
        while (next < result.percentiles.size() &&
               static_cast<double>(below) * 100 >= ImageStatistics::kPercentages[next] * count) {
            result.percentiles[next++] = grey;
        }
    }
    result.mean = sum / count;
    double squares = 0;
    for (std::size_t level = 0; level < histogram.size(); ++level) {
        const double distance = static_cast<double>(level) - result.mean;
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
    [[nodiscard]] double distance(double levels) const { return mapping_.step * levels; }
    /// Integers are printed without a decimal point.
    [[nodiscard]] Json json(double level) const {
        const double value = of(level);
        constexpr double kLargest = 9007199254740992.0; // 2^53: larger doubles are not exact integers
        if (std::floor(value) == value && std::abs(value) < kLargest) {
            return static_cast<std::int64_t>(value);
        }
        return value;
    }
    [[nodiscard]] std::string text(double level) const { return shortest(of(level)); }

private:
    ValueMapping mapping_;
};

Json axesJson(const ImageInfo& info) {
    Json axes = Json::array();
    for (const StackAxis& axis : info.axes) {
        axes.push_back({{"name", std::string(1, axis.name)}, {"count", axis.count}, {"labels", axis.labels}});
    }
    return axes;
}

Json levelsJson(const ImageInfo& info) {
    Json levels = Json::array();
    for (const ResolutionLevel& level : info.levels) {
        levels.push_back({{"width", level.width}, {"height", level.height}});
    }
    return levels;
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
    Json channels = Json::array();
    for (const Channel& channel : channelsOf(info)) {
        channels.push_back(
            {{"name", channel.name},
             {"colour", channel.colour ? Json(colourText(channel)) : Json()},
             {"wavelength_nm", channel.wavelength > 0 ? Json(channel.wavelength) : Json()},
             {"window", channel.window ? Json::array({channel.window->low, channel.window->high}) : Json()},
             {"page", channel.page},
             {"sample", channel.sample}});
    }
    return channels;
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

void printInfoJson(std::ostream& out, const std::string& file, const LoadedImage& loaded,
                   const ImageStatistics& statistics) {
    const ImageInfo& info = loaded.info;
    const FileValues values(info);
    Json tags = Json::array();
    for (const CarriedTag& tag : info.carried) {
        tags.push_back({{"tag", tag.tag}, {"name", nameOf(tag)}, {"count", tag.count}, {"value", valuesOf(tag)}});
    }
    Json facts = Json::object();
    for (const auto& [name, text] : info.facts) {
        facts[name] = text;
    }
    Json percentiles = Json::object();
    for (std::size_t i = 0; i < statistics.percentiles.size(); ++i) {
        percentiles[shortest(ImageStatistics::kPercentages[i])] = values.json(statistics.percentiles[i]);
    }
    printJson(out, {{"file", file},
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
                    {"levels", levelsJson(info)},
                    {"level", info.level},
                    {"compression", info.compression},
                    {"photometric", info.photometric},
                    {"orientation", info.orientation},
                    {"pixel_size", pixelSizeJson(info)},
                    {"read_width", loaded.image->width()},
                    {"read_height", loaded.image->height()},
                    {"grey_bits", bitsOf(loaded.image->type())},
                    {"mapping", mappingJson(info)},
                    {"invalid_pixels", info.invalidPixels},
                    {"min", values.json(statistics.minimum)},
                    {"max", values.json(statistics.maximum)},
                    {"mean", values.of(statistics.mean)},
                    {"standard_deviation", values.distance(statistics.standardDeviation)},
                    {"min_level", statistics.minimum},
                    {"max_level", statistics.maximum},
                    {"distinct_levels", statistics.distinctLevels},
                    {"percentiles", percentiles},
                    {"facts", facts},
                    {"tags", tags},
                    {"notes", info.notes}});
}

std::string axesText(const ImageInfo& info) {
    std::vector<std::string> parts;
    for (const StackAxis& axis : info.axes) {
        parts.push_back(std::to_string(axis.count) + " " + axis.name);
    }
    return joined(parts, " x ");
}

std::string pagesText(const ImageInfo& info) {
    if (info.pages == 1) {
        return "1";
    }
    std::string text = std::to_string(info.pages) + ", this is page " + std::to_string(info.page) + " (counted from 0)";
    return info.axes.empty() ? text : text + ", axes " + axesText(info);
}

void addMapping(TextTable& table, const ImageInfo& info) {
    if (!info.mapping) {
        return;
    }
    const ValueMapping& mapping = *info.mapping;
    table.add({"values", shortest(mapping.minimum) + " .. " + shortest(mapping.maximum) +
                             "; value = " + shortest(mapping.offset) + " + " + shortest(mapping.step) + " * level" +
                             (mapping.exact ? ", exact" : "")});
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
        table.add({"pixel", shortest(size.x) + " x " + shortest(size.y) + (size.z > 0 ? " x " + shortest(size.z) : "") +
                                " " + size.unit + " (" + size.source + ")"});
    }
    for (std::size_t i = 1; i < info.levels.size(); ++i) {
        table.add({"level " + std::to_string(i),
                   std::to_string(info.levels[i].width) + " x " + std::to_string(info.levels[i].height) + " px"});
    }
    if (info.orientation != 1) {
        table.add({"orientation", std::to_string(info.orientation) + ", applied"});
    }
    if (info.invalidPixels > 0) {
        table.add({"no data", grouped(info.invalidPixels) + " pixels"});
    }
    for (const auto& [name, text] : info.facts) {
        table.add({name, text});
    }
    for (const CarriedTag& tag : info.carried) {
        table.add({nameOf(tag), valuesOf(tag)});
    }
}

/// Prints the channels, unless there is one without facts.
void printChannels(std::ostream& out, const ImageInfo& info) {
    using enum TextTable::Align;
    const std::vector<Channel> channels = channelsOf(info);
    if (channels.size() == 1 && info.channels.empty()) {
        return;
    }
    TextTable table({"channel", "colour", "wavelength", "window", "page", "sample"},
                    {left, left, right, left, right, right});
    for (const Channel& channel : channels) {
        table.add(
            {channel.name, colourText(channel),
             channel.wavelength > 0 ? shortest(channel.wavelength) + " nm" : std::string(),
             channel.window ? shortest(channel.window->low) + " .. " + shortest(channel.window->high) : std::string(),
             std::to_string(channel.page), std::to_string(channel.sample)});
    }
    out << '\n';
    table.print(out);
}

void printInfoText(std::ostream& out, const std::string& file, const LoadedImage& loaded,
                   const ImageStatistics& statistics) {
    using enum TextTable::Align;
    const ImageInfo& info = loaded.info;
    const FileValues values(info);
    const Image& image = *loaded.image;
    TextTable table({"file", file}, {left, left});
    table.add({"format", info.format + ", " + info.photometric + ", compression " + info.compression});
    table.add({"size", std::to_string(info.width) + " x " + std::to_string(info.height) + " px (" +
                           fixed(static_cast<double>(info.width) * info.height / 1e6, 2) + " MPix)"});
    if (image.width() != info.width || image.height() != info.height) {
        table.add({"read", std::to_string(image.width()) + " x " + std::to_string(image.height()) + " px of it"});
    }
    table.add({"depth", std::to_string(info.bits) + " bits " + info.sampleFormat + ", " + std::to_string(info.samples) +
                            (info.samples == 1 ? " sample" : " samples") + " a pixel; read as " +
                            std::to_string(bitsOf(image.type())) + "-bit grey"});
    table.add({"pages", pagesText(info)});
    addMapping(table, info);
    table.add({"range", values.text(statistics.minimum) + " .. " + values.text(statistics.maximum) + ", " +
                            grouped(statistics.distinctLevels) + " distinct levels"});
    table.add({"mean", fixed(values.of(statistics.mean), 2) + ", standard deviation " +
                           fixed(values.distance(statistics.standardDeviation), 2)});
    addFacts(table, loaded);
    table.print(out);
    printChannels(out, info);

    out << "\npercentiles\n";
    std::vector<std::string> percentages;
    std::vector<std::string> row;
    for (std::size_t i = 0; i < statistics.percentiles.size(); ++i) {
        percentages.push_back(shortest(ImageStatistics::kPercentages[i]) + " %");
        row.push_back(values.text(statistics.percentiles[i]));
    }
    TextTable summary(std::move(percentages), std::vector(statistics.percentiles.size(), right));
    summary.add(std::move(row));
    summary.print(out);
}

void run(Context& context, const ImageOptions& options) {
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options, context, progress);
    const ImageStatistics statistics = statisticsOf(*loaded.image, loaded.valid.get());
    const std::string file = parseImageArgument(options.image).path.string();
    (context.common.json ? printInfoJson : printInfoText)(context.out, file, loaded, statistics);
}

} // namespace

CommandAction declareInfo(CLI::App& app) {
    const auto options = std::make_shared<ImageOptions>();
    options->declare(*app.add_subcommand("info", "Show size, depth, pages, tags, range and histogram of an image"));
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
