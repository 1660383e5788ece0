#include "command.hpp"
#include "image_argument.hpp"
#include "image_statistics.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "tiff_tags.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace pollard::cli {

namespace {

void printInfoJson(std::ostream& out, const std::string& file, const LoadedImage& loaded,
                   const ImageStatistics& statistics) {
    const ImageInfo& info = loaded.info;
    Json tags = Json::array();
    for (const CarriedTag& tag : info.carried) {
        tags.push_back({{"tag", tag.tag}, {"name", nameOf(tag)}, {"count", tag.count}, {"value", valuesOf(tag)}});
    }
    Json percentiles = Json::object();
    for (std::size_t i = 0; i < statistics.percentiles.size(); ++i) {
        percentiles[shortest(ImageStatistics::kPercentages[i])] = statistics.percentiles[i];
    }
    printJson(out, {{"file", file},
                    {"format", info.format},
                    {"width", info.width},
                    {"height", info.height},
                    {"bits", info.bits},
                    {"samples", info.samples},
                    {"pages", info.pages},
                    {"page", info.page},
                    {"compression", info.compression},
                    {"photometric", info.photometric},
                    {"grey_bits", bitsOf(loaded.image->type())},
                    {"min", statistics.minimum},
                    {"max", statistics.maximum},
                    {"mean", statistics.mean},
                    {"standard_deviation", statistics.standardDeviation},
                    {"distinct_levels", statistics.distinctLevels},
                    {"percentiles", percentiles},
                    {"tags", tags},
                    {"notes", info.notes}});
}

void printInfoText(std::ostream& out, const std::string& file, const LoadedImage& loaded,
                   const ImageStatistics& statistics) {
    using enum TextTable::Align;
    const ImageInfo& info = loaded.info;
    TextTable table({"file", file}, {left, left});
    table.add({"format", info.format + ", " + info.photometric + ", compression " + info.compression});
    table.add({"size", std::to_string(info.width) + " x " + std::to_string(info.height) + " px (" +
                           fixed(static_cast<double>(loaded.image->pixelCount()) / 1e6, 2) + " MPix)"});
    table.add({"depth", std::to_string(info.bits) + " bits, " + std::to_string(info.samples) +
                            (info.samples == 1 ? " sample" : " samples") + " a pixel; read as " +
                            std::to_string(bitsOf(loaded.image->type())) + "-bit grey"});
    table.add({"pages", info.pages == 1 ? "1"
                                        : std::to_string(info.pages) + ", this is page " + std::to_string(info.page) +
                                              " (counted from 0)"});
    table.add({"range", std::to_string(statistics.minimum) + " .. " + std::to_string(statistics.maximum) + ", " +
                            grouped(statistics.distinctLevels) + " distinct levels"});
    table.add({"mean", fixed(statistics.mean, 2) + ", standard deviation " + fixed(statistics.standardDeviation, 2)});
    for (const CarriedTag& tag : info.carried) {
        table.add({nameOf(tag), valuesOf(tag)});
    }
    table.print(out);

    out << "\npercentiles\n";
    std::vector<std::string> percentages;
    std::vector<std::string> levels;
    for (std::size_t i = 0; i < statistics.percentiles.size(); ++i) {
        percentages.push_back(shortest(ImageStatistics::kPercentages[i]) + " %");
        levels.push_back(std::to_string(statistics.percentiles[i]));
    }
    TextTable summary(std::move(percentages), std::vector(statistics.percentiles.size(), right));
    summary.add(std::move(levels));
    summary.print(out);
}

void run(Context& context, const ImageOptions& options) {
    ProgressLine progress(context.err, context.showProgress);
    const LoadedImage loaded = loadImage(options, context, progress);
    const ImageStatistics statistics = statisticsOf(*loaded.image);
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
